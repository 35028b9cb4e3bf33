package io.sdds.sim.planted;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.protocol.Opcode;
import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.frame.DecodedDeltas;
import io.sdds.sim.frame.DecodedEntry;
import io.sdds.sim.frame.DecodedPrepare;
import io.sdds.sim.frame.GroupHeader;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.SimNetwork.Fate;
import io.sdds.sim.world.SimNetwork.FrameFilter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Edits of the frames with which lost records are decoded. The classes {@code DecodingFrame} and {@code ColumnFrame} of
 * the brick have the layouts.
 */
final class RecoveryEdits {
    static final int LEAD = 32;
    static final int CLOSED = 48;
    static final int COLUMNS = 50;
    static final int COUNT = 52;
    static final int CLOSED_SEQS = 56;
    static final int RANK_HEADER = 8;

    private RecoveryEdits() {}

    /** The records of a column on their way to a parity member, in a copy that may be changed. */
    static final class Ranks {
        final ByteBuf frame;
        private final int columns;

        private Ranks(ByteBuf frame) {
            this.frame = frame;
            this.columns = frame.getUnsignedShortLE(COLUMNS);
        }

        int lead() {
            return frame.getIntLE(LEAD);
        }

        int table() {
            return GroupHeader.read(frame, 0).table();
        }

        int partition() {
            return GroupHeader.read(frame, 0).partition();
        }

        int columns() {
            return columns;
        }

        long committed() {
            return frame.getLongLE(CLOSED_SEQS + columns * Long.BYTES);
        }

        /** Visits the bytes of each record: its rank, its offset and its length. */
        void forEachRecord(Visitor visitor) {
            int at = CLOSED_SEQS + (columns + 1) * Long.BYTES;
            for (int k = frame.getIntLE(COUNT); k > 0; k--) {
                int length = Math.max(0, frame.getIntLE(at + Integer.BYTES));
                if (length > 0) {
                    visitor.record(frame.getIntLE(at), at + RANK_HEADER, length);
                }
                at += RANK_HEADER + length;
            }
        }
    }

    interface Visitor {
        void record(int rank, int offset, int length);
    }

    interface Edit {
        void change(Ranks ranks, SimEnv from, SimEnv to);
    }

    /** Edits the records that columns send to parity members. */
    static FrameFilter ranks(Edit edit) {
        return (from, to, frame, index, length) -> {
            if (frame.getByte(index + 4) != Opcode.RANKS || !ClusterPlan.isBrick(from.name())) {
                return Fate.SENT;
            }
            ByteBuf copy = Unpooled.copiedBuffer(frame.slice(index, length));
            edit.change(new Ranks(copy), from, to);
            return Fate.replacedBy(copy);
        };
    }

    /** Edits the records that columns send to the parity members that do not lead a decoding. */
    static FrameFilter ranksToOthers(SimCluster cluster, Consumer<Ranks> edit) {
        return ranks((ranks, from, to) -> {
            if (number(cluster, to) != ranks.lead()) {
                edit.accept(ranks);
            }
        });
    }

    /** Edits what a lead sends of the state of a lost column: the frames of one part. */
    static FrameFilter columnState(int part, Consumer<ByteBuf> edit) {
        return (from, to, frame, index, length) -> {
            boolean isState = frame.getByte(index + 4) == Opcode.COLUMN && frame.getByte(index + 5) == 0;
            if (!isState || !ClusterPlan.isBrick(from.name()) || frame.getIntLE(index + LEAD) != part) {
                return Fate.SENT;
            }
            ByteBuf copy = Unpooled.copiedBuffer(frame.slice(index, length));
            edit.accept(copy);
            return Fate.replacedBy(copy);
        };
    }

    /** The number of a brick; 0 if it is not known. */
    static int number(SimCluster cluster, SimEnv brick) {
        BrickInfo info = cluster.truth() == null ? null : cluster.truth().brick(brick.name());
        return info == null ? 0 : info.number();
    }

