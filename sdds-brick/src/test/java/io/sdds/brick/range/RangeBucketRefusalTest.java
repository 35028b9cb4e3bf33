package io.sdds.brick.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.brick.bucket.PutResult;
import io.sdds.brick.memory.SlotSpace;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;

/** Puts without enough memory. The test refuses each slot that a put needs in turn, in trees of each height. */
class RangeBucketRefusalTest {

    private static final byte[] VALUE = new byte[200];
    private static final int RECORD_BYTES = 14 + 16 + 200;
    private static final int SEPARATOR_BYTES = 14 + 16;

    /** Takes all memory of a brick, and gives back single slots. */
    private static final class Hoarder {
        private final SlotSpace slots;
        private final Deque<Long> nodes = new ArrayDeque<>();
        private final Deque<Long> records = new ArrayDeque<>();
        private final Deque<Long> separators = new ArrayDeque<>();

        Hoarder(SlotSpace slots) {
            this.slots = slots;
            take(separators, SEPARATOR_BYTES, 3000);
            take(records, RECORD_BYTES, 300);
            take(nodes, Nodes.BYTES, Integer.MAX_VALUE);
            take(records, RECORD_BYTES, Integer.MAX_VALUE);
            take(separators, SEPARATOR_BYTES, Integer.MAX_VALUE);
        }

        private void take(Deque<Long> to, int bytes, int most) {
            for (int i = 0; i < most; i++) {
                long slot = slots.allocate(bytes, true);
                if (slot == 0) {
                    return;
                }
                to.push(slot);
            }
        }

        void give(Deque<Long> from, int count) {
            for (int i = 0; i < count; i++) {
                // The oldest slot: its run is in use, so that no page comes back with the slot.
                slots.free(from.removeLast());
            }
        }
    }

    /**
     * A bucket whose next put needs {@code nodes} nodes. All memory has been used up, except the slots that the test
     * gives back.
     */
    private static PutResult putWith(int records, int separators, int nodes, int size, RangeFixture fixture) {
        for (int i = 0; i < size; i++) {
            fixture.append(RangeFixture.key(2 * i), VALUE, 1, 100, true);
        }
        Hoarder hoarder = new Hoarder(fixture.store.slots());
        hoarder.give(hoarder.records, records);
        hoarder.give(hoarder.separators, separators);
        hoarder.give(hoarder.nodes, nodes);
        long live = fixture.store.liveBytes();
        long index = fixture.bucket.indexBytes();
        byte[] key = RangeFixture.key(2 * (size / 2) + 1);
        PutResult result = fixture.put(key, VALUE, 2, true);
        fixture.check();
        if (result == PutResult.FULL) {
            assertThat(fixture.find(key)).isZero();
            assertThat(fixture.bucket.records()).isEqualTo(size);
            assertThat(fixture.store.liveBytes()).isEqualTo(live);
            assertThat(fixture.bucket.indexBytes()).isEqualTo(index);
        } else {
            assertThat(fixture.find(key)).isNotZero();
            assertThat(fixture.bucket.records()).isEqualTo(size + 1);
        }
        for (int i = 0; i < size; i++) {
            assertThat(fixture.remove(RangeFixture.key(2 * i))).isTrue();
        }
        fixture.check();
        return result;
    }

    private static void refusesUnlessAllIsThere(int size, int nodesNeeded) {
        for (int records = 0; records <= 1; records++) {
            for (int separators = 0; separators <= 1; separators++) {
                for (int nodes = 0; nodes <= nodesNeeded; nodes++) {
                    try (RangeFixture fixture = new RangeFixture(6 << 20)) {
                        PutResult result = putWith(records, separators, nodes, size, fixture);
                        boolean enough = records == 1 && separators == 1 && nodes == nodesNeeded;
                        assertThat(result)
                                .as("%d records, %d separators, %d nodes", records, separators, nodes)
                                .isEqualTo(enough ? PutResult.INSERTED : PutResult.FULL);
                    }
                }
            }
        }
    }

    @Test
    void firstLeafNeedsANode() {
        for (int nodes = 0; nodes <= 1; nodes++) {
            try (RangeFixture fixture = new RangeFixture(6 << 20)) {
                PutResult result = putWith(1, 0, nodes, 0, fixture);
                assertThat(result).isEqualTo(nodes == 1 ? PutResult.INSERTED : PutResult.FULL);
            }
        }
    }

    @Test
    void splitOfTheRootLeafNeedsTwoNodesAndASeparator() {
        refusesUnlessAllIsThere(Nodes.LEAF_KEYS, 2);
    }

    @Test
    void splitOfALeafNeedsANodeAndASeparator() {
        refusesUnlessAllIsThere(7 * Nodes.LEAF_KEYS, 1);
    }

    @Test
    void splitUpToTheRootNeedsANodeForEachLevel() {
        refusesUnlessAllIsThere((Nodes.INNER_KEYS + 1) * Nodes.LEAF_KEYS, 3);
    }

    @Test
    void leafThatCanGiveToANeighbourNeedsASeparatorOnly() {
        for (int separators = 0; separators <= 1; separators++) {
            try (RangeFixture fixture = new RangeFixture(6 << 20)) {
                for (int i = 0; i < Nodes.LEAF_KEYS + 9; i++) {
                    fixture.append(RangeFixture.key(2 * i), VALUE, 1, 100, true);
                }
                Hoarder hoarder = new Hoarder(fixture.store.slots());
                hoarder.give(hoarder.records, 1);
                hoarder.give(hoarder.separators, separators);
                PutResult result = fixture.put(RangeFixture.key(31), VALUE, 2, true);
                assertThat(result).isEqualTo(separators == 1 ? PutResult.INSERTED : PutResult.FULL);
                fixture.check();
            }
        }
    }

    @Test
    void cutAndRemoveNeedNoMemory() {
        for (int size : new int[] {50, 1000, 9000}) {
            try (RangeFixture fixture = new RangeFixture(6 << 20)) {
                for (int i = 0; i < size; i++) {
                    fixture.append(RangeFixture.key(i), VALUE, 1, 100, true);
                }
                Hoarder hoarder = new Hoarder(fixture.store.slots());
                for (int cut = size; cut > 10; cut = cut * 5 / 7) {
                    fixture.dropAbove(RangeFixture.key(cut - 1));
                    fixture.check();
                    assertThat(fixture.bucket.records()).isEqualTo(cut);
                }
                assertThat(hoarder.nodes).isNotEmpty();
            }
        }
    }
}
