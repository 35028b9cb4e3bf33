package io.sdds.brick.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.PoisoningMemorySource;
import io.sdds.brick.memory.SlotSpace;
import io.sdds.core.Seeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A space of ranks against a map, in memory that becomes fragmented. */
class RankSpacePropertyTest {

    private static final int OPERATIONS = 30_000;

    static IntStream runs() {
        return IntStream.range(0, Seeds.part(30));
    }

    @ParameterizedTest
    @MethodSource("runs")
    void behavesLikeAMapOfRanks(int run) {
        Random random = new Random(Seeds.next("RankSpacePropertyTest.behavesLikeAMapOfRanks", run));
        MemoryBudget budget = new MemoryBudget(8 << 20);
        try (ArenaMemorySource source = new ArenaMemorySource(budget)) {
            SlotSpace slots = new SlotSpace(new PoisoningMemorySource(source), budget);
            new Run(slots, random).operate();
            assertThat(budget.usedBytes()).isZero();
        }
    }

    private static final class Run {
        private final SlotSpace slots;
        private final Random random;
        private final RankSpace ranks;

        /** The reference of each allocated rank. */
        private final TreeMap<Integer, Long> model = new TreeMap<>();

        /** Slots of other owners, between which the pages lie. */
        private final List<Long> others = new ArrayList<>();

        private final int ranksMax;

        Run(SlotSpace slots, Random random) {
            this.slots = slots;
            this.random = random;
            this.ranks = new RankSpace(slots);
            this.ranksMax = 10 << random.nextInt(10);
        }

        void operate() {
            for (int i = 0; i < OPERATIONS; i++) {
                operateOnce(i / 5000 % 2 == 0 ? 250 : 600);
                if (i % 1000 == 0) {
                    check();
                }
            }
            fragmentAndMove();
            check();
            model.forEach((rank, reference) -> ranks.setReference(rank, 0));
            model.keySet().forEach(ranks::free);
            while (ranks.maintain()) {
                // Each call works on one page.
            }
            assertThat(ranks.bytes()).isZero();
        }

        private void operateOnce(int freePermille) {
            int choice = random.nextInt(1000);
            if (choice < freePermille) {
                free(random.nextInt(ranksMax));
            } else if (choice < 610) {
                take(random.nextInt(ranksMax));
            } else if (choice < 620) {
                takeRun();
            } else if (choice < 650) {
                ranks.maintain();
            } else if (choice < 750) {
                others.add(slots.allocate(4096, true));
                others.removeIf(slot -> slot == 0);
            } else if (ranks.used() < ranksMax) {
                allocate();
            }
        }

        private void allocate() {
            int expected = 0;
            if (ranks.holes() == 0) {
                expected = ranks.top();
            } else {
                while (model.containsKey(expected)) {
                    expected++;
                }
            }
            int rank = ranks.allocate(random.nextBoolean());
            if (rank == RankSpace.REFUSED) {
                freeOthers(1);
                return;
            }
            assertThat(rank).isEqualTo(expected);
            put(rank);
        }

        private void take(int rank) {
            if (!model.containsKey(rank) && ranks.take(rank, random.nextBoolean())) {
                put(rank);
            }
        }

        /** Takes a run above the top, as a recovery does, if the ranks of the test have room for it. */
        private void takeRun() {
            int first = ranks.top() + random.nextInt(100);
            int[] taken = random.ints(random.nextInt(ranksMax), 0, 3).toArray();
            if (first + taken.length <= ranksMax && ranks.takeRun(first, taken, taken.length, random.nextBoolean())) {
                for (int k = 0; k < taken.length; k++) {
                    if (taken[k] != 0) {
                        put(first + k);
                    }
                }
            }
        }

        private void put(int rank) {
            assertThat(ranks.reference(rank)).isZero();
            long reference = random.nextInt(4) == 0 ? 0 : random.nextLong() & 0xFFFF_FFFFL;
            ranks.setReference(rank, reference);
            model.put(rank, reference);
        }

        private void free(int rank) {
            if (model.remove(rank) != null) {
                ranks.setReference(rank, 0);
                ranks.free(rank);
            }
        }

        private void freeOthers(int kept) {
            Collections.shuffle(others, random);
            while (others.size() > kept) {
                slots.free(others.removeLast());
            }
        }

        /** Frees the slots between the pages, and moves pages out of the chunks that are mostly free. */
        private void fragmentAndMove() {
            freeOthers(0);
            for (int quiet = 0; quiet < 3; quiet++) {
                while (slots.planEvacuation() || ranks.maintain()) {
                    quiet = 0;
                }
            }
            assertThat(slots.liveBytes()).isEqualTo(ranks.bytes());
        }

        private void check() {
            while (ranks.top() > 0 && !ranks.isAllocated(ranks.top() - 1)) {
                ranks.maintain();
            }
            assertThat(ranks.used()).isEqualTo(model.size());
            assertThat(ranks.top()).isEqualTo(model.isEmpty() ? 0 : model.lastKey() + 1);
            assertThat(ranks.holes()).isEqualTo(ranks.top() - ranks.used());
            assertThat(ranks.isSparse()).isEqualTo(8L * ranks.holes() > ranks.top());
            if (ranks.holes() > 0) {
                assertThat(model.headMap(ranks.lowestHole())).hasSize(ranks.lowestHole());
                assertThat(model).doesNotContainKey(ranks.lowestHole());
            }
            for (int rank = 0; rank <= ranksMax; rank++) {
                assertThat(ranks.isAllocated(rank)).isEqualTo(model.containsKey(rank));
                assertThat(ranks.reference(rank)).isEqualTo(model.getOrDefault(rank, 0L));
                Integer below = model.lowerKey(rank);
                assertThat(ranks.highestBelow(rank)).isEqualTo(below == null ? -1 : below);
            }
        }
    }
}
