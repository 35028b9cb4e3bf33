package io.sdds.brick.erasure;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.Objects;

/** The kernel of Intel's ISA-L, by calls of its native functions. Needs {@link IsalLibrary#INSTALLED}. */
final class IsalKernel implements ErasureKernel {
    /** A constant, so that the JVM compiles the calls into their callers. */
    private static final IsalLibrary LIBRARY = Objects.requireNonNull(IsalLibrary.INSTALLED);

    /** Most bytes of a shard in one call, which delays the garbage collector by some microseconds. */
    private static final int CALL_BYTES_MAX = 64 << 10;

    /** Below this length the library loops over single bytes, which Java does as fast without a call. */
    private static final int CALL_BYTES_MIN = 64;

    /** Length of the pieces in which heap memory is copied. */
    private static final int PIECE_BYTES = 4096;

    private static final long ALIGNMENT_BYTES = 64;
    private static final int SHARDS_MAX = CodingMatrix.COLUMNS_MAX + CodingMatrix.PARITIES_MAX;

    /** The tables of the coefficients 0 to 255, one after the other. */
    private final MemorySegment foldTables;

    /** Addresses of the inputs, and behind them of the outputs, of a call. */
    private final MemorySegment pointers;

    private final long inputPointers;
    private final long outputPointers;

    // Copies of pieces of the ranges of a fold that are on the heap.
    private final MemorySegment dstPiece;
    private final MemorySegment srcPiece;

    IsalKernel() {
        Arena arena = Arena.ofAuto();
        foldTables = arena.allocate(GaloisField.SIZE * IsalLibrary.TABLE_BYTES, ALIGNMENT_BYTES);
        pointers = arena.allocate(SHARDS_MAX * (long) Long.BYTES, ALIGNMENT_BYTES);
        inputPointers = pointers.address();
        outputPointers = inputPointers + CodingMatrix.COLUMNS_MAX * (long) Long.BYTES;
        dstPiece = arena.allocate(PIECE_BYTES, ALIGNMENT_BYTES);
        srcPiece = arena.allocate(PIECE_BYTES, ALIGNMENT_BYTES);
        MemorySegment coefficient = arena.allocate(1);
        for (int c = 0; c < GaloisField.SIZE; c++) {
            coefficient.set(ValueLayout.JAVA_BYTE, 0, (byte) c);
            LIBRARY.initTables(1, 1, coefficient, foldTables.asSlice(c * IsalLibrary.TABLE_BYTES));
        }
    }

    @Override
    public String name() {
        return "isal";
    }

    @Override
    public void fold(
            MemorySegment dst, long dstOffset, MemorySegment src, long srcOffset, int coefficient, int length) {
        Ranges.checkFold(dst, dstOffset, src, srcOffset, coefficient, length);
        if (length < CALL_BYTES_MIN) {
            foldBytes(dst, dstOffset, src, srcOffset, coefficient, length);
        } else if (dst.isNative() && src.isNative()) {
            foldNative(target(dst, dstOffset), address(src, srcOffset), coefficient, length);
        } else {
            foldCopies(dst, dstOffset, src, srcOffset, coefficient, length);
        }
        Reference.reachabilityFence(dst);
        Reference.reachabilityFence(src);
    }

    @Override
    public Product product(byte[][] rows) {
        return new IsalProduct(rows);
    }

    private static void foldBytes(
            MemorySegment dst, long dstOffset, MemorySegment src, long srcOffset, int coefficient, int length) {
        byte[] products = GaloisField.products(coefficient);
        for (int i = 0; i < length; i++) {
            byte product = products[src.get(ValueLayout.JAVA_BYTE, srcOffset + i) & 0xFF];
            byte sum = (byte) (dst.get(ValueLayout.JAVA_BYTE, dstOffset + i) ^ product);
            dst.set(ValueLayout.JAVA_BYTE, dstOffset + i, sum);
        }
    }

