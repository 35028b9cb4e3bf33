package io.sdds.brick.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SizeClassesTest {

    private static final int BYTES_MAX = 1 << 20;

    @Test
    void takesTheSmallestSlotThatHoldsTheBytes() {
        for (int bytes = 1; bytes <= BYTES_MAX; bytes += bytes < 5000 ? 1 : 37) {
            int sizeClass = SizeClasses.classOf(bytes);
            assertThat(SizeClasses.slotBytes(sizeClass)).isGreaterThanOrEqualTo(bytes);
            if (sizeClass > 0) {
                assertThat(SizeClasses.slotBytes(sizeClass - 1)).isLessThan(bytes);
            }
        }
    }

    @Test
    void wastesAtMostSevenBytesOfSmallSlotsAndASixteenthOfLargeOnes() {
        for (int bytes = SizeClasses.SLOT_BYTES_MIN; bytes <= BYTES_MAX; bytes += bytes < 5000 ? 1 : 37) {
            int waste = SizeClasses.slotBytes(SizeClasses.classOf(bytes)) - bytes;
            assertThat(waste).isLessThanOrEqualTo(Math.max(7, bytes / 16));
        }
    }

    @Test
    void slotsAreWholeUnitsAndPowersOfTwoAreSlots() {
        for (int sizeClass = 0; sizeClass <= SizeClasses.classOf(BYTES_MAX); sizeClass++) {
            assertThat(SizeClasses.slotBytes(sizeClass) % 8).isZero();
        }
        for (int bytes = 16; bytes <= BYTES_MAX; bytes *= 2) {
            assertThat(SizeClasses.slotBytes(SizeClasses.classOf(bytes))).isEqualTo(bytes);
        }
    }

    @Test
    void runLeavesLittleOfItsPagesUnused() {
        for (int pageBytes : new int[] {1 << 10, 16 << 10, 32 << 10}) {
            for (int sizeClass = 0; SizeClasses.slotBytes(sizeClass) <= 32 * pageBytes; sizeClass++) {
                int slotBytes = SizeClasses.slotBytes(sizeClass);
                long runBytes = (long) SizeClasses.runPages(slotBytes, pageBytes) * pageBytes;
                assertThat(runBytes).isGreaterThanOrEqualTo(slotBytes);
                assertThat(runBytes % slotBytes).isLessThanOrEqualTo(runBytes / 6);
            }
        }
    }
}
