package io.sdds.brick.erasure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CodingMatrixTest {

    @Test
    void firstParityAndFirstColumnAreOnes() {
        for (int c = 0; c < CodingMatrix.COLUMNS_MAX; c++) {
            assertThat(CodingMatrix.coefficient(0, c)).isEqualTo(1);
        }
        for (int p = 0; p < CodingMatrix.PARITIES_MAX; p++) {
            assertThat(CodingMatrix.coefficient(p, 0)).isEqualTo(1);
        }
    }

    @Test
    void coefficientsStayAsTheyAre() {
        byte[][] rows = CodingMatrix.encoding(16, 4);
        assertThat(rows[1]).containsExactly(bytes(1, 2, 4, 8, 16, 32, 64, 128, 29, 58, 116, 232, 205, 135, 19, 38));
        assertThat(rows[2]).containsExactly(bytes(1, 4, 16, 64, 29, 116, 205, 19, 76, 45, 180, 234, 143, 6, 24, 96));
        assertThat(rows[3]).containsExactly(bytes(1, 8, 64, 58, 205, 38, 45, 117, 143, 12, 96, 39, 37, 53, 181, 193));
    }

    private static byte[] bytes(int... numbers) {
        byte[] bytes = new byte[numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            bytes[i] = (byte) numbers[i];
        }
        return bytes;
    }

    @Test
    void refusesWhatHasNoCoefficient() {
        assertThatThrownBy(() -> CodingMatrix.coefficient(4, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CodingMatrix.coefficient(0, 16)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CodingMatrix.coefficient(-1, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    /** A sum of parities has the wanted column once and no other unknown column, for any parities and columns. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void solvingFindsAColumnBesideOthersThatAreUnknown(int size) {
        for (int unknown = 0; unknown < 1 << 10; unknown++) {
            for (int parities = 0; parities < 1 << CodingMatrix.PARITIES_MAX; parities++) {
                if (Integer.bitCount(unknown) == size && Integer.bitCount(parities) >= size) {
                    assertSolved(parities, unknown);
                }
            }
        }
    }

    private static void assertSolved(int parities, int unknown) {
        for (int wanted = unknown; wanted != 0; wanted &= wanted - 1) {
            int column = Integer.numberOfTrailingZeros(wanted);
            int[] factors = CodingMatrix.solving(parities, unknown, column);
            assertThat(factors).hasSize(CodingMatrix.PARITIES_MAX);
            for (int other = unknown; other != 0; other &= other - 1) {
                int c = Integer.numberOfTrailingZeros(other);
                int sum = 0;
                for (int p = 0; p < factors.length; p++) {
                    sum ^= GaloisField.multiply(factors[p], CodingMatrix.coefficient(p, c));
                    assertThat(factors[p] == 0 || (parities & 1 << p) != 0).isTrue();
                }
                assertThat(sum)
                        .as("column %d of %x, parities %x", c, unknown, parities)
                        .isEqualTo(c == column ? 1 : 0);
            }
        }
    }

    /** All of them for four parities: with fewer parities, the selections are some of these. */
    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8, 16})
    void everySelectionOfAsManyShardsAsColumnsIsInvertible(int columns) {
        int shards = columns + CodingMatrix.PARITIES_MAX;
        int selections = 0;
        for (int known = 0; known < 1 << shards; known++) {
            if (Integer.bitCount(known) == columns) {
                assertInvertible(columns, known);
                selections++;
            }
        }
        assertThat(selections).isEqualTo(binomial(shards, CodingMatrix.PARITIES_MAX));
    }

    private static void assertInvertible(int columns, int known) {
        byte[][] rows = new byte[columns][];
        int next = 0;
        for (int shard = 0; known >>> shard != 0; shard++) {
            if ((known >>> shard & 1) != 0) {
                rows[next++] = CodingMatrix.row(columns, shard);
            }
        }
        byte[][] inverse = CodingMatrix.inverse(rows);
        for (int i = 0; i < columns; i++) {
            for (int j = 0; j < columns; j++) {
                int sum = 0;
                for (int k = 0; k < columns; k++) {
                    sum ^= GaloisField.multiply(rows[i][k] & 0xFF, inverse[k][j] & 0xFF);
                }
                if (sum != (i == j ? 1 : 0)) {
                    throw new AssertionError("selection " + Integer.toBinaryString(known) + " is not inverted");
                }
            }
        }
    }

    private static int binomial(int n, int k) {
        int result = 1;
        for (int i = 1; i <= k; i++) {
            result = result * (n - k + i) / i;
        }
        return result;
    }

    @Test
    void aSingularMatrixHasNoInverse() {
        assertThatThrownBy(() -> CodingMatrix.inverse(new byte[][] {{1, 2}, {1, 2}}))
                .isInstanceOf(ArithmeticException.class);
    }
}
