package io.sdds.brick.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.Seeds;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PagePoolTest {

    @Test
    void findsTheLowestRunOfFreePages() {
        Random random = new Random(Seeds.next("PagePoolTest.findsTheLowestRunOfFreePages"));
        for (int i = 0; i < 20_000; i++) {
            long free = random.nextLong() | random.nextLong();
            int pages = 1 + random.nextInt(20);
            assertThat(PagePool.firstRun(free, pages)).isEqualTo(firstRunByLooking(free, pages));
        }
        assertThat(PagePool.firstRun(-1L, 64)).isZero();
        assertThat(PagePool.firstRun(-2L, 64)).isEqualTo(-1);
        assertThat(PagePool.firstRun(-2L, 63)).isOne();
    }

    private static int firstRunByLooking(long free, int pages) {
        for (int first = 0; first + pages <= 64; first++) {
            long run = -1L >>> (64 - pages) << first;
            if ((free & run) == run) {
                return first;
            }
        }
        return -1;
    }
}
