package io.sdds.client.internal.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SequenceWindowPropertyTest {
    @Test
    void lowIsTheLowestOpenNumberWhateverTheOrderOfEnds() {
        SplittableRandom random = Seeds.random("SequenceWindowPropertyTest");
        SequenceWindow seqs = new SequenceWindow();
        TreeSet<Long> open = new TreeSet<>();
        List<Long> order = new ArrayList<>();
        long next = 1;
        for (int step = 0; step < 300_000; step++) {
            // The phases let the span grow far beyond the ring's first size, and shrink again.
            int opens = step / 50_000 % 2 == 0 ? 65 : 35;
            if (open.isEmpty() || random.nextInt(100) < opens) {
                assertThat(seqs.open()).isEqualTo(next);
                open.add(next);
                order.add(next++);
            } else {
                int index = random.nextInt(10) == 0 ? random.nextInt(order.size()) : order.size() - 1;
                long seq = order.set(index, order.get(order.size() - 1));
                order.remove(order.size() - 1);
                open.remove(seq);
                seqs.close(seq);
            }
            assertThat(seqs.low()).isEqualTo(open.isEmpty() ? next : open.first());
        }
    }

    @Test
    void hasNoRoomWhenTheLowestOpenNumberIsFarBack() {
        SequenceWindow seqs = new SequenceWindow();
        long stuck = seqs.open();
        while (seqs.hasRoom()) {
            seqs.close(seqs.open());
        }

        assertThat(seqs.low()).isEqualTo(stuck);
        seqs.close(stuck);
        assertThat(seqs.hasRoom()).isTrue();
        assertThat(seqs.low()).isEqualTo(seqs.open());
    }
}
