package io.sdds.brick.parity.records;

import static io.sdds.brick.memory.SegmentBytes.BYTE;

import io.sdds.brick.memory.RecordStore;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Compares parity records at rest with the columns that they protect: encodes each rank again and looks for
 * differences. For tests and the simulator; it has an arithmetic of its own, so that it also checks the kernels.
 */
public final class ParityCheck {

    private static final int POLYNOMIAL = 0x11D;
    private static final int BYTE_VALUES = 256;

    private final ParityRecords parity;
    private final List<? extends IntFunction<@Nullable Coded>> columns;
    private final List<String> faults = new ArrayList<>();

    /** For each column, the products of its coefficient with all bytes. */
    private final byte[][] products;

    /** A column's record at a rank. */
    public record Coded(byte[] bytes, long hash) {
        /** The record of a reference; null for reference 0. */
        public static @Nullable Coded of(RecordStore store, long ref) {
            if (ref == 0) {
                return null;
            }
            byte[] bytes = new byte[CodedRecord.length(store, ref)];
            CodedRecord.write(store, ref, MemorySegment.ofArray(bytes), 0);
            return new Coded(bytes, store.hash(ref));
        }
    }

    private ParityCheck(ParityRecords parity, List<? extends IntFunction<@Nullable Coded>> columns) {
        this.parity = parity;
        this.columns = columns;
        this.products = new byte[columns.size()][BYTE_VALUES];
        for (int c = 0; c < products.length; c++) {
            int coefficient = power(parity.parity() * c);
            for (int b = 0; b < BYTE_VALUES; b++) {
                products[c][b] = (byte) product(b, coefficient);
            }
        }
    }

    /**
     * Compares parity records with columns.
     *
     * @param columns for each column of the group, its coded record at a rank, with the pseudo-key of the record; null
     *     if the column has none there. All deltas of the columns have been folded.
     * @param top a rank above all ranks of the columns
     * @return what differs, one sentence for each difference; empty if all is as it should be
     */
    public static List<String> faults(
            ParityRecords parity, List<? extends IntFunction<@Nullable Coded>> columns, int top) {
        if (columns.size() != parity.columns()) {
            throw new IllegalArgumentException(columns.size() + " columns for parity of " + parity.columns());
        }
        ParityCheck check = new ParityCheck(parity, columns);
        long records = 0;
        for (int rank = 0; rank < Math.max(top, parity.top()); rank++) {
            records += check.check(rank) ? 1 : 0;
        }
        if (records != parity.records()) {
            check.faults.add("parity " + parity.parity() + " counts " + parity.records() + " ranks with records, but "
                    + records + " ranks have some");
        }
        return check.faults;
    }

    /** Checks a rank. Returns whether a column has a record there. */
    private boolean check(int rank) {
        byte[] expected = {};
        boolean any = false;
        for (int c = 0; c < columns.size(); c++) {
            Coded coded = columns.get(c).apply(rank);
            int fingerprint = coded == null ? 0 : ParityRecords.fingerprint(coded.hash());
            if (fingerprint != parity.fingerprint(c, rank)) {
                report(
                        rank,
                        c,
                        String.format("fingerprint %08x", fingerprint),
                        String.format("%08x", parity.fingerprint(c, rank)));
            }
            if (coded != null) {
                any = true;
                expected = Arrays.copyOf(expected, Math.max(expected.length, coded.bytes().length));
                add(expected, coded.bytes(), products[c]);
            }
        }
        checkField(rank, Arrays.copyOf(expected, trimmedLength(expected)));
        return any;
    }

    private void checkField(int rank, byte[] expected) {
        int length = parity.fieldLength(rank);
        if (length != expected.length) {
            report(rank, -1, "a field of " + expected.length + " bytes", length + " bytes");
        }
        for (int i = 0; i < Math.min(length, expected.length); i++) {
            byte here = parity.segment(rank).get(BYTE, parity.offset(rank) + i);
            if (here != expected[i]) {
                report(rank, -1, String.format("byte %d to be %02x", i, expected[i]), String.format("%02x", here));
                return;
            }
        }
    }

    private void report(int rank, int column, String expected, String found) {
        String where = column < 0 ? "" : ", column " + column;
        faults.add(
                "parity " + parity.parity() + ", rank " + rank + where + ": expected " + expected + ", found " + found);
    }

    private static int trimmedLength(byte[] bytes) {
        int length = bytes.length;
        while (length > 0 && bytes[length - 1] == 0) {
            length--;
        }
        return length;
    }

    /** Adds the products of {@code bytes} to the first bytes of {@code sum}. */
    private static void add(byte[] sum, byte[] bytes, byte[] products) {
        for (int i = 0; i < bytes.length; i++) {
            sum[i] ^= products[bytes[i] & 0xFF];
        }
    }

    /** The product of two elements of the field, bit by bit. */
    private static int product(int a, int b) {
        int product = 0;
        int multiple = a;
        for (int rest = b; rest != 0; rest >>>= 1) {
            product ^= (rest & 1) == 0 ? 0 : multiple;
            multiple <<= 1;
            multiple = multiple < BYTE_VALUES ? multiple : multiple ^ POLYNOMIAL;
        }
        return product;
    }

    private static int power(int exponent) {
        int power = 1;
        for (int i = 0; i < exponent; i++) {
            power = product(power, 2);
        }
        return power;
    }
}
