package io.sdds.brick.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GroupLogTest {
    private final GroupLog log = new GroupLog(Unpooled::directBuffer);

    @AfterEach
    void release() {
        log.release();
    }

    private void append(long epoch) {
        int at = log.claim(Entry.KEY);
        MemorySegment memory = log.memory();
        memory.asSlice(at, Entry.KEY).fill((byte) 0);
        memory.set(Entry.INT, at + Entry.LENGTH, Entry.KEY);
        memory.set(Entry.LONG, at + Entry.EPOCH, epoch);
        log.appended();
    }

    @Test
    void aLogThatWasCutToNothingAndRestsTakesTheNextEntry() {
        append(1);
        append(1);
        log.trim(1);
        log.cut(1);
        log.releaseIfEmpty();
        append(2);
        assertThat(log.last()).isEqualTo(2);
        assertThat(log.epochOf(2)).isEqualTo(2);
        assertThat(log.bytes()).isEqualTo(Entry.KEY);
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
