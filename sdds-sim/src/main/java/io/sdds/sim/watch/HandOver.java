package io.sdds.sim.watch;

import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.addressing.PseudoKey;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.TableKind;
import io.sdds.sim.frame.DecodedEntry;
import io.sdds.sim.frame.DecodedPrepare;
import io.sdds.sim.frame.DecodedSlice;
import io.sdds.sim.frame.GroupHeader;
import io.sdds.sim.frame.SliceEntry;
import io.sdds.sim.frame.SliceHeader;
import io.sdds.sim.world.SimulationFailure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A split, merge or move that the map orders: its copies, and the logs of its two groups. {@link HandOvers} has the
 * rules.
 */
final class HandOver {
    private final MigrationOrder order;
    private final TableKind kind;
    private final List<String> targets;
    private final Map<String, Copy> copies = new HashMap<>();
    private final SwitchLog source;
    private final SwitchLog target;
    private boolean complete;

    /**
     * @param targets names of the bricks that get a copy
     * @param votes of all groups
     */
    HandOver(MigrationOrder order, TableKind kind, List<String> targets, SeenVotes votes) {
        this.order = order;
        this.kind = kind;
        this.targets = new ArrayList<>(targets);
        byte switchKind = order.isMerge() ? DecodedEntry.SUBSUME : DecodedEntry.HANDOVER;
        this.source = new SwitchLog(order, order.sender(), order.source(), switchKind, this::moves, votes);
        this.target = new SwitchLog(order, order.receiver(), order.target(), DecodedEntry.ABSORB, this::moves, votes);
    }

    /** The slices of the last attempt to copy the records to one brick. */
    private static final class Copy {
        private final int attempt;
        private long sent;
        private long applied;
        private long sealed;
        private long undecidedAtSeal;

        /** The source's last entry when the first slice left. */
        private long beganBehind;

        /** Writes whose results were sent, and so their changes. */
        private final Set<SwitchLog.WriteId> results = new HashSet<>();

        private boolean missesEntries;

        Copy(int attempt) {
            this.attempt = attempt;
        }

        void begin(long lastEntry) {
            beganBehind = sent == 0 ? lastEntry : beganBehind;
        }
    }

    MigrationOrder order() {
        return order;
    }

    /** The log of the group that hands over. */
    SwitchLog source() {
        return source;
    }

    /** Of a merge: the log of the group that takes the records. */
    SwitchLog target() {
        return target;
    }

    private boolean moves(byte[] key) {
        return kind == TableKind.RANGE
                ? order.span().holds(key)
                : order.isMove() || LinearHashing.h(order.level() + 1, PseudoKey.of(key)) == order.child();
    }

    private SimulationFailure failure(String what) {
        return new SimulationFailure(what + " (" + order + ")");
    }

    // ---- slices

    private Copy copy(String brick, int attempt) {
        Copy known = copies.get(brick);
        if (known == null || known.attempt < attempt) {
            known = new Copy(attempt);
            copies.put(brick, known);
        }
        return known.attempt == attempt ? known : new Copy(attempt); // the frame belongs to an attempt that is over
    }

    /** A slice leaves for a brick, for the first time or again. */
    void sent(String brick, DecodedSlice slice) {
        Copy copy = copy(brick, slice.header().attempt());
        if (slice.header().number() > copy.sent) {
            copy.begin(source.last());
            copy.sent = slice.header().number();
            for (SliceEntry entry : slice.entries()) {
                if (entry instanceof SliceEntry.Kept kept) {
                    copy.results.add(new SwitchLog.WriteId(kept.session(), kept.seq()));
                }
            }
            if (slice.seal() != null) {
                seal(copy);
            }
        }
    }

    /** As {@link #sent}, of a slice whose end comes in later fragments: it may end with a SEAL. */
    void sentUnseen(String brick, SliceHeader slice) {
        Copy copy = copy(brick, slice.attempt());
        if (slice.number() > copy.sent) {
            copy.begin(source.last());
            copy.sent = slice.number();
            copy.missesEntries = true;
            seal(copy);
        }
    }

    private void seal(Copy copy) {
        copy.sealed = copy.sent;
        copy.undecidedAtSeal = source.firstUndecided();
    }

    /** A brick says that it has applied slices. */
    void applied(String brick, int attempt, long number) {
        Copy copy = copy(brick, attempt);
        copy.applied = Math.max(copy.applied, number);
    }

