package io.sdds.brick.ship;

import io.sdds.brick.map.BrickMap;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.stage.Peers;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.Activate;
import io.sdds.core.control.ControlMessage.Done;
import io.sdds.core.control.ControlMessage.JoinGroup;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.ControlMessage.ShipAcked;
import io.sdds.core.control.ControlMessage.ShipOpen;
import io.sdds.core.control.ControlMessage.ShipOpened;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place.Member;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Of a group's split or merge: what moves, on its way to one member of the group that is to have it, with a cursor, a
 * credit and changes of its own.
 */
final class HalfCopy {
    private static final int SLICE_BYTES = 48 << 10;
    private static final int STEPS_PER_SLICE_MAX = 512;
    private static final int CHANGE_BYTES_MAX = 1 << 20;
    private static final long RETRY_NANOS = 20_000_000L;

    /** A member that can't be reached for so long is given up; the coordinator orders another split. */
    private static final long OPENING_NANOS_MAX = 3_000_000_000L;

    private final Env env;
    private final Peers peers;
    private final Partition parent;
    private final MigrationOrder order;
    private final Member member;
    private final Owner owner;
    private final MovingPart moving;
    private final SliceBuffer slice;
    private final SliceBuffer changes;
    private int attempt;
    private long openingSinceNanos;
    private long askedNanos;
    private @Nullable Link bulk;
    private @Nullable SliceStream stream;
    private int completing;
    private boolean complete;
    private boolean told;
    private boolean ended;

    /** The split that it is a part of. */
    interface Owner {
        /**
         * A member answers that slices may come, and what its logical time is, if it leads a group that this is merged
         * into.
         */
        void opened(long askedNanos, long theirTimeNanos);

        /** What is added to expiries. */
        long shiftNanos();

        /** Whether the write is decided: of others the result comes when they are, or never. */
        boolean isDecided(long session, long seq);

        /** Something can go on. */
        void advance();

        /** The member has no room, or can't be reached. */
        void failed(String why);

        /** The link was lost: what the member has is void, and it begins again. */
        void beganAgain();
    }

    HalfCopy(StageContext context, Partition parent, MigrationOrder order, Member member, Owner owner) {
        this.env = context.env();
        this.peers = context.peers();
        this.parent = parent;
        this.order = order;
        this.member = member;
        this.owner = owner;
        this.moving = MovingPart.of(parent, order);
        this.slice = new SliceBuffer(context.env(), context.store());
        this.changes = new SliceBuffer(context.env(), context.store());
    }

    Member member() {
        return member;
    }

    /** Opens the shipping, once; tries again until the member answers. */
    void start() {
        if (attempt > 0 || ended) {
            return;
        }
        openingSinceNanos = env.nowNanos();
        open();
    }

    /** It ends, whatever it has come to. */
    void release() {
        ended = true;
        stream = null;
        bulk = null;
        slice.release();
        changes.release();
    }

    private void open() {
        if (ended || stream != null) {
            return;
        }
        Link link = peers.bulk(member.brick());
        if (link == null) {
            retry();
            return;
        }
        bulk = link;
        int asked = ++attempt;
        askedNanos = env.nowNanos();
        ShipOpen open =
                new ShipOpen(order.id(), asked, order.table(), order.receiver(), order.receiverLevel(), moving.bytes());
        peers.ask(link, open, answer -> onOpenAnswer(asked, link, answer));
    }

    private void onOpenAnswer(int asked, Link link, @Nullable ControlMessage answer) {
        if (ended || stream != null || asked != attempt) {
            return;
        }
        if (answer instanceof ShipOpened opened) {
            owner.opened(askedNanos, opened.timeNanos());
            begin(new SliceStream(peers, link, order.id(), attempt, order.receiver(), opened.creditBytes()));
        } else if (answer instanceof Refused refused && refused.reason() == Refusal.MEMORY_FULL) {
            owner.failed(refused.text());
        } else {
            retry();
        }
    }

    private void retry() {
        if (env.nowNanos() - openingSinceNanos > OPENING_NANOS_MAX) {
            owner.failed("brick " + member.brick() + " can't be reached");
        } else {
            env.schedule(RETRY_NANOS, this::open);
        }
    }

    private void begin(SliceStream opened) {
        stream = opened;
        moving.rewind();
        changes.clear();
        moving.results(parent.results(), (session, seq, low, hash, status, value) -> {
            if (owner.isDecided(session, seq)) {
                changes.result(session, seq, low, hash, status, value);
            }
        });
        owner.advance();
    }