    private void foldNative(long dst, long src, int coefficient, int length) {
        long tables = foldTables.address() + coefficient * IsalLibrary.TABLE_BYTES;
        int done = 0;
        while (done < length) {
            int piece = piece(length - done);
            pointers.setAtIndex(ValueLayout.JAVA_LONG, CodingMatrix.COLUMNS_MAX, dst + done);
            LIBRARY.update(piece, tables, src + done, outputPointers);
            done += piece;
        }
    }

    /** Length of the next call. What is left behind it is nothing or at least the minimum of a call. */
    private static int piece(int left) {
        return left <= CALL_BYTES_MAX ? left : Math.min(CALL_BYTES_MAX, left - CALL_BYTES_MIN);
    }

    private void foldCopies(
            MemorySegment dst, long dstOffset, MemorySegment src, long srcOffset, int coefficient, int length) {
        for (int done = 0; done < length; done += PIECE_BYTES) {
            int piece = Math.min(PIECE_BYTES, length - done);
            MemorySegment.copy(dst, dstOffset + done, dstPiece, 0, piece);
            MemorySegment.copy(src, srcOffset + done, srcPiece, 0, piece);
            // If the piece is short, the call also changes bytes behind it, which are not copied back.
            foldNative(dstPiece.address(), srcPiece.address(), coefficient, Math.max(piece, CALL_BYTES_MIN));
            MemorySegment.copy(dstPiece, 0, dst, dstOffset + done, piece);
        }
    }

    /** A matrix with its tables. */
    private final class IsalProduct implements Product {
        private final int columns;
        private final int rows;
        private final MemorySegment tables;

        /** For shards that are short, or on the heap. */
        private final FoldProduct folds;

        IsalProduct(byte[][] matrix) {
            rows = matrix.length;
            columns = matrix[0].length;
            folds = new FoldProduct(IsalKernel.this, matrix);
            Arena arena = Arena.ofAuto();
            MemorySegment coefficients = arena.allocate((long) rows * columns);
            for (int i = 0; i < rows; i++) {
                MemorySegment.copy(matrix[i], 0, coefficients, ValueLayout.JAVA_BYTE, (long) i * columns, columns);
            }
            tables = arena.allocate(rows * columns * IsalLibrary.TABLE_BYTES, ALIGNMENT_BYTES);
            LIBRARY.initTables(columns, rows, coefficients, tables);
        }

        @Override
        public void apply(Shards inputs, Shards outputs, int length) {
            if (length < CALL_BYTES_MIN || !areNative(inputs, columns) || !areNative(outputs, rows)) {
                folds.apply(inputs, outputs, length);
                return;
            }
            Ranges.check(inputs, columns, length);
            Ranges.check(outputs, rows, length);
            int done = 0;
            while (done < length) {
                int piece = piece(length - done);
                setPointers(inputs, outputs, done);
                LIBRARY.encode(piece, columns, rows, tables.address(), inputPointers, outputPointers);
                done += piece;
            }
            Reference.reachabilityFence(inputs);
            Reference.reachabilityFence(outputs);
        }

        private void setPointers(Shards inputs, Shards outputs, int done) {
            for (int i = 0; i < columns; i++) {
                long address = address(inputs.segment(i), inputs.offset(i)) + done;
                pointers.setAtIndex(ValueLayout.JAVA_LONG, i, address);
            }
            for (int i = 0; i < rows; i++) {
                long address = target(outputs.segment(i), outputs.offset(i)) + done;
                pointers.setAtIndex(ValueLayout.JAVA_LONG, (long) CodingMatrix.COLUMNS_MAX + i, address);
            }
        }
    }

    private static boolean areNative(Shards shards, int count) {
        for (int i = 0; i < count; i++) {
            if (!shards.segment(i).isNative()) {
                return false;
            }
        }
        return true;
    }

    // The library gets bare addresses: what access by a segment would check, these methods check.

    private static long target(MemorySegment segment, long offset) {
        if (segment.isReadOnly()) {
            throw new UnsupportedOperationException("the segment is read-only: " + segment);
        }
        return address(segment, offset);
    }

    private static long address(MemorySegment segment, long offset) {
        if (!segment.scope().isAlive()) {
            throw new IllegalStateException("the segment is closed: " + segment);
        }
        return segment.address() + offset;
    }
}
