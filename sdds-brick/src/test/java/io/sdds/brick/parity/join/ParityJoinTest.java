package io.sdds.brick.parity.join;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.protocol.Opcode;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The join of a parity member, with the primaries that it copies from. */
class ParityJoinTest {
    private static final int RECORDS = 1_500;
    private static final int VALUE_BYTES = 100;
    private static final long SESSION = 3;

    private JoinFixture group = new JoinFixture(64 << 20);
    private long seq;

    @AfterEach
    void close() {
        group.close();
    }

    private void put(int column, int from, int to) {
        for (int key = from; key < to; key++) {
            group.bricks.get(column).write(Opcode.PUT, SESSION, ++seq, "k" + key, VALUE_BYTES, 0);
            group.pump();
        }
    }

    private void remove(int column, int key) {
        group.bricks.get(column).write(Opcode.REMOVE, SESSION, ++seq, "k" + key, 0, 0);
        group.pump();
    }

    @Test
    void theMemberHasAllRecordsWhenTheMapNamesIt() {
        put(0, 0, RECORDS);
        put(1, 0, 10);
        group.order();
        group.runUntilReported(MigrationState.HANDED_OVER);
        group.commitJoin();
        group.run(2);
        assertThat(group.reported()).isNull();
        group.check(JoinFixture.JOINER, "after the join");
        put(0, RECORDS - 5, RECORDS + 5);
        put(1, 5, 20);
        remove(0, 7);
        group.run(2);
        group.check(JoinFixture.JOINER, "after later writes");
        group.check(2, "the other parity member");
    }

    @Test
    void emptyColumnsAreCopiedToo() {
        group.order();
        group.runUntilReported(MigrationState.HANDED_OVER);
        group.commitJoin();
        put(1, 0, 3);
        group.run(2);
        group.check(JoinFixture.JOINER, "after the first writes");
    }

    @Test
    void writesToCopiedAndUncopiedRanksTakeEffectOnce() {
        put(0, 0, RECORDS);
        group.order();
        boolean[] held = {false};
        group.joiner().loses = frame -> held[0] && isSlice(frame);
        group.copyAPart();
        assertThat(group.copied()).as("a part is copied").isLessThan(RECORDS);
        held[0] = true; // the next slices are lost, so that the log goes on behind the copied ranks
        put(0, 0, RECORDS + 20); // also the rank where the next slice begins
        remove(0, 5);
        remove(0, RECORDS - 5);
        put(0, RECORDS + 50, RECORDS + 53);
        held[0] = false;
        group.runUntilReported(MigrationState.HANDED_OVER);
        group.commitJoin();
        group.run(2);
        group.check(JoinFixture.JOINER, "after the join");
    }

    private static boolean isSlice(ByteBuf frame) {
        return frame.getByte(4) == Opcode.JOIN && frame.getByte(JoinFrame.KIND) == JoinFrame.RECORDS;
    }

    @Test
    void lostAndRepeatedFramesDoNoHarm() {
        put(0, 0, RECORDS);
        put(1, 0, RECORDS);
        Random random = new Random(1);
        group.joiner().loses = frame -> random.nextInt(3) == 0;
        group.bricks.get(0).loses = frame -> frame.getByte(4) == Opcode.JOIN_WANTED && random.nextBoolean();
        group.order();
        for (int k = 0; k < 30; k++) {
            put(k % 2, k, k + 2);
            group.tick();
        }
        group.runUntilReported(MigrationState.HANDED_OVER);
        group.joiner().loses = frame -> false;
        group.bricks.get(0).loses = frame -> false;
        group.commitJoin();
        group.run(10);
        group.check(JoinFixture.JOINER, "after the join");
    }

    @Test
    void aJoinWithoutProgressIsGivenUp() {
        put(0, 0, 10);
        group.reach(1, JoinFixture.JOINER, false);
        group.order();
        group.run(290);
        assertThat(group.reported()).isEqualTo(MigrationState.SHIPPING);
        group.run(15);
        assertThat(group.reported()).isEqualTo(MigrationState.ABANDONED);
    }

    @Test
    void noColumnCountsVotesBeforeAllAreCopied() {
        put(0, 0, 10);
        group.reach(1, JoinFixture.JOINER, false);
        group.order();
        group.run(40);
        assertThat(group.reported()).isEqualTo(MigrationState.SHIPPING);
        assertThat(group.counts(0)).isFalse();
        put(0, 10, 20);
        assertThat(group.group(0).isDecided()).isTrue();
        group.reach(1, JoinFixture.JOINER, true);
        group.runUntilReported(MigrationState.HANDED_OVER);
        assertThat(group.counts(0)).isTrue();
        assertThat(group.counts(1)).isTrue();
        group.joiner().hangs = true;
        group.bricks.get(0).write(Opcode.PUT, SESSION, ++seq, "k", VALUE_BYTES, 0);
        group.run(30);
        assertThat(group.group(0).isDecided())
                .as("an entry waits for the vote of a member that has reported")
                .isFalse();
        assertThat(group.counts(0)).isTrue();
    }

