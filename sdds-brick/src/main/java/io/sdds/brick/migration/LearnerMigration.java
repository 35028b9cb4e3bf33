package io.sdds.brick.migration;

import io.sdds.brick.partition.Applied;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Request;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.SplitPolicy;
import java.lang.foreign.MemorySegment;
import java.util.function.Predicate;

/** The source of a learner's copy: a whole partition goes to a brick that becomes a member of the partition's group. */
final class LearnerMigration extends Migration {

    /*
     * No write waits. When all records have been sent, the last changes leave and, in the same turn, a SEAL that names
     * the last committed entry, which is in the copy. From the next entry on the learner takes the group's log, as a
     * member does. When the learner has caught up, nothing is acknowledged any more without its vote. The coordinator
     * is told, and only the coordinator can take that back (docs/design/migration.md, rule 5).
     *
     * The copy begins again with a new primary: that primary does not know which of the entries that it inherited the
     * learner's records and results were made of. It may be cutting some of them off.
     */
    private enum State {
        OPENING,
        COPYING,
        SEALING,
        VOTING,
        CAUGHT_UP,
        ABANDONED
    }

    private State state = State.OPENING;

    LearnerMigration(
            StageContext context,
            Partition partition,
            MigrationOrder order,
            MigrationPace pace,
            Migrations migrations) {
        super(context, partition, order, pace, migrations);
        addCopies(context, SplitPolicy.DEFAULT);
    }

    private SnapshotStream copy() {
        return copies().getFirst();
    }

    // ---- the order

    @Override
    void start() {
        copy().start();
    }

    @Override
    MigrationState state() {
        return switch (state) {
            case CAUGHT_UP -> MigrationState.HANDED_OVER;
            case ABANDONED -> MigrationState.ABANDONED;
            default -> MigrationState.SHIPPING;
        };
    }

    @Override
    long bytes() {
        return partition().bytes();
    }

    @Override
    boolean isCopying() {
        return state == State.OPENING || state == State.COPYING || state == State.SEALING;
    }

    @Override
    boolean isVoid() {
        return !leader().leadsIn(order().sourceEpoch());
    }

    @Override
    void mapChanged(Predicate<Member> isReplaced) {}

    @Override
    void release() {
        if (state == State.CAUGHT_UP) {
            leader().forgetLearner(order().learner());
        } else if (state != State.ABANDONED) {
            forgetLearner();
            end(State.ABANDONED);
        }
        leave();
        drop();
    }

    @Override
    void abandon(String why) {
        forgetLearner();
        logAbandoned(why);
        end(State.ABANDONED);
        migrations().listener().reportSoon();
        leave();
        copy().end();
    }

    private void forgetLearner() {
        if (state == State.SEALING || state == State.VOTING) {
            leader().forgetLearner(order().learner());
        }
    }

    private void end(State last) {
        state = last;
        countEnd(last);
    }

    // ---- what the partition tells

    @Override
    public boolean admits(Request request) {
        return copy().keepsUp(request);
    }

    @Override
    void tick() {
        giveUpIfStalled();
    }

    @Override
    boolean mayProgress() {
        return state != State.CAUGHT_UP && state != State.ABANDONED;
    }

    @Override
    public boolean holds(Request request) {
        return false;
    }

    @Override
    public boolean park(Request request) {
        return false;
    }

    @Override
    public boolean takesLog() {
        return true;
    }

    @Override
    public void applied(Applied entry) {
        if (state == State.COPYING) {
            copy().applied(entry);
        }
    }

    @Override
    public void changed(long hash, MemorySegment key) {
        if (state == State.COPYING) {
            copy().changed(hash, key);
        }
    }

    // ---- the copy

    /**
     * No change tells of the records that an inherited ABSORB brings. A learner knows no ranks, so all entries must be
     * committed that name records by ranks. No others follow, because the table is being converted.
     */
    @Override
    boolean mayOpen() {
        return leader().isSettledLeader() && !leader().hasUncommittedLists();
    }

    @Override
    int level() {
        return partition().level();
    }

    @Override
    void began() {
        state = State.COPYING;
        partition().mover(this);
        advance();
    }

    @Override
    void beganAgain() {
        forgetLearner();
        state = State.OPENING;
        leave();
    }

    @Override
    long shiftNanos() {
        return 0;
    }

    @Override
    long version() {
        return partition().version();
    }

    @Override
    long timeNanos() {
        return partition().bucket().timeNanos();
    }

    /** The log is kept for the learner from the SEAL on, and has its bound. */
    @Override
    boolean waitsForLink() {
        return state != State.SEALING || leader().logBytes() <= SnapshotStream.CUT_OFF_BYTES_MAX;
    }

    @Override
    void advance() {
        if (state == State.COPYING) {
            queueSlice();
            if (copy().isNearlyThere()) {
                seal();
            }
        }
        if (state == State.SEALING && copy().isSealed()) {
            state = State.VOTING;
            copy().end();
            leader().letVote(order().learner(), this::caughtUp, () -> abandon("its brick has no memory left"));
        }
    }

    private void seal() {
        state = State.SEALING;
        leave();
        long sealedAt = leader().committed();
        leader().keepLogFor(order().learner(), sealedAt);
        copy().seal(order().sourceEpoch(), sealedAt);
    }

    private void caughtUp() {
        if (state == State.VOTING) {
            end(State.CAUGHT_UP);
            migrations().listener().reportSoon();
        }
    }
}
