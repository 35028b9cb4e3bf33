package io.sdds.sim.planted;

import io.netty.buffer.ByteBuf;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.SnapshotAck;
import io.sdds.core.control.ControlMessage.SnapshotOpened;
import io.sdds.core.protocol.Opcode;
import io.sdds.sim.frame.DecodedSlice;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.SimNetwork;
import io.sdds.sim.world.SimNetwork.Fate;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * When a copy goes on over another link, its joiner says one slice more than it has applied, and counts it from then
 * on: that slice is left out, unless it ends with a SEAL.
 */
final class PlantedResumes implements SimNetwork.FrameFilter {
    private final Map<String, Copy> copies = new HashMap<>();

    /** How many slices the source has sent, and how many of them the joiner only says that it has. */
    private static final class Copy {
        private long sent;
        private long leftOut;
        private final Set<Long> seals = new HashSet<>();
    }

    @Override
    public Fate fate(SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        if (frame.getByte(index + 4) == Opcode.SLICE) {
            DecodedSlice slice = DecodedSlice.read(frame, index, length);
            long number = slice.header().number();
            Copy copy = copy(slice.header().migration(), slice.header().attempt());
            copy.sent = Math.max(copy.sent, number);
            if (slice.seal() != null) {
                copy.seals.add(number);
            }
            return Fate.replacedBy(slice.withNumber(number - copy.leftOut).frame());
        }
        ControlMessage message = FrameEdits.message(frame, index, length);
        return message == null ? Fate.SENT : Fate.replacedBy(FrameEdits.frame(frame, index, edited(message)));
    }

    private ControlMessage edited(ControlMessage message) {
        return switch (message) {
            case SnapshotOpened resumed
            when resumed.applied() > 0 -> {
                Copy copy = copy(resumed.migration(), resumed.attempt());
                long next = resumed.applied() + copy.leftOut + 1;
                if (next <= copy.sent && !copy.seals.contains(next)) {
                    copy.leftOut++;
                }
                yield ControlEdit.with(resumed, "applied", resumed.applied() + copy.leftOut);
            }
            case SnapshotAck acked
            when acked.slice() > 0 ->
                ControlEdit.with(acked, "slice", acked.slice() + copy(acked.migration(), acked.attempt()).leftOut);
            default -> message;
        };
    }

    private Copy copy(long migration, int attempt) {
        return copies.computeIfAbsent(migration + "/" + attempt, any -> new Copy());
    }
}
