package io.sdds.brick.erasure;

import com.backblaze.erasure.CodingLoop;
import com.backblaze.erasure.InputOutputByteTableCodingLoop;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The kernel of Backblaze's JavaReedSolomon. It runs everywhere, and the other kernels are compared with it. Its coding
 * loop takes byte arrays, so the kernel copies shards piece by piece.
 */
final class ReedSolomonKernel implements ErasureKernel {
    /** Length of a piece: all pieces of a code stay in the cache of a core. */
    private static final int PIECE_BYTES = 4096;

    private final CodingLoop loop = new InputOutputByteTableCodingLoop();
    private final byte[][] inputs = new byte[CodingMatrix.COLUMNS_MAX][PIECE_BYTES];
    private final byte[][] outputs = new byte[CodingMatrix.PARITIES_MAX][PIECE_BYTES];

    /** Row c holds the coefficients of a fold: 1 for the old bytes, c for the bytes to add. */
    private final byte[][][] foldRows = new byte[GaloisField.SIZE][][];

    ReedSolomonKernel() {
        for (int c = 0; c < GaloisField.SIZE; c++) {
            foldRows[c] = new byte[][] {{1, (byte) c}};
        }
    }

    @Override
    public String name() {
        return "reed-solomon";
    }

    @Override
    public void fold(
            MemorySegment dst, long dstOffset, MemorySegment src, long srcOffset, int coefficient, int length) {
        Ranges.checkFold(dst, dstOffset, src, srcOffset, coefficient, length);
        for (int done = 0; done < length; done += PIECE_BYTES) {
            int piece = Math.min(PIECE_BYTES, length - done);
            read(dst, dstOffset + done, inputs[0], piece);
            read(src, srcOffset + done, inputs[1], piece);
            loop.codeSomeShards(foldRows[coefficient], inputs, 2, outputs, 1, 0, piece);
            write(outputs[0], dst, dstOffset + done, piece);
        }
    }

    @Override
    public Product product(byte[][] rows) {
        return (from, to, length) -> {
            Ranges.check(from, rows[0].length, length);
            Ranges.check(to, rows.length, length);
            for (int done = 0; done < length; done += PIECE_BYTES) {
                apply(rows, from, to, done, Math.min(PIECE_BYTES, length - done));
            }
        };
    }

    private void apply(byte[][] rows, Shards from, Shards to, int done, int piece) {
        int columns = rows[0].length;
        for (int i = 0; i < columns; i++) {
            read(from.segment(i), from.offset(i) + done, inputs[i], piece);
        }
        loop.codeSomeShards(rows, inputs, columns, outputs, rows.length, 0, piece);
        for (int i = 0; i < rows.length; i++) {
            write(outputs[i], to.segment(i), to.offset(i) + done, piece);
        }
    }

    private static void read(MemorySegment segment, long offset, byte[] bytes, int length) {
        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, offset, bytes, 0, length);
    }

    private static void write(byte[] bytes, MemorySegment segment, long offset, int length) {
        MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, offset, length);
    }
}
