package io.sdds.brick.scan;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SegmentBytes;
import io.sdds.core.protocol.Filter;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Evaluates the filter of a request on the bytes of records, without an allocation for each record. */
public final class FilterMatcher {
    private final Filter filter;

    private FilterMatcher(Filter filter) {
        this.filter = filter;
    }

    /**
     * The filter of a request; null when the request asks for every record. Throws what {@link Filter#decode} throws.
     */
    public static @Nullable FilterMatcher read(ByteBuf encoded) {
        return encoded.isReadable() ? new FilterMatcher(Filter.decode(encoded)) : null;
    }

    public boolean matches(RecordStore store, long ref) {
        return matches(filter, store, ref);
    }

    private static boolean matches(Filter filter, RecordStore store, long ref) {
        return switch (filter) {
            case Filter.And and -> all(and.parts(), store, ref);
            case Filter.Or or -> any(or.parts(), store, ref);
            case Filter.Not not -> !matches(not.part(), store, ref);
            case Filter.Match match -> match(match, store, ref);
        };
    }

    private static boolean all(List<Filter> parts, RecordStore store, long ref) {
        for (Filter part : parts) {
            if (!matches(part, store, ref)) {
                return false;
            }
        }
        return true;
    }

    private static boolean any(List<Filter> parts, RecordStore store, long ref) {
        for (Filter part : parts) {
            if (matches(part, store, ref)) {
                return true;
            }
        }
        return false;
    }

    private static boolean match(Filter.Match match, RecordStore store, long ref) {
        boolean key = match.field() == Filter.Field.KEY;
        long offset = key ? store.keyOffset(ref) : store.valueOffset(ref);
        int length = key ? store.keyLength(ref) : store.valueLength(ref);
        MemorySegment segment = store.segment(ref);
        MemorySegment operand = MemorySegment.ofArray(match.operand());
        int wanted = match.operand().length;
        return switch (match.test()) {
            case EQUALS -> length == wanted && SegmentBytes.equal(segment, offset, operand, 0, wanted);
            case PREFIX -> length >= wanted && SegmentBytes.equal(segment, offset, operand, 0, wanted);
            case CONTAINS -> contains(segment, offset, length, match.operand(), operand);
        };
    }

    private static boolean contains(
            MemorySegment segment, long offset, int length, byte[] wanted, MemorySegment operand) {
        if (wanted.length == 0) {
            return true;
        }
        long last = offset + length - wanted.length;
        for (long at = offset; at <= last; at++) {
            if (segment.get(SegmentBytes.BYTE, at) == wanted[0]
                    && SegmentBytes.equal(segment, at, operand, 0, wanted.length)) {
                return true;
            }
        }
        return false;
    }
}
