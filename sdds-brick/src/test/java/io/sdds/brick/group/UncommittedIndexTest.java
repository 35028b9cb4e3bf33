package io.sdds.brick.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class UncommittedIndexTest {
    private record Entry(long hash, long seq) {}

    @Test
    void knowsTheLastUndecidedEntryOfEachPseudoKey() {
        long seed = System.nanoTime();
        System.out.println("UncommittedIndexTest: seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        UncommittedIndex index = new UncommittedIndex();
        Map<Long, Long> last = new HashMap<>();
        ArrayDeque<Entry> entries = new ArrayDeque<>();
        for (long seq = 1; seq < 20_000; seq++) {
            long hash = ((long) random.nextInt(200) << 32) * (random.nextInt(3) + 1) + random.nextInt(3);
            index.add(hash, seq);
            last.put(hash, seq);
            entries.add(new Entry(hash, seq));
            while (entries.size() > random.nextInt(400)) {
                Entry first = entries.remove();
                index.markCommitted(first.hash, first.seq);
                last.remove(first.hash, first.seq);
                assertThat(index.last(first.hash)).isEqualTo(last.getOrDefault(first.hash, 0L));
            }
            assertThat(index.isEmpty()).isEqualTo(last.isEmpty());
        }
        last.forEach((hash, seq) -> assertThat(index.last(hash)).isEqualTo(seq));
    }
}
