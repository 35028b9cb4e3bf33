package io.sdds.brick.erasure;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.Seeds;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each kernel against products of single bytes, with random lengths, offsets and segments. */
class ErasureKernelPropertyTest {
    private static final int FOLDS = 300;
    private static final int PRODUCTS = 60;
    private static final int SLACK_BYTES = 70;

    private final Arena arena = Arena.ofAuto();

    @ParameterizedTest
    @EnumSource
    void foldAddsTheProductAndTouchesNothingElse(KernelType type) {
        ErasureKernel kernel = Kernels.open(type);
        SplittableRandom random =
                Seeds.random("ErasureKernelPropertyTest.foldAddsTheProductAndTouchesNothingElse." + type);
        for (int run = 0; run < FOLDS; run++) {
            // The lengths around those of vectors, then any.
            int length = run < 140 ? run : random.nextInt(run % 10 == 0 ? 9000 : 600);
            int coefficient = run % 4 == 0 ? random.nextInt(2) : random.nextInt(GaloisField.SIZE);
            MemorySegment dst = segment(random, length);
            MemorySegment src = segment(random, length);
            long dstOffset = random.nextInt(SLACK_BYTES);
            long srcOffset = random.nextInt(SLACK_BYTES);
            byte[] expected = dst.toArray(ValueLayout.JAVA_BYTE);
            byte[] source = src.toArray(ValueLayout.JAVA_BYTE);
            addMultiple(expected, (int) dstOffset, source, (int) srcOffset, coefficient, length);

            kernel.fold(dst, dstOffset, src, srcOffset, coefficient, length);

            assertThat(dst.toArray(ValueLayout.JAVA_BYTE))
                    .as("run %d: %d bytes times %d", run, length, coefficient)
                    .isEqualTo(expected);
            assertThat(src.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(source);
        }
    }

    @ParameterizedTest
    @EnumSource
    void productIsTheSumOfFolds(KernelType type) {
        ErasureKernel kernel = Kernels.open(type);
        SplittableRandom random = Seeds.random("ErasureKernelPropertyTest.productIsTheSumOfFolds." + type);
        for (int run = 0; run < PRODUCTS; run++) {
            byte[][] rows = rows(random);
            int length = random.nextInt(run % 10 == 0 ? 5000 : 300);
            boolean onHeap = random.nextInt(4) == 0;
            Shards inputs = shards(random, rows[0].length, length, onHeap);
            Shards outputs = shards(random, rows.length, length, onHeap);
            byte[][] expected = new byte[rows.length][];
            for (int i = 0; i < rows.length; i++) {
                expected[i] = expectedOutput(rows[i], inputs, outputs, i, length);
            }

            kernel.product(rows).apply(inputs, outputs, length);

            for (int i = 0; i < rows.length; i++) {
                assertThat(outputs.segment(i).toArray(ValueLayout.JAVA_BYTE))
                        .as("run %d: output %d of %d bytes", run, i, length)
                        .isEqualTo(expected[i]);
            }
        }
    }

    private static byte[][] rows(SplittableRandom random) {
        byte[][] rows = new byte[random.nextInt(1, CodingMatrix.PARITIES_MAX + 1)][];
        int columns = random.nextInt(1, CodingMatrix.COLUMNS_MAX + 1);
        for (int i = 0; i < rows.length; i++) {
            rows[i] = new byte[columns];
            random.nextBytes(rows[i]);
        }
        return rows;
    }

    private Shards shards(SplittableRandom random, int count, int length, boolean onHeap) {
        Shards shards = new Shards(count);
        for (int i = 0; i < count; i++) {
            // Native memory alone, or any.
            MemorySegment segment = onHeap ? segment(random, length) : nativeSegment(random, length);
            shards.set(i, segment, random.nextInt(SLACK_BYTES));
        }
        return shards;
    }

    /** The segment of an output as it should be: the bytes around the shard are not touched. */
    private static byte[] expectedOutput(byte[] row, Shards inputs, Shards outputs, int output, int length) {
        byte[] expected = outputs.segment(output).toArray(ValueLayout.JAVA_BYTE);
        int offset = (int) outputs.offset(output);
        java.util.Arrays.fill(expected, offset, offset + length, (byte) 0);
        for (int j = 0; j < row.length; j++) {
            byte[] input = inputs.segment(j).toArray(ValueLayout.JAVA_BYTE);
            addMultiple(expected, offset, input, (int) inputs.offset(j), row[j] & 0xFF, length);
        }
        return expected;
    }

    private static void addMultiple(byte[] dst, int dstOffset, byte[] src, int srcOffset, int coefficient, int length) {
        for (int i = 0; i < length; i++) {
            dst[dstOffset + i] ^= (byte) GaloisField.multiply(src[srcOffset + i] & 0xFF, coefficient);
        }
    }

    /** A segment of random bytes on the heap or not, with room for offsets. */
    private MemorySegment segment(SplittableRandom random, int length) {
        return random.nextBoolean()
                ? nativeSegment(random, length)
                : MemorySegment.ofArray(randomBytes(random, length + SLACK_BYTES));
    }

    private MemorySegment nativeSegment(SplittableRandom random, int length) {
        byte[] bytes = randomBytes(random, length + SLACK_BYTES);
        return arena.allocate(bytes.length).copyFrom(MemorySegment.ofArray(bytes));
    }

    private static byte[] randomBytes(SplittableRandom random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
