package io.sdds.sim.planted;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.partition.Applied;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Request;
import io.sdds.coordinator.state.ClusterState;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.control.ControlMessage.SnapshotAck;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.protocol.Opcode;
import io.sdds.sim.cluster.SimBrick;
import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.frame.DecodedEntry;
import io.sdds.sim.frame.DecodedPrepare;
import io.sdds.sim.frame.DecodedVote;
import io.sdds.sim.frame.GroupHeader;
import io.sdds.sim.frame.SliceHeader;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.SimNetwork;
import io.sdds.sim.world.SimNetwork.Fate;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Primaries of replica groups that hand over keys too early. The class {@code HandOvers} must find each. */
enum PlantedHandOverBug implements Planted {
    /** When the SEAL has left, a primary takes any acknowledgement for that of the SEAL, and proposes HANDOVER. */
    SEAL_NOT_AWAITED(4) {
        @Override
        public String complaint() {
            return "slices, of which";
        }

        @Override
        SimNetwork.FrameFilter filter() {
            return new AckedAhead();
        }
    },

    /** A primary commits HANDOVER when the votes for the entries before it come, and tells the child to serve. */
    HANDED_OVER_BEFORE_THE_VOTES(4) {
        @Override
        public String complaint() {
            return "had voted for its hand-over by migration";
        }

        @Override
        SimNetwork.FrameFilter filter() {
            return new VotedAhead();
        }
    },

    /** A primary goes on with writes of the keys that move while it hands them over. */
    WRITES_GO_ON_AT_THE_SWITCH(2) {
        @Override
        public String complaint() {
            return "was not sent to";
        }

        @Override
        public void plant(SimCluster cluster) {
            replaceMovers(cluster, mover -> new BadMover(cluster, mover, false, true));
        }
    },

    /** The targets of a split or merge do not hear of what is written while the records are copied. */
    CHANGES_NOT_SENT(2) {
        @Override
        public String complaint() {
            return "was not sent to";
        }

        @Override
        public void plant(SimCluster cluster) {
            replaceMovers(cluster, mover -> new BadMover(cluster, mover, true, false));
        }
    };

    private static final long LOOK_NANOS = 2_000_000;

    private final long firstSeed;

    PlantedHandOverBug(long firstSeed) {
        this.firstSeed = firstSeed;
    }

    @Override
    public long firstSeed() {
        return firstSeed;
    }

    @Override
    public Scenario scenario() {
        return Scenario.REPLICATED;
    }

    @Override
    public ClusterPlan.Severity severity() {
        return ClusterPlan.Severity.HARSH;
    }

    @Override
    public void plant(SimCluster cluster) {
        cluster.simulation().network().filter(filter());
    }

    SimNetwork.FrameFilter filter() {
        throw new UnsupportedOperationException(this + " is no filter");
    }

    /** Each acknowledgement of a split's slices, or of a merge's, is for all slices that have left. */
    private static final class AckedAhead implements SimNetwork.FrameFilter {
        private final Set<Long> migrations = new HashSet<>();
        private final Map<String, Long> sent = new HashMap<>();

        @Override
        public Fate fate(SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
            if (frame.getByte(index + 4) == Opcode.SLICE) {
                SliceHeader slice = SliceHeader.read(frame, index);
                sent.merge(slice.migration() + "/" + slice.attempt() + to.name(), slice.number(), Math::max);
                return Fate.SENT;
            }
            return switch (FrameEdits.message(frame, index, length)) {
                case MapUpdate update -> {
                    update.migrations().stream()
                            .filter(MigrationOrder::isTransfer)
                            .map(MigrationOrder::id)
                            .forEach(migrations::add);
                    yield Fate.SENT;
                }
                case SnapshotAck acked
                when acked.slice() >= 0 && migrations.contains(acked.migration()) -> {
                    long all = sent.getOrDefault(acked.migration() + "/" + acked.attempt() + from.name(), 0L);
                    yield all <= acked.slice()
                            ? Fate.SENT
                            : Fate.replacedBy(FrameEdits.frame(frame, index, ControlEdit.with(acked, "slice", all)));
                }
                case null, default -> Fate.SENT;
            };
        }
    }

    /** A vote in an epoch in which HANDOVER was sent is a vote for HANDOVER. */
    private static final class VotedAhead implements SimNetwork.FrameFilter {
        private final Map<String, Long> proposed = new HashMap<>();

        private static String group(GroupHeader header) {
            return header.table() + "/" + header.partition() + "/" + header.epoch();
        }

        @Override
        public Fate fate(SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
            byte opcode = frame.getByte(index + 4);
            if (opcode == Opcode.PREPARE && ClusterPlan.isBrick(from.name())) {
                DecodedPrepare prepare = DecodedPrepare.read(frame, index, length);
                for (int k = 0; k < prepare.entries().size(); k++) {
                    if (prepare.entries().get(k).kind() == DecodedEntry.HANDOVER) {
                        proposed.put(group(prepare.header()), prepare.first() + k);
                    }
                }
            } else if (opcode == Opcode.VOTE && ClusterPlan.isBrick(from.name())) {
                DecodedVote vote = DecodedVote.read(frame, index, length);
                long ahead = proposed.getOrDefault(group(vote.header()), 0L);
                return vote.verified() < ahead
                        ? Fate.replacedBy(vote.withVerified(ahead).frame())
                        : Fate.SENT;
            }
            return Fate.SENT;
        }
    }

    private static void replaceMovers(SimCluster cluster, UnaryOperator<Partition.Mover> bad) {
        cluster.simulation().after(LOOK_NANOS, () -> {
            ClusterState state = cluster.truth();
            for (SimBrick brick : state == null ? List.<SimBrick>of() : cluster.bricks()) {
                brick.nodes().forEach(node -> node.tables().forEach(partition -> replaceMover(state, partition, bad)));
            }
            replaceMovers(cluster, bad);
        });
    }

    private static void replaceMover(ClusterState state, Partition partition, UnaryOperator<Partition.Mover> bad) {
        boolean isSource = state.migrations().stream()
                .anyMatch(order -> order.isTransfer()
                        && order.table() == partition.table()
                        && order.sender() == partition.number());
        Partition.Mover mover = partition.mover();
        if (!isSource && mover instanceof BadMover) {
            partition.mover(null);
        } else if (isSource && mover != null && !(mover instanceof BadMover) && !mover.takesLog()) {
            partition.mover(bad.apply(mover));
        }
    }

    /**
     * Stands for the migration at its partition.
     *
     * @param waits whether writes wait for the switch
     * @param tells whether the migration hears of writes
     */
    private record BadMover(SimCluster cluster, Partition.Mover mover, boolean waits, boolean tells)
            implements Partition.Mover {
        @Override
        public boolean admits(Request request) {
            return mover.admits(request);
        }

        @Override
        public boolean holds(Request request) {
            boolean holds = mover.holds(request);
            if (holds && !waits) {
                cluster.simulation().tampering().happened(() -> "a write does not wait for the switch");
            }
            return holds && waits;
        }

        @Override
        public boolean park(Request request) {
            return mover.park(request);
        }

        @Override
        public void applied(Applied applied) {
            if (tells) {
                mover.applied(applied);
            } else {
                cluster.simulation().tampering().happened(() -> "a write is not told to the migration");
            }
        }

        @Override
        public void changed(long hash, MemorySegment key) {
            mover.changed(hash, key);
        }
    }
}
