package io.sdds.brick.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.Seeds;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KeyOrderTest {

    private static final int PAIRS = 100_000;

    private final Random random = new Random(Seeds.next("KeyOrderTest"));

    /** Two keys of few different bytes, so that they have much in common, at any place of a segment. */
    private byte[] key() {
        byte[] key = new byte[1 + random.nextInt(random.nextInt(50) == 0 ? 700 : 20)];
        byte fill = (byte) (random.nextInt(3) - 1);
        Arrays.fill(key, fill);
        for (int i = random.nextInt(3); i > 0; i--) {
            key[random.nextInt(key.length)] = (byte) random.nextInt();
        }
        return key;
    }

    private static MemorySegment at(byte[] key, int offset) {
        byte[] bytes = new byte[offset + key.length];
        System.arraycopy(key, 0, bytes, offset, key.length);
        return MemorySegment.ofArray(bytes);
    }

    private static int common(byte[] a, byte[] b) {
        int differing = Arrays.mismatch(a, b);
        return differing < 0 ? a.length : differing;
    }

    @Test
    void comparesAsUnsignedBytesWhateverIsSkipped() {
        for (int i = 0; i < PAIRS; i++) {
            byte[] a = key();
            byte[] b = key();
            int skipped = random.nextInt(common(a, b) + 1);
            int difference = KeyOrder.compare(at(a, 3), 3, a.length, at(b, 9), 9, b.length, skipped);
            assertThat(Integer.signum(difference)).isEqualTo(Integer.signum(Arrays.compareUnsigned(a, b)));
            assertThat(KeyOrder.common(at(a, 1), 1, a.length, at(b, 2), 2, b.length))
                    .isEqualTo(common(a, b));
        }
    }

    @Test
    void headsAreInTheOrderOfTheirKeys() {
        int different = 0;
        for (int i = 0; i < PAIRS; i++) {
            byte[] a = key();
            byte[] b = key();
            int skipped = random.nextInt(common(a, b) + 1);
            long aHead = KeyOrder.head(at(a, 3), 3, a.length, skipped);
            long bHead = KeyOrder.head(at(b, 9), 9, b.length, skipped);
            assertThat(aHead).isNotNegative();
            if (aHead != bHead) {
                different++;
                assertThat(Long.signum(aHead - bHead)).isEqualTo(Integer.signum(Arrays.compareUnsigned(a, b)));
            }
        }
        assertThat(different).isGreaterThan(PAIRS / 4);
    }

    @Test
    void headTellsTheBytesBehindTheSkippedOnes() {
        MemorySegment key = MemorySegment.ofArray(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
        assertThat(KeyOrder.head(key, 0, 10, 1)).isEqualTo(0x0203_0405_0607_0809L >>> 1);
        assertThat(KeyOrder.head(key, 0, 10, 7)).isEqualTo(0x0809_0A00_0000_0000L >>> 1);
        assertThat(KeyOrder.head(key, 0, 3, 1)).isEqualTo(0x0203_0000_0000_0000L >>> 1);
        assertThat(KeyOrder.head(key, 0, 10, 10)).isZero();
        assertThat(KeyOrder.head(key, 0, 3, 99)).isZero();
    }
}
