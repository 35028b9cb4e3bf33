package io.sdds.brick.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.brick.bucket.HashBucket;
import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.RecordStore;
import org.junit.jupiter.api.Test;

class LogicalTimeTest {
    private final MemoryBudget budget = new MemoryBudget(1 << 20);
    private final HashBucket bucket = new HashBucket(new RecordStore(new ArenaMemorySource(budget), budget), 0);
    private final LogicalTime time = new LogicalTime(bucket);

    @Test
    void beginsAtNothingWhateverTheClockSays() {
        assertThat(time.advance(-5_000)).isZero();
        assertThat(time.advance(-4_000)).isEqualTo(1_000);
    }

    @Test
    void goesOnFromWhereItWasHandedOver() {
        time.from(70_000);
        time.resume(1_000_000);
        assertThat(time.advance(1_000_010)).isEqualTo(70_010);
    }

    @Test
    void neverGoesBack() {
        assertThat(time.advance(500)).isZero();
        assertThat(time.advance(600)).isEqualTo(100);
        assertThat(time.advance(550)).isEqualTo(100);
        time.atLeast(40);
        assertThat(time.advance(620)).isEqualTo(120);
        time.atLeast(1_000);
        assertThat(time.advance(630)).isEqualTo(1_000);
    }
}
