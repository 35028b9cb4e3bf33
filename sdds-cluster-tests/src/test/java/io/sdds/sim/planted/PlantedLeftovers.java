package io.sdds.sim.planted;

import io.netty.buffer.ByteBuf;
import io.sdds.core.protocol.Opcode;
import io.sdds.sim.frame.DecodedSlice;
import io.sdds.sim.frame.SliceEntry;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.SimNetwork;
import io.sdds.sim.world.SimNetwork.Fate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The first slice of a copy has the records of the copies before it to the same column, as if they were still there.
 */
final class PlantedLeftovers implements SimNetwork.FrameFilter {
    private static final int BYTES_MAX = 100 << 10;
    private static final int LEFT_MAX = 30;

    private final Map<Integer, Copies> copies = new HashMap<>();

    /** The copies to a column: the one under way, and the records of those before. */
    private static final class Copies {
        private String attempt = "";
        private final List<SliceEntry> now = new ArrayList<>();
        private List<SliceEntry> before = List.of();
    }

    @Override
    public Fate fate(SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        if (frame.getByte(index + 4) != Opcode.SLICE || length > BYTES_MAX) {
            return Fate.SENT;
        }
        DecodedSlice slice = DecodedSlice.read(frame, index, length);
        Copies column = copies.computeIfAbsent(slice.header().receiver(), any -> new Copies());
        String attempt = slice.header().migration() + "/" + slice.header().attempt();
        if (!attempt.equals(column.attempt)) {
            column.attempt = attempt;
            column.before = List.copyOf(column.now);
            column.now.clear();
        }
        slice.entries().stream()
                .filter(entry -> entry instanceof SliceEntry.Copied && column.now.size() < LEFT_MAX)
                .forEach(column.now::add);
        if (slice.header().number() > 1 || column.before.isEmpty()) {
            return Fate.SENT;
        }
        List<SliceEntry> both = new ArrayList<>(column.before);
        both.addAll(slice.entries());
        return Fate.replacedBy(slice.withEntries(both).frame());
    }
}
