package io.sdds.sim.planted;

import io.sdds.core.control.ControlMessage.BlockFetched;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.protocol.Opcode;
import io.sdds.sim.frame.DecodedReply;
import io.sdds.sim.frame.SliceHeader;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.world.SimNetwork;
import io.sdds.sim.world.SimNetwork.Fate;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/** Known-bad variants of the nodes that only tables which shrink can show, made as those of {@link PlantedBug}. */
enum PlantedMergeBug implements PlantedFilter {
    /**
     * A client whose image grows and never shrinks, as by the paper's rule alone: it takes no fact for newer than what
     * it knows.
     */
    IMAGE_NOT_SHRUNK(20) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return (from, to, frame, index, length) -> {
                if (to.name().startsWith("client") && frame.getByte(index + 4) == Opcode.REPLY) {
                    DecodedReply reply = DecodedReply.read(frame, index, length);
                    return reply.adjustment() == null
                            ? Fate.SENT
                            : Fate.replacedBy(reply.withAdjustmentOf(reply.adjustment(), OLD)
                                    .frame());
                }
                return FrameEdits.message(frame, index, length) instanceof BlockFetched fetched
                        ? Fate.replacedBy(FrameEdits.frame(frame, index, forgetVersion(fetched)))
                        : Fate.SENT;
            };
        }
    },

    /** A merge forgets the results of what is merged: what is tried again at the parent runs again. */
    RESULTS_FORGOTTEN_ON_MERGE(143) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return onMerges(PlantedBug.RESULTS_STAY_BEHIND.plant(random));
        }

        @Override
        public ClusterPlan.Severity severity() {
            return ClusterPlan.Severity.HARSH;
        }
    },

    /** What is removed while its partition is merged is there again afterwards. */
    REMOVALS_FORGOTTEN_ON_MERGE(81) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return onMerges(PlantedBug.REMOVALS_STAY_BEHIND.plant(random));
        }
    },

    /** One record in a hundred is lost on its way to the parent. */
    RECORD_LOST_ON_MERGE(95) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return onMerges(PlantedBug.SLICE_LACKS_A_RECORD.plant(random));
        }
    };

    private static final long OLD = 0;

    private final long firstSeed;

    PlantedMergeBug(long firstSeed) {
        this.firstSeed = firstSeed;
    }

    @Override
    public long firstSeed() {
        return firstSeed;
    }

    @Override
    public Scenario scenario() {
        return Scenario.SHRINKING;
    }

    @Override
    public ClusterPlan.Severity severity() {
        return ClusterPlan.Severity.COORDINATOR_CRASHES;
    }

    /** What a bug does to slices, done to those of merges alone. */
    static SimNetwork.FrameFilter onMerges(SimNetwork.FrameFilter bug) {
        return on(MigrationOrder::isMerge, bug);
    }

    /** The same, done to those of some orders alone. */
    static SimNetwork.FrameFilter on(Predicate<MigrationOrder> some, SimNetwork.FrameFilter bug) {
        Set<Long> migrations = new HashSet<>();
        return (from, to, frame, index, length) -> {
            if (FrameEdits.message(frame, index, length) instanceof MapUpdate update) {
                update.migrations().stream().filter(some).forEach(order -> migrations.add(order.id()));
            }
            return frame.getByte(index + 4) == Opcode.SLICE
                            && migrations.contains(
                                    SliceHeader.read(frame, index).migration())
                    ? bug.fate(from, to, frame, index, length)
                    : Fate.SENT;
        };
    }

    /** Where the message says how many partitions the table has, as of a version, it says as of long ago. */
    private static BlockFetched forgetVersion(BlockFetched fetched) {
        return ControlEdit.with(fetched, "table", fetched.table().asOf(OLD));
    }
}
