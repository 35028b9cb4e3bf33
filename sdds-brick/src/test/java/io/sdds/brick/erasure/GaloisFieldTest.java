package io.sdds.brick.erasure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.backblaze.erasure.Galois;
import org.junit.jupiter.api.Test;

class GaloisFieldTest {

    @Test
    void productsEqualThoseOfJavaReedSolomon() {
        for (int a = 0; a < GaloisField.SIZE; a++) {
            for (int b = 0; b < GaloisField.SIZE; b++) {
                int expected = Galois.multiply((byte) a, (byte) b) & 0xFF;
                if (GaloisField.multiply(a, b) != expected) {
                    assertThat(GaloisField.multiply(a, b))
                            .as("%d times %d", a, b)
                            .isEqualTo(expected);
                }
            }
        }
    }

    @Test
    void doublingReducesByThePolynomial() {
        assertThat(GaloisField.multiply(0x80, 2)).isEqualTo(GaloisField.POLYNOMIAL ^ 0x100);
        assertThat(GaloisField.multiply(0x40, 2)).isEqualTo(0x80);
    }

    @Test
    void everyElementButZeroHasItsInverse() {
        for (int a = 1; a < GaloisField.SIZE; a++) {
            assertThat(GaloisField.multiply(a, GaloisField.inverse(a))).isEqualTo(1);
        }
        assertThatThrownBy(() -> GaloisField.inverse(0)).isInstanceOf(ArithmeticException.class);
    }

    @Test
    void powersAreRepeatedProducts() {
        int expected = 1;
        for (int e = 0; e < 600; e++) {
            assertThat(GaloisField.power(e)).isEqualTo(expected);
            expected = GaloisField.multiply(expected, 2);
        }
    }
}
