package io.sdds.brick.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.Seeds;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SegmentBytesTest {

    @Test
    void rangesAreEqualUnlessOneByteDiffers() {
        Random random = new Random(Seeds.next("SegmentBytesTest.rangesAreEqualUnlessOneByteDiffers"));
        MemorySegment a = MemorySegment.ofArray(new byte[512]);
        MemorySegment b = MemorySegment.ofArray(new byte[512]);
        for (int length = 0; length <= 400; length++) {
            int aOffset = random.nextInt(100);
            int bOffset = random.nextInt(100);
            random.nextBytes((byte[]) a.heapBase().get());
            MemorySegment.copy(a, aOffset, b, bOffset, length);
            assertThat(SegmentBytes.equal(a, aOffset, b, bOffset, length)).isTrue();
            if (length > 0) {
                long differing = bOffset + random.nextInt(length);
                b.set(ValueLayout.JAVA_BYTE, differing, (byte) ~b.get(ValueLayout.JAVA_BYTE, differing));
                assertThat(SegmentBytes.equal(a, aOffset, b, bOffset, length))
                        .as("length %d", length)
                        .isFalse();
            }
        }
    }
}
