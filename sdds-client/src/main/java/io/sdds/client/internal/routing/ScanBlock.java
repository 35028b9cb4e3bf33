package io.sdds.client.internal.routing;

import io.sdds.core.addressing.PseudoKey;
import io.sdds.core.addressing.ScanOrder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The order of records in the blocks of a scan that can be left at any record and continued behind it
 * (docs/design/scans.md, rule 17).
 */
public final class ScanBlock {
    private ScanBlock() {}

    /**
     * Sorts the records of a block in the order of scans: by the points of their keys, and at one point by the bytes of
     * their keys. Records up to a key are left out.
     *
     * @param header bytes before the key of each record
     */
    public static byte[] inOrder(byte[] block, int header, byte @Nullable [] upTo) {
        ByteBuffer in = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN);
        List<Ordered> records = new ArrayList<>();
        Ordered last = upTo == null ? null : Ordered.of(upTo, 0, 0);
        while (in.remaining() >= header) {
            int start = in.position();
            int keyLength = in.getShort() & 0xffff;
            int valueLength = in.getInt();
            in.position(start + header);
            if (valueLength < 0 || keyLength + valueLength > in.remaining()) {
                in.position(start);
                break; // the reader of the block reports the malformed record
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
}
