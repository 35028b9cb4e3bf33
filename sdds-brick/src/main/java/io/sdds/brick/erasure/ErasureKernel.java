package io.sdds.brick.erasure;

import java.lang.foreign.MemorySegment;

/**
 * Multiplies bytes in memory by elements of {@link GaloisField}. All kernels compute the same bytes.
 *
 * <p>One thread uses a kernel. Segments may be on the heap or not, with any alignment. The caller keeps them open
 * during a call. A range outside of its segment throws {@link IndexOutOfBoundsException} before anything is written.
 */
public interface ErasureKernel {
    /** Short name for logs and status: {@code isal}, {@code vector} or {@code reed-solomon}. */
    String name();

    /**
     * Adds a multiple: {@code dst ^= coefficient · src}, for {@code length} bytes. Allocates nothing. The two ranges
     * must not overlap.
     *
     * @param coefficient 0 to 255
     * @param length in bytes, 0 or more
     */
    void fold(MemorySegment dst, long dstOffset, MemorySegment src, long srcOffset, int coefficient, int length);

    /**
     * Prepares the product of a matrix with shards.
     *
     * @param rows one row for each output, 1 to {@link CodingMatrix#PARITIES_MAX}, with one coefficient for each input,
     *     1 to {@link CodingMatrix#COLUMNS_MAX}; must not be changed afterwards
     */
    Product product(byte[][] rows);

    /** A matrix that is prepared for one kernel. Used by the thread of the kernel. */
    interface Product {
        /**
         * Sets each output to the sum of its coefficients times the inputs. The outputs may contain anything before.
         * They must not overlap each other or the inputs.
         *
         * @param inputs the first places are the inputs, in the order of the coefficients
         * @param outputs the first places are the outputs, in the order of the rows
         * @param length bytes of each shard, 0 or more
         */
        void apply(Shards inputs, Shards outputs, int length);
    }
}
