package io.sdds.sim.planted;

import io.netty.buffer.ByteBuf;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.Activate;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.model.MigrationOrder;
import io.sdds.sim.frame.DecodedEntry;
import io.sdds.sim.frame.DecodedSlice;
import io.sdds.sim.frame.SliceEntry;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.SimNetwork;
import io.sdds.sim.world.SimNetwork.Fate;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Known-bad variants of the nodes that only merges of replica groups can show, made as those of {@link PlantedBug}. */
enum PlantedGroupMergeBug implements PlantedFilter {
    /** A backup of the child ignores SUBSUME and goes on serving. */
    CHILD_GOES_ON(609) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return PlantedGroupBug.ignored(DecodedEntry.SUBSUME);
        }
    },

    /** A backup of the parent ignores ABSORB. */
    ABSORB_NOT_APPLIED(11) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return PlantedGroupBug.ignored(DecodedEntry.ABSORB);
        }
    },

    /** The parent's group absorbs the child before the child's group has committed SUBSUME. */
    ABSORBED_EARLY(104) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return new Early();
        }
    },

    /** A merge of groups forgets the results of what is merged: what is tried again at the parent runs again. */
    RESULTS_FORGOTTEN_ON_GROUP_MERGE(210) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return PlantedMergeBug.onMerges(PlantedBug.RESULTS_STAY_BEHIND.plant(random));
        }

        /** Where bricks crash, merges are given up, and hardly any write is tried again behind one. */
        @Override
        public ClusterPlan.Severity severity() {
            return ClusterPlan.Severity.HARSH;
        }
    },

    /** What is removed while a group's partition is merged is there again afterwards. */
    REMOVALS_FORGOTTEN_ON_GROUP_MERGE(11) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return PlantedMergeBug.onMerges(PlantedBug.REMOVALS_STAY_BEHIND.plant(random));
        }
    },

    /** One record in a hundred is lost on its way to one of the parent's members. */
    RECORD_LOST_ON_GROUP_MERGE(132) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return PlantedMergeBug.onMerges(PlantedBug.SLICE_LACKS_A_RECORD.plant(random));
        }
    },

    /**
     * Expiries come with the child's logical time, as though the parent's were the same, and are over before their
     * time.
     */
    EXPIRY_OF_ANOTHER_TIME(437) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return PlantedMergeBug.onMerges(FrameEdits.sliceEntries(
                    SliceEntry.Copied.class,
                    record ->
                            record.expiryNanos() == null ? record : record.withExpiry(record.expiryNanos() - SECOND)));
        }
    },

    /** Nobody tells the parent's group that the child's has handed over. */
    NOT_TOLD(15) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            Merges merges = new Merges();
            return (from, to, frame, index, length) ->
                    merges.heard(frame, index, length) instanceof Activate handOver && merges.has(handOver.migration())
                            ? Fate.LOST
                            : Fate.SENT;
        }
    };

    private static final long SECOND = 1_000_000_000L;

    private final long firstSeed;

    PlantedGroupMergeBug(long firstSeed) {
        this.firstSeed = firstSeed;
    }

    @Override
    public long firstSeed() {
        return firstSeed;
    }

    @Override
    public Scenario scenario() {
        return Scenario.REPLICATED_SHRINKING;
    }

    @Override
    public ClusterPlan.Severity severity() {
        return ClusterPlan.Severity.ALL;
    }

    /** The merges that the coordinator has ordered, by what is heard. */
    private static class Merges {
        private final Map<Long, MigrationOrder> orders = new HashMap<>();

        /** The message of a control frame; null: the frame is none. */
        @Nullable
        ControlMessage heard(ByteBuf frame, int index, int length) {
            ControlMessage message = FrameEdits.message(frame, index, length);
            if (message instanceof MapUpdate update) {
                update.migrations().stream()
                        .filter(MigrationOrder::isMerge)
                        .forEach(order -> orders.put(order.id(), order));
            }
            return message;
        }

        boolean has(long migration) {
            return orders.containsKey(migration);
        }

        MigrationOrder order(long migration) {
            return orders.get(migration);
        }
    }

    /** A member of the parent's group that gets the whole copy for the second time is told to absorb it. */
    private static final class Early extends Merges implements SimNetwork.FrameFilter {
        private final Map<String, Integer> seals = new HashMap<>();

        @Override
        public Fate fate(SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
            heard(frame, index, length);
            DecodedSlice slice = FrameEdits.slice(frame, index, length);
            SliceEntry.Sealed seal = slice == null ? null : slice.seal();
            if (slice == null || seal == null || !has(slice.header().migration())) {
                return Fate.SENT;
            }
            long migration = slice.header().migration();
            return seals.merge(migration + to.name(), 1, Integer::sum) > 1
                    ? Fate.replacedBy(PlantedGroupSplits.toldToServe(slice, seal, order(migration)))
                    : Fate.SENT;
        }
    }
}
