package io.sdds.brick.erasure;

/**
 * The field GF(2^8) of bytes, with the polynomial x^8 + x^4 + x^3 + x^2 + 1 (0x11D) and the generator 2. Addition is
 * XOR. Elements are numbers from 0 to 255.
 */
public final class GaloisField {
    /** Number of elements. */
    public static final int SIZE = 256;

    /** The polynomial that reduces products. */
    public static final int POLYNOMIAL = 0x11D;

    /** Number of elements other than 0, which is the period of the powers of the generator. */
    private static final int ORDER = SIZE - 1;

    /** Powers of the generator, twice in a row, so that the sum of two logarithms needs no reduction. */
    private static final int[] POWERS = new int[2 * ORDER];

    private static final int[] LOGARITHMS = new int[SIZE];

    /** Row c holds the products of c with all elements. */
    private static final byte[][] PRODUCTS = new byte[SIZE][SIZE];

    static {
        int power = 1;
        for (int e = 0; e < ORDER; e++) {
            POWERS[e] = power;
            POWERS[e + ORDER] = power;
            LOGARITHMS[power] = e;
            power <<= 1;
            if (power >= SIZE) {
                power ^= POLYNOMIAL;
            }
        }
        for (int a = 1; a < SIZE; a++) {
            for (int b = 1; b < SIZE; b++) {
                PRODUCTS[a][b] = (byte) POWERS[LOGARITHMS[a] + LOGARITHMS[b]];
            }
        }
    }

    private GaloisField() {}

    /** The product of two elements. */
    public static int multiply(int a, int b) {
        return PRODUCTS[a][b] & 0xFF;
    }

    /**
     * The element whose product with {@code a} is 1.
     *
     * @throws ArithmeticException if {@code a} is 0
     */
    public static int inverse(int a) {
        if (a == 0) {
            throw new ArithmeticException("0 has no inverse");
        }
        return POWERS[ORDER - LOGARITHMS[a]];
    }

    /** The generator 2 to the power of {@code exponent}, which must not be negative. */
    public static int power(int exponent) {
        return POWERS[exponent % ORDER];
    }

    /** The products of {@code coefficient} with the elements 0 to 255. Must not be changed. */
    static byte[] products(int coefficient) {
        return PRODUCTS[coefficient];
    }
}