    /**
     * A column sends its records with the effects of entries that are not committed yet, so that the parity members
     * subtract them before they have folded the log so far.
     */
    static final class TooEarly implements FrameFilter {
        private final Map<String, NavigableMap<Long, List<DecodedDeltas.Delta>>> logs = new HashMap<>();
        private final FrameFilter ranks = ranks((ranks, from, to) -> {
            NavigableMap<Long, List<DecodedDeltas.Delta>> log = log(from, ranks.table(), ranks.partition());
            log.headMap(ranks.committed(), true).clear();
            log.values()
                    .forEach(deltas -> deltas.forEach(delta -> ranks.forEachRecord((rank, at, length) -> {
                        for (int k = 0; rank == delta.rank() && k < Math.min(length, delta.bytes().length); k++) {
                            ranks.frame.setByte(at + k, ranks.frame.getByte(at + k) ^ delta.bytes()[k]);
                        }
                    })));
        });

        @Override
        public Fate fate(SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
            boolean isLog = frame.getByte(index + 4) == Opcode.PREPARE && ClusterPlan.isBrick(from.name());
            if (isLog && GroupHeader.read(frame, index).columns() > 0) {
                DecodedPrepare prepare = DecodedPrepare.read(frame, index, length);
                GroupHeader header = prepare.header();
                long seq = prepare.first();
                for (DecodedEntry entry : prepare.entries()) {
                    log(from, header.table(), header.partition()).put(seq++, DecodedDeltas.deltas(entry));
                }
            }
            return ranks.fate(from, to, frame, index, length);
        }

        private NavigableMap<Long, List<DecodedDeltas.Delta>> log(SimEnv from, int table, int partition) {
            return logs.computeIfAbsent(from.index() + " " + table + " " + partition, name -> new TreeMap<>());
        }
    }

    /**
     * A parity member takes part in a decoding before it has folded the last entry of a lost column, of each rank. The
     * member's residues tell that.
     */
    static final class NotAlike implements FrameFilter {
        private final Map<String, DecodedDeltas.Delta> last = new HashMap<>();

        @Override
        public Fate fate(SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
            byte opcode = frame.getByte(index + 4);
            if (!ClusterPlan.isBrick(from.name())) {
                return Fate.SENT;
            }
            if (opcode == Opcode.PREPARE && GroupHeader.read(frame, index).columns() > 0) {
                DecodedPrepare prepare = DecodedPrepare.read(frame, index, length);
                GroupHeader header = prepare.header();
                prepare.entries()
                        .forEach(entry -> DecodedDeltas.deltas(entry)
                                .forEach(delta ->
                                        last.put(name(header.table(), header.partition(), delta.rank()), delta)));
            }
            if (opcode != Opcode.RESIDUES) {
                return Fate.SENT;
            }
            ByteBuf copy = Unpooled.copiedBuffer(frame.slice(index, length));
            edit(copy);
            return Fate.replacedBy(copy);
        }

        private void edit(ByteBuf frame) {
            GroupHeader header = GroupHeader.read(frame, 0);
            int columns = frame.getUnsignedShortLE(COLUMNS);
            int column = Integer.numberOfTrailingZeros(frame.getUnsignedShortLE(CLOSED));
            int at = CLOSED_SEQS + columns * Long.BYTES;
            int parity = frame.getIntLE(at);
            at += 2 * Integer.BYTES;
            for (int k = frame.getIntLE(COUNT); k > 0; k--) {
                int length = frame.getIntLE(at + Integer.BYTES);
                DecodedDeltas.Delta delta =
                        last.get(name(header.table(), header.partition() + column, frame.getIntLE(at)));
                at += RANK_HEADER;
                for (int j = 0; delta != null && j < Math.min(length, delta.bytes().length); j++) {
                    frame.setByte(
                            at + j, frame.getByte(at + j) ^ PlantedParityBug.times(delta.bytes()[j], parity * column));
                }
                at += length;
            }
        }

        private static String name(int table, int partition, int rank) {
            return table + " " + partition + " " + rank;
        }
    }
}
