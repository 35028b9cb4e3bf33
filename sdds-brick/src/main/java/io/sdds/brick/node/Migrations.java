package io.sdds.brick.node;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.ship.SplitTarget;
import io.sdds.core.control.ControlMessage.Activate;
import io.sdds.core.control.ControlMessage.Answer;
import io.sdds.core.control.ControlMessage.BrickRequest;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.ControlMessage.ShipAcked;
import io.sdds.core.control.ControlMessage.ShipOpen;
import io.sdds.core.control.ControlMessage.ShipResume;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.ProtocolViolation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hands each frame and request about a migration to the one that owns the migration's id. */
final class Migrations {
    private static final int SLICE_STREAM = 8;

    private final List<Targets> targets;
    private final List<Sources> sources;
    private final Splits splits;

    /** The migrations of one kind that come to this stage. */
    interface Targets {
        /** The target of a migration that comes to this stage; null: no migration of this id does. */
        @Nullable
        SplitTarget target(long id);

        void onSlice(Link link, ByteBuf frames, int index, int length);

        Answer onOpen(Link link, ShipOpen open);

        /** A copy whose link broke goes on over this one, if the target has kept what it was sent. */
        default Answer onResume(Link link, ShipResume resume) {
            SplitTarget target = target(resume.stream());
            return target == null || !target.isShipping() || !target.goesOnWith(resume)
                    ? unknown(resume.stream())
                    : target.resume(link, resume);
        }

        default Answer onActivate(Activate activate) {
            return unknown(activate.stream());
        }
    }

    /** The migrations of one kind that leave this stage. */
    interface Sources {
        /** Whether a migration of this id leaves this stage. */
        boolean ships(long id);

        void onAcked(Link link, ShipAcked acked);
    }

    Migrations(Splits splits, Joins joins) {
        this.splits = splits;
        this.targets = List.of(splits, splits.ofGroups(), splits.ofGroups().merges(), joins);
        this.sources = List.of(splits, splits.ofGroups(), joins);
    }

    /** A slice of a migration that is not expected here is dropped. */
    void onSlice(Link link, ByteBuf frames, int index, int length) {
        if (length < SplitTarget.SLICE_HEADER) {
            throw new ProtocolViolation("slice of " + length + " bytes");
        }
        Targets owner = owner(idOf(frames, index));
        if (owner != null) {
            owner.onSlice(link, frames, index, length);
        }
    }

    /** The id of the migration that a slice is of. */
    static long idOf(ByteBuf frames, int index) {
        return frames.getLongLE(index + SLICE_STREAM);
    }

    void onAcked(Link link, ShipAcked acked) {
        for (Sources owner : sources) {
            if (owner.ships(acked.stream())) {
                owner.onAcked(link, acked);
                return;
            }
        }
    }

    Answer to(Link link, BrickRequest request) {
        Targets owner = owner(request.stream());
        if (owner == null) {
            return request instanceof Activate activate ? splits.onLateActivate(activate) : unknown(request.stream());
        }
        return switch (request) {
            case ShipOpen open -> owner.onOpen(link, open);
            case ShipResume resume -> owner.onResume(link, resume);
            case Activate activate -> owner.onActivate(activate);
        };
    }

    private @Nullable Targets owner(long id) {
        for (Targets owner : targets) {
            if (owner.target(id) != null) {
                return owner;
            }
        }
        return null;
    }

    /** The answer about a migration that is not expected here. */
    static Refused unknown(long id) {
        return new Refused(Refusal.UNKNOWN_STREAM, "no shipping " + id + " is expected here");
    }
}
