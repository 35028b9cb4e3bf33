package io.sdds.brick.erasure;

import java.lang.foreign.MemorySegment;

/** The product of a matrix with shards, as a fold for each coefficient. */
final class FoldProduct implements ErasureKernel.Product {
    /** Length of the pieces, so that an output stays in the nearest cache until all inputs are folded into it. */
    private static final int PIECE_BYTES = 4096;

    private final ErasureKernel kernel;
    private final byte[][] rows;

    FoldProduct(ErasureKernel kernel, byte[][] rows) {
        this.kernel = kernel;
        this.rows = rows;
    }

    @Override
    public void apply(Shards inputs, Shards outputs, int length) {
        Ranges.check(inputs, rows[0].length, length);
        Ranges.check(outputs, rows.length, length);
        for (int done = 0; done < length; done += PIECE_BYTES) {
            int piece = Math.min(PIECE_BYTES, length - done);
            for (int i = 0; i < rows.length; i++) {
                applyRow(rows[i], inputs, outputs.segment(i), outputs.offset(i) + done, done, piece);
            }
        }
    }

    private void applyRow(byte[] row, Shards inputs, MemorySegment output, long outputOffset, int done, int piece) {
        output.asSlice(outputOffset, piece).fill((byte) 0);
        for (int j = 0; j < row.length; j++) {
            kernel.fold(output, outputOffset, inputs.segment(j), inputs.offset(j) + done, row[j] & 0xFF, piece);
        }
    }
}
