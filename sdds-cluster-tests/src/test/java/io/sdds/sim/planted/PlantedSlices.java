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

/** When a shipping begins again, a slice of the last attempt still comes, now and again, and is applied. */
final class PlantedSlices implements SimNetwork.FrameFilter {
    private static final int BYTES_MAX = 100 << 10;

    private final Map<Integer, Shipping> shippings = new HashMap<>();

    /**
     * The attempt under way to a partition, and the entries of the first slice with records, of this one and of the
     * last.
     */
    private static final class Shipping {
        private String attempt = "";
        private List<SliceEntry> first = List.of();
        private List<SliceEntry> late = List.of();
    }

    @Override
    public Fate fate(SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        if (frame.getByte(index + 4) != Opcode.SLICE || length > BYTES_MAX) {
            return Fate.SENT;
        }
        DecodedSlice slice = DecodedSlice.read(frame, index, length);
        Shipping shipping = shippings.computeIfAbsent(slice.header().receiver(), any -> new Shipping());
        String attempt = slice.header().migration() + "/" + slice.header().attempt();
        if (!attempt.equals(shipping.attempt)) {
            shipping.attempt = attempt;
            shipping.late = shipping.first;
            shipping.first = List.of();
        }
        if (shipping.first.isEmpty() && slice.entries().stream().anyMatch(PlantedSlices::isLasting)) {
            shipping.first = slice.entries();
        }
        int seals = slice.seal() == null ? 0 : 1;
        List<SliceEntry> both = new ArrayList<>(slice.entries());
        both.addAll(both.size() - seals, shipping.late);
        return Fate.replacedBy(slice.withEntries(both).frame());
    }

    private static boolean isLasting(SliceEntry entry) {
        return entry instanceof SliceEntry.Copied record && record.expiryNanos() == null;
    }
}
