package io.sdds.client;

import io.sdds.core.addressing.PseudoKey;
import io.sdds.core.addressing.ScanOrder;
import io.sdds.core.protocol.ReplyFrame;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** The records of a block, as a SCAN's reply has them. */
final class Records<K, V> implements Iterator<Map.Entry<K, V>> {
    private final ByteBuffer block;
    private final Codec<K> keys;
    private final @Nullable Codec<V> values;
    private byte[] key = new byte[0];

    /**
     * @param values null when only keys are wanted
     */
    Records(byte[] block, Codec<K> keys, @Nullable Codec<V> values) {
        this.block = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN);
        this.keys = keys;
        this.values = values;
    }

    @Override
    public boolean hasNext() {
        return block.hasRemaining();
    }

    @Override
    public Map.Entry<K, V> next() {
        if (!block.hasRemaining()) {
            throw new NoSuchElementException();
        }
        if (block.remaining() < ReplyFrame.SCAN_RECORD_HEADER) {
            throw broken();
        }
        int keyLength = block.getShort() & 0xffff;
        int valueLength = block.getInt();
        key = bytes(keyLength);
        byte[] value = bytes(valueLength);
        return entry(keys.decode(key), values == null ? null : values.decode(value));
    }

    /** Whether it has given a record. */
    boolean hasGiven() {
        return block.position() > 0;
    }

    /** The key of the record given last, encoded. */
    byte[] lastKey() {
        return key.clone();
    }

    /** The records of a block in the order of scans: by the points of their keys, and of one point by their bytes; those up to a key left out. */
    static byte[] inOrder(byte[] block, byte @Nullable [] upTo) {
        ByteBuffer in = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN);
        List<Ordered> records = new ArrayList<>();
        Ordered last = upTo == null ? null : Ordered.of(upTo, 0, 0);
        while (in.remaining() >= ReplyFrame.SCAN_RECORD_HEADER) {
            int start = in.position();
            int keyLength = in.getShort() & 0xffff;
            int valueLength = in.getInt();
            if (valueLength < 0 || keyLength + valueLength > in.remaining()) {
                in.position(start);
                break; // reading it will say so
            }
            byte[] key = new byte[keyLength];
            in.get(key);
            in.position(in.position() + valueLength);
            Ordered record = Ordered.of(key, start, in.position());
            if (last == null || record.compareTo(last) > 0) {
                records.add(record);
            }
        }
        int broken = in.position();
        Collections.sort(records);
        ByteBuffer out = ByteBuffer.allocate(block.length);
        records.forEach(record -> out.put(block, record.start(), record.end() - record.start()));
        out.put(block, broken, in.hasRemaining() ? block.length - broken : 0);
        return Arrays.copyOf(out.array(), out.position());
    }

    /** A record of a block, from {@code start} to {@code end}, in the order of scans. */
    private record Ordered(long point, byte[] key, int start, int end) implements Comparable<Ordered> {
        static Ordered of(byte[] key, int start, int end) {
            return new Ordered(ScanOrder.point(PseudoKey.of(key)), key, start, end);
        }

        @Override
        public int compareTo(Ordered other) {
            int byPoint = Long.compareUnsigned(point, other.point);
            return byPoint != 0 ? byPoint : Arrays.compareUnsigned(key, other.key);
        }
    }

    @SuppressWarnings("NullAway") // the entries of a scan for keys have null values of type Void
    private static <K, V> Map.Entry<K, V> entry(K key, @Nullable V value) {
        return new AbstractMap.SimpleImmutableEntry<>(key, value);
    }

    private byte[] bytes(int length) {
        if (length < 0 || length > block.remaining()) {
            throw broken();
        }
        byte[] bytes = new byte[length];
        block.get(bytes);
        return bytes;
    }

    private static ProtocolException broken() {
        return new ProtocolException("a block of scanned records ends in the middle of one", false);
    }
}
