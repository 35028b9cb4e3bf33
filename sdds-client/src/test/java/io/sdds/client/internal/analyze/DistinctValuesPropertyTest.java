package io.sdds.client.internal.analyze;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.Seeds;
import io.sdds.core.addressing.PseudoKey;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

/** How near the estimates of different values are, for columns of 1,000,000 rows. */
class DistinctValuesPropertyTest {
    private static final int ROWS = 1_000_000;
    private static final int CAPACITY = 128 << 10;

    private final long seed = Seeds.next("DistinctValuesPropertyTest");
    private final SplittableRandom random = new SplittableRandom(seed);

    private static long hash(long value) {
        return PseudoKey.of(ByteBuffer.allocate(Long.BYTES).putLong(value).array());
    }

    /** Compares the estimate of a sample with the number of different values. Returns estimate / number. */
    private double ratio(double fraction, int capacity, LongUnaryOperator valueOfRow) {
        DistinctValues sample = new DistinctValues(capacity);
        long[] all = new long[ROWS];
        long sampled = 0;
        for (int row = 0; row < ROWS; row++) {
            long value = valueOfRow.applyAsLong(row);
            all[row] = value;
            if (fraction == 1 || random.nextDouble() < fraction) {
                sample.add(hash(value));
                sampled++;
            }
        }
        Arrays.sort(all);
        long different = 1;
        for (int row = 1; row < ROWS; row++) {
            different += all[row] != all[row - 1] ? 1 : 0;
        }
        return (double) sample.estimate((double) sampled / ROWS) / different;
    }

    @Test
    void uniqueColumnsGiveTheirRows() {
        for (double fraction : new double[] {0.001, 0.1}) {
            assertThat(ratio(fraction, CAPACITY, row -> row))
                    .as("seed %s", seed)
                    .isBetween(0.999, 1.001);
        }
        assertThat(ratio(0.1, 4096, row -> row)).as("seed %s", seed).isBetween(0.9, 1.1);
    }

    @Test
    void constantColumnsGiveOne() {
        assertThat(ratio(0.001, CAPACITY, row -> 7)).isEqualTo(1);
        assertThat(ratio(1, CAPACITY, row -> 7)).isEqualTo(1);
    }

    @Test
    void uniformColumnsAreAtMostAQuarterTooLowWithATenthAndAHalfWithAHundredth() {
        for (int values : new int[] {10, 1_000, 50_000, 300_000}) {
            double ofTenth = ratio(0.1, CAPACITY, row -> random.nextInt(values));
            assertThat(ofTenth).as("%s values, seed %s", values, seed).isBetween(0.75, 1.1);
            double ofHundredth = ratio(0.01, CAPACITY, row -> random.nextInt(values));
            assertThat(ofHundredth).as("%s values, seed %s", values, seed).isBetween(0.5, 1.2);
        }
    }

    /** The i-th value has a share of rows that falls with i, as words of a text have. */
    @Test
    void skewedColumnsAreEstimatedTooLowAndNeverTooHigh() {
        for (int values : new int[] {1_000, 20_000, 200_000}) {
            double ratio = ratio(0.1, CAPACITY, row -> (long) Math.pow(values, random.nextDouble()));
            assertThat(ratio).as("%s values, seed %s", values, seed).isBetween(0.5, 1.1);
            ratio = ratio(0.01, CAPACITY, row -> (long) Math.pow(values, random.nextDouble()));
            assertThat(ratio).as("%s values, seed %s", values, seed).isBetween(0.15, 1.1);
        }
    }

    /** Half of the rows have one value; each other row has its own. */
    @Test
    void aFrequentValueDoesNotHideTheRareOnes() {
        double ratio = ratio(0.01, CAPACITY, row -> row % 2 == 0 ? -1 : row);
        assertThat(ratio).as("seed %s", seed).isBetween(0.95, 1.05);
    }

    @Test
    void allRowsAreCountedExactlyUpToTheCapacity() {
        assertThat(ratio(1, CAPACITY, row -> row % CAPACITY)).isEqualTo(1);
        assertThat(ratio(1, 4096, row -> row)).as("seed %s", seed).isBetween(0.9, 1.1);
    }

    @Test
    void nothingHasNoValues() {
        assertThat(new DistinctValues(16).estimate(1)).isZero();
    }
}
