package io.sdds.brick.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.brick.memory.SegmentBytes;
import io.sdds.core.Seeds;
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
        Random random = new Random(Seeds.next("LhLineTest.matchesAreExactlyThePlacesWithTheTag"));
        byte[] tags = new byte[2 * Long.BYTES];
        MemorySegment words = MemorySegment.ofArray(tags);
        for (int i = 0; i < 50_000; i++) {
            for (int place = 0; place < tags.length; place++) {
                tags[place] = (byte) (random.nextInt(4) - 2);
            }
            int tag = 254 + random.nextInt(2);
            long matches = LhLine.matches(
                    words.get(SegmentBytes.LONG, 0),
                    words.get(SegmentBytes.LONG, LhLine.REST_OFFSET),
                    LhLine.pattern((long) tag << 56));
            for (int place = 0; place < LhLine.PLACES; place++) {
                if ((tags[place] & 0xFF) == tag) {
                    matches = withoutPlace(matches, place);
                }
            }
            assertThat(matches).isZero();
        }
    }

    private static long withoutPlace(long matches, int place) {
        for (long left = matches; left != 0; left &= left - 1) {
            if (LhLine.place(left) == place) {
                return matches & ~Long.lowestOneBit(left);
            }
        }
        throw new AssertionError("no match for place " + place);
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
        long matches = LhLine.matches(0, rest, LhLine.pattern(77L << 56));
        assertThat(LhLine.place(matches)).isEqualTo(11);
        assertThat(Long.bitCount(matches)).isOne();
        assertThat(rest >>> LhLine.REST_SHIFT).isEqualTo(0x4D4D_4D4DL);
    }
}
