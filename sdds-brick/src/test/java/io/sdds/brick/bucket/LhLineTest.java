package io.sdds.brick.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.brick.memory.Seed;
import io.sdds.brick.memory.SegmentBytes;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LhLineTest {

    private final MemorySegment line = MemorySegment.ofArray(new byte[LhLine.BYTES]);

    @Test
    void tagIsNeverZero() {
        assertThat(LhLine.tag(0)).isOne();
        assertThat(LhLine.tag(-1)).isEqualTo(255);
    }

    @Test
    void matchesAreExactlyThePlacesWithTheTag() {
        Random random = Seed.random("LhLineTest.matchesAreExactlyThePlacesWithTheTag", 0);
        for (int i = 0; i < 50_000; i++) {
            long tags = random.nextLong() & random.nextLong() & 0x0303_0303_0303_0303L;
            int tag = random.nextInt(4);
            long expected = 0;
            for (int place = 0; place < 8; place++) {
                expected |= (tags >>> 8 * place & 0xFF) == tag ? 0x80L << 8 * place : 0;
            }
            assertThat(LhLine.matches(tags, tag * 0x0101_0101_0101_0101L)).isEqualTo(expected);
        }
    }

    @Test
    void countsThePlacesInUse() {
        LhLine.clear(line, 0);
        LhLine.setOverflow(line, 0, 0xFFFF_FFFFL);
        for (int place = 0; place < LhLine.PLACES; place++) {
            assertThat(LhLine.count(line, 0)).isEqualTo(place);
            LhLine.set(line, 0, place, 255 - place, 0xFFFF_FF00L + place);
        }
        assertThat(LhLine.count(line, 0)).isEqualTo(LhLine.PLACES);
        for (int place = 0; place < LhLine.PLACES; place++) {
            assertThat(LhLine.tagAt(line, 0, place)).isEqualTo(255 - place);
            assertThat(LhLine.reference(line, 0, place)).isEqualTo(0xFFFF_FF00L + place);
        }
        assertThat(LhLine.overflow(line, 0)).isEqualTo(0xFFFF_FFFFL);
    }

    @Test
    void restWordHoldsTheLastTagsBelowTheOverflowLine() {
        LhLine.clear(line, 0);
        LhLine.set(line, 0, 11, 77, 1);
        LhLine.setOverflow(line, 0, 0x4D4D_4D4DL);
        long rest = line.get(SegmentBytes.LONG, LhLine.REST_OFFSET);
        assertThat(LhLine.matchesRest(rest, 77 * 0x0101_0101_0101_0101L)).isEqualTo(0x8000_0000L);
        assertThat(rest >>> LhLine.REST_SHIFT).isEqualTo(0x4D4D_4D4DL);
    }
}
