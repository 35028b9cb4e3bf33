package io.sdds.brick.erasure;

import java.util.Arrays;

/**
 * The coefficients of parity groups. Parity p is the sum of {@code coefficient(p, c)} times column c.
 *
 * <p>The coefficient is 2^(p·c). So the first parity and every parity of the first column are plain XOR, and a
 * coefficient depends neither on the number of columns nor on the number of parities: one parity more changes no byte
 * of those that exist. These are the coefficients of {@code gf_gen_rs_matrix} in ISA-L. Any m of the m + k shards
 * determine the others, for all m and k within the limits; CodingMatrixTest inverts every selection.
 */
public final class CodingMatrix {
    /** Most data columns of a group. */
    public static final int COLUMNS_MAX = 16;

    /** Most parities of a group. */
    public static final int PARITIES_MAX = 4;

    private CodingMatrix() {}

    /**
     * The coefficient of a column in a parity.
     *
     * @param parity number of the parity, from 0
     * @param column number of the data column in its group, from 0
     */
    public static int coefficient(int parity, int column) {
        if (parity < 0 || parity >= PARITIES_MAX || column < 0 || column >= COLUMNS_MAX) {
            throw new IllegalArgumentException("no coefficient of parity " + parity + ", column " + column);
        }
        return GaloisField.power(parity * column);
    }

    /**
     * How to compute a column from parities of which all other columns are subtracted but some: the factor of each
     * parity in the sum that is the column. Parities that are not needed have the factor 0.
     *
     * @param parities the parities that are known, bit p; at least as many as there are unknown columns
     * @param unknown the columns that are not subtracted, bit c, the wanted one among them
     * @param column the wanted column
     */
    public static int[] solving(int parities, int unknown, int column) {
        int size = Integer.bitCount(unknown);
        int[] chosen = new int[size];
        byte[][] matrix = new byte[size][size];
        int left = parities;
        for (int i = 0; i < size; i++) {
            chosen[i] = Integer.numberOfTrailingZeros(left);
            left &= left - 1;
            int j = 0;
            for (int columns = unknown; columns != 0; columns &= columns - 1) {
                matrix[i][j++] = (byte) coefficient(chosen[i], Integer.numberOfTrailingZeros(columns));
            }
        }
        byte[] row = inverse(matrix)[Integer.bitCount(unknown & (1 << column) - 1)];
        int[] factors = new int[PARITIES_MAX];
        for (int i = 0; i < size; i++) {
            factors[chosen[i]] = row[i] & 0xFF;
        }
        return factors;
    }

    /** Coefficients of the shard {@code shard} of a group: a row of the unit matrix, or that of a parity. */
    static byte[] row(int columns, int shard) {
        byte[] row = new byte[columns];
        if (shard < columns) {
            row[shard] = 1;
        } else {
            for (int c = 0; c < columns; c++) {
                row[c] = (byte) coefficient(shard - columns, c);
            }
        }
        return row;
    }

    /** The matrix that computes the first {@code parities} parities from {@code columns} columns. */
    static byte[][] encoding(int columns, int parities) {
        byte[][] rows = new byte[parities][];
        for (int p = 0; p < parities; p++) {
            rows[p] = row(columns, columns + p);
        }
        return rows;
    }

    /**
     * The matrix that computes shards from other shards.
     *
     * @param known as many different shards as there are columns; shard c below {@code columns} is data column c, shard
     *     {@code columns + p} is parity p
     * @param wanted the shards to compute
     * @return one row for each wanted shard, with one coefficient for each known shard
     */
    static byte[][] decoding(int columns, int[] known, int[] wanted) {
        byte[][] selected = new byte[columns][];
        for (int i = 0; i < columns; i++) {
            selected[i] = row(columns, known[i]);
        }
        byte[][] inverse = inverse(selected);
        byte[][] rows = new byte[wanted.length][];
        for (int i = 0; i < wanted.length; i++) {
            rows[i] = wanted[i] < columns ? inverse[wanted[i]] : times(row(columns, wanted[i]), inverse);
        }
        return rows;
    }

    private static byte[] times(byte[] row, byte[][] matrix) {
        byte[] product = new byte[row.length];
        for (int i = 0; i < row.length; i++) {
            addMultiple(product, matrix[i], row[i] & 0xFF);
        }
        return product;
    }

    /**
     * Inverts a square matrix by Gauss-Jordan elimination.
     *
     * @throws ArithmeticException if the matrix has no inverse
     */
    static byte[][] inverse(byte[][] matrix) {
        int size = matrix.length;
        byte[][] left = new byte[size][];
        byte[][] right = new byte[size][size];
        for (int i = 0; i < size; i++) {
            left[i] = Arrays.copyOf(matrix[i], size);
            right[i][i] = 1;
        }
        for (int i = 0; i < size; i++) {
            int pivot = pivot(left, i);
            swap(left, i, pivot);
            swap(right, i, pivot);
            int scale = GaloisField.inverse(left[i][i] & 0xFF);
            scale(left[i], scale);
            scale(right[i], scale);
            for (int other = 0; other < size; other++) {
                int multiple = left[other][i] & 0xFF;
                if (other != i && multiple != 0) {
                    addMultiple(left[other], left[i], multiple);
                    addMultiple(right[other], right[i], multiple);
                }
            }
        }
        return right;
    }

    private static int pivot(byte[][] matrix, int column) {
        for (int row = column; row < matrix.length; row++) {
            if (matrix[row][column] != 0) {
                return row;
            }
        }
        throw new ArithmeticException("the matrix has no inverse");
    }

    private static void swap(byte[][] rows, int a, int b) {
        byte[] row = rows[a];
        rows[a] = rows[b];
        rows[b] = row;
    }

    private static void scale(byte[] row, int scale) {
        for (int i = 0; i < row.length; i++) {
            row[i] = (byte) GaloisField.multiply(row[i] & 0xFF, scale);
        }
    }

    private static void addMultiple(byte[] row, byte[] other, int multiple) {
        for (int i = 0; i < row.length; i++) {
            row[i] ^= (byte) GaloisField.multiply(other[i] & 0xFF, multiple);
        }
    }
}