    @Test
    void anotherEpochBeginsTheJoinAgain() {
        put(0, 0, RECORDS);
        group.order();
        group.copyAPart();
        group.raiseEpochs();
        assertThat(group.joiner().parity.joins().join(JoinFixture.ORDER).attempt())
                .isEqualTo(2);
        assertThat(group.copied()).isZero();
        put(0, 0, 10);
        group.runUntilReported(MigrationState.HANDED_OVER);
        group.commitJoin();
        group.run(2);
        group.check(JoinFixture.JOINER, "after the second attempt");
    }

    @Test
    void aMemberThatHasReportedDoesNotBeginAgain() {
        put(0, 0, 10);
        group.order();
        group.runUntilReported(MigrationState.HANDED_OVER);
        group.raiseEpochs();
        assertThat(group.reported()).isEqualTo(MigrationState.ABANDONED);
        group.dropOrder();
        group.run(2);
        assertThat(group.reported()).isNull();
        assertThat(group.joiner().store.slots().liveBytes()).isZero();
    }

    @Test
    void anOrderThatIsDroppedLeavesNothing() {
        put(0, 0, RECORDS);
        group.order();
        group.runUntilReported(MigrationState.HANDED_OVER);
        group.dropOrder();
        assertThat(group.counts(0)).isFalse();
        put(0, 0, 10);
        group.run(10);
        assertThat(group.group(0).isDecided()).isTrue();
        assertThat(group.group(0).logBytes()).isZero();
        assertThat(group.joiner().store.slots().liveBytes()).isZero();
        assertThat(group.parity(JoinFixture.JOINER)).isNull();
    }

    @Test
    void aMemberWithoutMemoryGivesUpAndFreesAll() {
        group.close();
        group = new JoinFixture(192 << 10);
        put(0, 0, RECORDS);
        group.order();
        group.runUntilReported(MigrationState.ABANDONED);
        group.run(30);
        assertThat(group.joiner().store.slots().liveBytes()).isZero();
        assertThat(group.group(0).replication().leader().haveMemory()).isTrue();
        put(0, 0, 10);
        assertThat(group.group(0).isDecided()).isTrue();
    }

    @Test
    void aPrimaryKeepsNoLogForASilentMember() {
        put(0, 0, RECORDS);
        group.order();
        group.copyAPart();
        group.joiner().hangs = true;
        group.run(3);
        put(0, 0, 10);
        assertThat(group.group(0).logBytes()).isPositive();
        group.run(25);
        assertThat(group.group(0).logBytes()).isZero();
        group.joiner().hangs = false;
        group.runUntilReported(MigrationState.HANDED_OVER);
        assertThat(group.joiner().parity.joins().join(JoinFixture.ORDER).attempt())
                .as("the primary has told it to begin again")
                .isGreaterThan(1);
        group.commitJoin();
        group.run(2);
        group.check(JoinFixture.JOINER, "after the second attempt");
    }

    @Test
    void aLateRequestDoesNotBeginAnAttemptAgainThatFellSilent() {
        put(0, 0, RECORDS);
        ByteBuf[] begin = {null};
        group.bricks.get(0).loses = frame -> {
            begin[0] = begin[0] == null && frame.getByte(4) == Opcode.JOIN_WANTED ? frame.copy() : begin[0];
            return false;
        };
        group.order();
        group.copyAPart();
        group.bricks.get(0).loses = frame -> frame.getByte(4) == Opcode.JOIN_WANTED;
        group.run(25);
        put(0, 0, 10);
        group.run(2);
        assertThat(group.group(0).logBytes()).as("no log is kept").isZero();
        group.bricks.get(0).loses = frame -> false;
        group.repeat(JoinFixture.JOINER, 0, begin[0]);
        group.runUntilReported(MigrationState.HANDED_OVER);
        group.commitJoin();
        group.run(2);
        group.check(JoinFixture.JOINER, "after the second attempt");
    }

    @Test
    void aMemberThatHasNotJoinedIsNotCreatedEmpty() {
        put(0, 0, 10);
        group.commitJoin();
        assertThat(group.parity(JoinFixture.JOINER)).isNull();
        group.bricks.get(0).write(Opcode.PUT, SESSION, ++seq, "k", VALUE_BYTES, 0);
        group.run(10);
        assertThat(group.group(0).isDecided()).as("nothing votes in its place").isFalse();
    }

    @Test
    void aColumnThatIsBeingRecoveredIsNotCopied() {
        put(0, 0, 10);
        group.recover(1);
        group.order();
        group.run(20);
        assertThat(group.reported()).isEqualTo(MigrationState.SHIPPING);
        group.recover(-1);
        group.runUntilReported(MigrationState.HANDED_OVER);
    }
}
