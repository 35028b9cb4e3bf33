package io.sdds.brick.scan;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.sdds.brick.memory.ByteSearch;
import io.sdds.core.query.ProgramCodec;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.LinkedHashMap;

/**
 * The filters of a stage's last scans, decoded, by their bytes. So the steps of a scan decode its filter once. The
 * filters used least recently make room for others.
 */
final class FilterCache {
    static final int FILTERS_MAX = 64;

    /** Most bytes of all filters kept, as they are encoded. */
    static final int BYTES_MAX = 256 << 10;

    private final LinkedHashMap<ByteBuffer, FilterMatcher> filters = new LinkedHashMap<>(16, 0.75f, true);
    private final ByteSearch search = new ByteSearch();
    private int bytes;

    /**
     * The filter of a request, which no bytes make true of every record. Throws what {@link ProgramCodec#decode}
     * throws.
     */
    FilterMatcher filter(ByteBuf encoded) {
        if (!encoded.isReadable()) {
            return FilterMatcher.EVERYTHING;
        }
        byte[] copy = ByteBufUtil.getBytes(encoded);
        FilterMatcher kept = filters.get(ByteBuffer.wrap(copy));
        return kept == null ? add(copy) : kept;
    }

    private FilterMatcher add(byte[] encoded) {
        FilterMatcher filter = FilterMatcher.of(ProgramCodec.decode(Unpooled.wrappedBuffer(encoded)), search);
        filters.put(ByteBuffer.wrap(encoded), filter);
        bytes += encoded.length;
        Iterator<ByteBuffer> eldest = filters.keySet().iterator();
        while (filters.size() > FILTERS_MAX || bytes > BYTES_MAX) {
            bytes -= eldest.next().remaining();
            eldest.remove();
        }
        return filter;
    }

    /** Work of all filters since the last call: bytes that are read by words in the same time. */
    long takeWork() {
        return search.takeWork();
    }

    /** Number of filters kept. */
    int size() {
        return filters.size();
    }
}