    /** Checks that a brick has applied what it was sent. */
    void checkApplied(String brick, int attempt) {
        Copy copy = copy(brick, attempt);
        if (copy.applied < copy.sent) {
            throw failure("migration " + order.id() + " was handed over after " + copy.sent + " slices, of which "
                    + brick + " has applied " + copy.applied);
        }
    }

    private void checkComplete() {
        for (String brick : complete ? List.<String>of() : targets) {
            Copy copy = copies.getOrDefault(brick, new Copy(0));
            checkApplied(brick, copy.attempt);
            if (copy.sealed < copy.sent || copy.sent == 0) {
                throw failure("migration " + order.id() + " was handed over though the last of " + copy.sent
                        + " slices for " + brick + " has no SEAL");
            }
            if (copy.undecidedAtSeal != 0) {
                throw failure("migration " + order.id() + " was handed over though entry " + copy.undecidedAtSeal
                        + ", of keys that move, was not in all logs when the SEAL left for " + brick);
            }
            long unsent = copy.missesEntries ? 0 : source.firstUnsent(copy.results, copy.beganBehind);
            if (unsent != 0) {
                throw failure("migration " + order.id() + " was handed over though the change by entry " + unsent
                        + " was not sent to " + brick);
            }
        }
        complete = true;
    }

    // ---- logs

    /** A PREPARE whose end comes in later fragments. */
    void preparedUnseen(GroupHeader header) {
        if (isOfSource(header)) {
            source.preparedUnseen();
        } else if (isOfReceiver(header)) {
            target.preparedUnseen();
        }
    }

    void prepared(DecodedPrepare prepare) {
        if (isOfSource(prepare.header())) {
            long behind = source.prepared(prepare);
            if (source.hasSwitch()) {
                checkProposed();
            }
            if (behind != 0) {
                throw failure("entry " + behind + " of partition " + order.sender()
                        + " writes a key that an entry before it has handed over by migration " + order.id());
            }
        } else if (isOfReceiver(prepare.header()) && order.isMerge()) {
            preparedByParent(prepare);
        } else if (isOfReceiver(prepare.header())
                && prepare.header().epoch() == order.target().epoch()) {
            checkDecided("partition " + order.receiver() + " began");
        }
    }

    private void checkProposed() {
        long undecided = complete ? 0 : source.undecidedBeforeSwitch();
        checkComplete();
        if (undecided != 0) {
            throw failure("entry " + undecided + ", of keys that move, stands before the hand-over by migration "
                    + order.id() + " and was not in all logs");
        }
    }

    private void preparedByParent(DecodedPrepare prepare) {
        target.prepared(prepare);
        if (target.hasSwitch()) {
            checkDecided("partition " + order.receiver() + " proposes ABSORB");
        }
        long early = target.newWriteBeforeSwitch(prepare);
        if (early != 0) {
            throw failure("entry " + early + " of partition " + order.receiver()
                    + " writes a key of partition " + order.sender() + ", which it has not absorbed by migration "
                    + order.id());
        }
    }

    /** Whether the migration is from or to this group. */
    boolean isOf(GroupHeader header) {
        return isOfSource(header) || isOfReceiver(header);
    }

    /** A member of a group has voted. */
    void voted(GroupHeader header) {
        if (isOfSource(header)) {
            source.voted(header.epoch());
        } else if (isOfReceiver(header)) {
            target.voted(header.epoch());
        }
    }

    private boolean isOfSource(GroupHeader header) {
        return header.table() == order.table() && header.partition() == order.sender();
    }

    private boolean isOfReceiver(GroupHeader header) {
        return header.table() == order.table() && header.partition() == order.receiver();
    }

    private void checkDecided(String what) {
        if (!source.mayBeDecided()) {
            throw failure(what + " before all members of partition " + order.sender()
                    + " had voted for its hand-over by migration " + order.id());
        }
    }

    // ---- what bricks say

    /** The source, or a member of its group, tells a target that it serves. */
    void activated() {
        checkComplete();
        checkDecided("the target was told to serve");
    }

    void saidHandedOver(String brick) {
        checkComplete();
        checkDecided(brick + " reports HANDED_OVER");
        if (order.isMerge() && !target.mayBeDecided()) {
            throw failure(brick + " reports HANDED_OVER before all members of partition " + order.receiver()
                    + " had voted for ABSORB of migration " + order.id());
        }
    }

    /** A target may say so, if all of the source is lost. */
    void saidAbandoned(String brick) {
        if (source.isDecided() && !targets.contains(brick)) {
            throw failure(brick + " reports ABANDONED though all members of partition " + order.sender()
                    + " have voted for its hand-over by migration " + order.id());
        }
    }
}
