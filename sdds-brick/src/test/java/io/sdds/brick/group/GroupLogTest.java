package io.sdds.brick.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GroupLogTest {
    private static final int SHARE_BYTES = 64 << 10;
    private static final int LONG_BYTES = 5 << 20;
    private final GroupLog log = new GroupLog(Unpooled::directBuffer, SHARE_BYTES);

    @AfterEach
    void release() {
        log.release();
    }

    private void append(long epoch) {
        append(epoch, Entry.KEY);
    }

    private void append(long epoch, int length) {
        int at = log.claim(length);
        MemorySegment memory = log.memory();
        memory.asSlice(at, Entry.KEY).fill((byte) 0);
        memory.set(Entry.INT, at + Entry.LENGTH, length);
        memory.set(Entry.LONG, at + Entry.EPOCH, epoch);
        log.appended();
    }

    @Test
    void aLogThatWasCutToNothingAndRestsTakesTheNextEntry() {
        append(1);
        append(1);
        log.trim(1);
        log.cut(1);
        log.releaseSpareMemory();
        append(2);
        assertThat(log.last()).isEqualTo(2);
        assertThat(log.epochOf(2)).isEqualTo(2);
        assertThat(log.bytes()).isEqualTo(Entry.KEY);
    }

    @Test
    void aLongEntryCountsWithItsShareAndItsExcessUntilItIsTrimmedOrCutOff() {
        append(1, Entry.KEY);
        append(1, LONG_BYTES);
        append(1, LONG_BYTES);
        assertThat(log.shareBytes()).isEqualTo(Entry.KEY + 2 * SHARE_BYTES);
        assertThat(log.excessBytes()).isEqualTo(2 * (LONG_BYTES - SHARE_BYTES));
        log.cut(2);
        assertThat(log.excessBytes()).isEqualTo(LONG_BYTES - SHARE_BYTES);
        log.trim(2);
        assertThat(log.excessBytes()).isZero();
        assertThat(log.shareBytes()).isZero();
    }

    @Test
    void theMemoryOfALongEntryIsGivenBackThoughTheLogIsNotEmpty() {
        append(1, LONG_BYTES);
        append(2, Entry.KEY);
        log.trim(1);
        long before = log.memory().byteSize();
        log.releaseSpareMemory();
        assertThat(log.memory().byteSize()).isLessThan(before / 100);
        assertThat(log.epochOf(2)).isEqualTo(2);
        append(3, Entry.KEY);
        assertThat(log.epochOf(3)).isEqualTo(3);
    }

    @Test
    void whatIsCutOffIsReplacedAndWhatIsTrimmedIsGone() {
        for (int k = 0; k < 200; k++) {
            append(k);
        }
        log.trim(50);
        log.cut(150);
        append(1000);
        assertThat(log.trimmed()).isEqualTo(50);
        assertThat(log.last()).isEqualTo(151);
        assertThat(log.epochOf(51)).isEqualTo(50);
        assertThat(log.epochOf(150)).isEqualTo(149);
        assertThat(log.epochOf(151)).isEqualTo(1000);
        assertThat(log.bytes()).isEqualTo(101 * Entry.KEY);
    }
}