    /** A link went down: a copy over it begins again. */
    void onLinkDown(Link link) {
        if (link == bulk && !ended) {
            bulk = null;
            stream = null;
            complete = false;
            attempt++; // an answer that can't come any more begins nothing
            slice.clear();
            changes.clear();
            openingSinceNanos = env.nowNanos();
            owner.beganAgain();
            env.schedule(RETRY_NANOS, this::open);
        }
    }

    /** The member has applied slices; a negative number: it gives up. False: this is about another copy. */
    boolean onAcked(Link link, ShipAcked acked) {
        SliceStream open = stream;
        if (link != bulk || acked.attempt() != attempt || open == null) {
            return false;
        }
        if (acked.slice() < 0) {
            owner.failed("brick " + member.brick() + " has no memory left");
        } else {
            open.acked(acked.slice());
            open.targetKnows(acked.mapVersion());
            owner.advance();
        }
        return true;
    }

    // ---- the copy

    /** Whether a slice could leave now. */
    boolean canShip() {
        SliceStream open = stream;
        return open != null && !moving.isAtEnd() && open.hasCredit();
    }

    /** One slice of the copy. */
    void ship() {
        SliceStream open = stream;
        if (open == null) {
            return;
        }
        int steps = 0;
        while (!moving.isAtEnd() && slice.entryBytes() < SLICE_BYTES && steps++ < STEPS_PER_SLICE_MAX) {
            moving.pass(ref -> slice.record(ref, owner.shiftNanos()));
        }
        open.send(changes); // what changed before this slice was read leaves before it
        open.send(slice);
    }

    /**
     * Whether all that was there has left, and half of what is on its way has come: a switch would be short. The member
     * knows of all sessions whose results are not among it.
     */
    boolean isNearlyThere(BrickMap map) {
        SliceStream open = stream;
        return open != null && moving.isAtEnd() && open.isHalfAcked() && open.knowsEndedSessions(map);
    }

    boolean keepsUp() {
        SliceStream open = stream;
        return open == null || open.keepsUpWith(changes.entryBytes(), CHANGE_BYTES_MAX);
    }

    void sendChanges() {
        SliceStream open = stream;
        if (open != null) {
            open.send(changes);
        }
    }

    /** An entry of the log about the moving half was applied. */
    void changed(long hash, MemorySegment key, long keyOffset, int keyLength) {
        if (stream == null || !moving.isPassed(hash, key, keyOffset, keyLength)) {
            return;
        }
        long now = parent.bucket().find(hash, key, keyOffset, keyLength);
        if (now != 0) {
            changes.record(now, owner.shiftNanos());
        } else {
            changes.remove(key, keyOffset, keyLength);
        }
    }

    void result(long session, long seq, long low, long hash, byte status, long value) {
        if (stream != null) {
            changes.result(session, seq, low, hash, status, value);
        }
    }

    // ---- the switch

    /** Whether the member has said that it has all, since it was asked last. */
    boolean isComplete() {
        return complete;
    }

    /** Sends the last changes, and asks the member to confirm that it has all; {@code answered} runs when it has. */
    void complete(long timeNanos, Runnable answered) {
        SliceStream open = stream;
        Link link = bulk;
        complete = false;
        int asked = ++completing; // what is answered to an earlier question says nothing of what was written since
        if (open == null || link == null || !link.isUp()) {
            return; // its end is heard of
        }
        open.send(changes);
        JoinGroup join = new JoinGroup(
                order.id(),
                attempt,
                open.lastNumber(),
                order.table(),
                order.receiver(),
                order.target().epoch(),
                0,
                parent.version(),
                timeNanos);
        peers.ask(link, join, answer -> {
            if (answer instanceof Done && asked == completing && open == stream && !ended) {
                complete = true;
                answered.run();
            }
        });
    }

    /** HANDOVER is committed: the member serves. Said until it is answered. */
    void tell(long version, long timeNanos, Runnable answered) {
        if (ended || told) {
            return;
        }
        Link link = peers.protocol(member.brick());
        if (link == null) {
            env.schedule(RETRY_NANOS, () -> tell(version, timeNanos, answered));
            return;
        }
        Activate handOver = new Activate(
                order.id(), attempt, order.table(), order.receiver(), order.receiverLevel(), version, timeNanos);
        peers.ask(link, handOver, answer -> {
            if (answer instanceof Done) {
                told = true;
                answered.run();
            } else {
                env.schedule(RETRY_NANOS, () -> tell(version, timeNanos, answered));
            }
        });
    }

    boolean isTold() {
        return told;
    }

    long sentBytes() {
        return stream == null ? 0 : stream.sentBytes();
    }
}
