package io.sdds.brick.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.Seeds;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SlotSpaceTest {

    private static final int CHUNK_BYTES = 64 << 10;

    private final MemoryBudget budget = new MemoryBudget(100 * CHUNK_BYTES);
    private final ArenaMemorySource source = new ArenaMemorySource(budget);
    private final SlotSpace slots = new SlotSpace(new PoisoningMemorySource(source), budget, CHUNK_BYTES);

    @AfterEach
    void giveMemoryBack() {
        source.close();
    }

    @Test
    void holdsNoMemoryBeforeTheFirstSlot() {
        assertThat(budget.usedBytes()).isZero();
        slots.allocate(100, false);
        assertThat(budget.usedBytes()).isEqualTo(CHUNK_BYTES);
    }

    @Test
    void referenceZeroReadsAsZeroBytes() {
        for (int i = 0; i < 64; i++) {
            assertThat(slots.segment(0).get(ValueLayout.JAVA_BYTE, slots.offset(0) + i))
                    .isZero();
        }
    }

    @Test
    void freedSlotIsUsedAgain() {
        long first = slots.allocate(100, false);
        slots.allocate(100, false);
        slots.free(first);
        assertThat(slots.allocate(100, false)).isEqualTo(first);
    }

    @Test
    void cacheLinesAreAligned() {
        for (int bytes = 64; bytes <= CHUNK_BYTES / 2; bytes *= 2) {
            slots.allocate(24, false);
            long slot = slots.allocate(bytes, false);
            assertThat((slots.segment(slot).address() + slots.offset(slot)) % 64)
                    .isZero();
        }
    }

    @Test
    void givesAllChunksBackWhenTheLastSlotIsFreed() {
        List<Long> taken = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            taken.add(slots.allocate(16 + i % 1000, false));
        }
        taken.add(slots.allocate(10L * CHUNK_BYTES, false));
        taken.forEach(slots::free);
        assertThat(budget.usedBytes()).isZero();
        assertThat(slots.usedBytes()).isZero();
        assertThat(slots.liveBytes()).isZero();
    }

    @Test
    void largeSlotIsAChunkOfItsOwnAndGoesBackAtOnce() {
        slots.allocate(100, false);
        long large = slots.allocate(CHUNK_BYTES + 1, false);
        assertThat(slots.slotBytes(large)).isEqualTo(CHUNK_BYTES + 4096);
        assertThat(budget.usedBytes()).isEqualTo(2 * CHUNK_BYTES + 4096);
        slots.free(large);
        assertThat(budget.usedBytes()).isEqualTo(CHUNK_BYTES);
    }

    @Test
    void refusesWhatIsNewAt95PercentAndKeepsTheRestForReservedUse() {
        int ordinary = fill(false);
        assertThat(ordinary).isEqualTo(95 * CHUNK_BYTES / 1024);
        int reserved = fill(true);
        assertThat(reserved).isEqualTo(5 * CHUNK_BYTES / 1024);
        assertThat(budget.usedBytes()).isEqualTo(budget.limitBytes());
    }

    /** Allocates slots of 1 KiB until a slot is refused; returns their number. */
    private int fill(boolean reserved) {
        int count = 0;
        while (slots.allocate(1024, reserved) != 0) {
            count++;
        }
        return count;
    }

    @Test
    void spaceOfOneSizeIsReclaimedForAnother() {
        for (int bytes = 50; bytes < 3000; bytes += 150) {
            List<Long> taken = new ArrayList<>();
            for (long live = 0; live < 60 * CHUNK_BYTES; live += bytes) {
                long slot = slots.allocate(bytes, false);
                assertThat(slot).as("slots of %d bytes", bytes).isNotZero();
                taken.add(slot);
            }
            taken.forEach(slots::free);
        }
        assertThat(budget.usedBytes()).isZero();
    }

    @Test
    void movingSlotsOutOfEvacuatedChunksGivesTheChunksBack() {
        List<Long> kept = fragment();
        assertThat(slots.usedBytes()).isGreaterThan(10 * slots.liveBytes());
        while (slots.planEvacuation()) {
            // Each call considers a chunk.
        }
        assertThat(slots.evacuationRound()).isOne();
        kept.replaceAll(slot -> slots.isEvacuating(slot) ? slots.relocate(slot) : slot);
        assertThat(slots.usedBytes()).isLessThanOrEqualTo(slots.liveBytes() + 4 * CHUNK_BYTES);
        kept.forEach(slots::free);
        assertThat(budget.usedBytes()).isZero();
    }

    @Test
    void evacuatedChunksAreUsedAgainWhenMemoryIsShort() {
        fragment();
        while (slots.planEvacuation()) {
            // Each call considers a chunk.
        }
        while (slots.allocate(100, true) != 0) {
            // Fill all memory.
        }
        assertThat(slots.liveBytes()).isGreaterThan(budget.limitBytes() * 95 / 100);
    }

    /** Fills most of the memory with slots of 100 bytes and frees 19 of 20 slots. Returns the remaining slots. */
    private List<Long> fragment() {
        List<Long> taken = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            taken.add(slots.allocate(100, false));
        }
        List<Long> kept = new ArrayList<>();
        for (int i = 0; i < taken.size(); i++) {
            if (i % 20 == 0) {
                kept.add(taken.get(i));
            } else {
                slots.free(taken.get(i));
            }
        }
        return kept;
    }

    @Test
    void slotsNeverOverlapAndKeepTheirContentUnderRandomUse() {
        for (int run = 0; run < Seeds.part(50); run++) {
            useAtRandom(new Random(Seeds.next("SlotSpaceTest.slotsNeverOverlap", run)));
        }
    }

    private void useAtRandom(Random random) {
        List<Long> taken = new ArrayList<>();
        List<Byte> contents = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            boolean growing = i / 4000 % 2 == 0;
            if (taken.isEmpty() || random.nextInt(10) < (growing ? 7 : 3)) {
                long slot = slots.allocate(randomBytes(random), random.nextBoolean());
                if (slot != 0) {
                    byte content = (byte) random.nextInt();
                    slice(slot).fill(content);
                    taken.add(slot);
                    contents.add(content);
                }
            } else {
                int last = taken.size() - 1;
                int which = random.nextInt(taken.size());
                long slot = taken.set(which, taken.get(last));
                byte content = contents.set(which, contents.get(last));
                taken.remove(last);
                contents.remove(last);
                assertContent(slot, content);
                slots.free(slot);
            }
        }
        for (int i = 0; i < taken.size(); i++) {
            assertContent(taken.get(i), contents.get(i));
            slots.free(taken.get(i));
        }
        assertThat(budget.usedBytes()).isZero();
    }

    private static long randomBytes(Random random) {
        return switch (random.nextInt(20)) {
            case 0 -> 1 + random.nextInt(2 * CHUNK_BYTES);
            case 1, 2, 3 -> 1 + random.nextInt(5000);
            default -> 1 + random.nextInt(300);
        };
    }

    private MemorySegment slice(long slot) {
        return slots.segment(slot).asSlice(slots.offset(slot), slots.slotBytes(slot));
    }

    private void assertContent(long slot, byte content) {
        MemorySegment slice = slice(slot);
        byte[] expected = new byte[(int) slice.byteSize()];
        Arrays.fill(expected, content);
        if (slice.mismatch(MemorySegment.ofArray(expected)) >= 0) {
            throw new AssertionError("slot " + slot + " of " + slice.byteSize() + " bytes has been overwritten");
        }
    }

    @Test
    void touchesSlotsUpToTheEndOfAChunkAndOneByOneAsTogether() {
        int count = 1000;
        int[] references = new int[count + 2];
        long sum = 0;
        for (int k = 0; k < count; k++) {
            long slot = slots.allocate(k % 100 == 0 ? CHUNK_BYTES + 1 : 1000, false);
            slots.segment(slot).set(SegmentBytes.LONG, slots.offset(slot), k);
            references[k + 1] = (int) slot;
            assertThat(slots.touch(slot, 1)).isEqualTo(k);
            sum += slots.touch(slot, 16);
        }
        assertThat(slots.touchAll(references, 1, count + 1, 16)).isEqualTo(sum);
        assertThat(slots.touch(0, 16)).isZero();
    }
}
