package io.sdds.testkit.sim;

import io.sdds.brick.group.Group;
import io.sdds.brick.partition.Partition;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.protocol.Opcode;
import io.sdds.testkit.sim.SimNetwork.Fate;
import java.util.SplittableRandom;

/** Known-bad variants of the nodes that only replica groups can show, made as those of {@link PlantedBug}. */
enum PlantedGroupBug implements PlantedFilter {
    /** A backup votes for what it does not have yet: the primary acknowledges before all have prepared. */
    VOTE_AHEAD(4) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return (from, to, frame, index, length) -> {
                if (frame.getByte(index + 4) == Opcode.VOTE) {
                    frame.setLongLE(index + VERIFIED, frame.getLongLE(index + VERIFIED) + AHEAD);
                }
                return Fate.SENT;
            };
        }
    },

    /** A backup votes for what it has no memory for. */
    VOTE_WITHOUT_MEMORY(16) {
        @Override
        public Shape shape() {
            return Shape.FILLING;
        }

        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return (from, to, frame, index, length) -> {
                if (frame.getByte(index + 4) == Opcode.VOTE && (frame.getByte(index + FLAGS) & STUCK) != 0) {
                    frame.setByte(index + FLAGS, 0);
                    frame.setLongLE(index + VERIFIED, frame.getLongLE(index + VERIFIED) + 1);
                }
                return Fate.SENT;
            };
        }
    },

    /** A backup takes for committed what is only prepared: it is read there before all have it. */
    PREPARED_KEY_READ(22) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return (from, to, frame, index, length) -> {
                if (frame.getByte(index + 4) == Opcode.PREPARE) {
                    frame.setLongLE(index + COMMITTED, frame.getLongLE(index + FIRST) + AHEAD);
                }
                return Fate.SENT;
            };
        }
    },

    /** A member goes on answering reads long after its lease has ended. */
    LEASE_WITHOUT_END(128) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return (from, to, frame, index, length) -> {
                if (frame.getByte(index + 4) == Opcode.CONTROL
                        && ControlFrame.read(frame, index, length) instanceof MapUpdate update
                        && update.leaseMillis() > 0) {
                    ControlEdit.set(frame, index, update, "leaseMillis", HOUR_MILLIS);
                }
                return Fate.SENT;
            };
        }
    },

    /** Backups don't keep the results of what they prepare: what is tried again after a fail-over runs again. */
    RESULTS_FORGOTTEN_ON_FAIL_OVER(5) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return PlantedEntries.each((frame, at) -> frame.setLongLE(at + PlantedEntries.SESSION, 0));
        }
    },

    /** Backups keep another result than the primary: what is tried again after a fail-over is answered wrong. */
    OTHER_RESULT_AT_A_BACKUP(1) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return PlantedEntries.each((frame, at) ->
                    frame.setLongLE(at + PlantedEntries.RESULT, frame.getLongLE(at + PlantedEntries.RESULT) + 1));
        }

        @Override
        public String complaint() {
            return "keeps different results of session";
        }
    },

    /** A joiner's copy lacks some of what was committed while it was made. */
    CHANGES_LOST_ON_JOIN(2) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return (from, to, frame, index, length) -> {
                if (frame.getByte(index + 4) == Opcode.SLICE) {
                    for (int at : PlantedBug.entries(frame, index, length, PlantedBug.RECORD)) {
                        if (random.nextInt(SOME) == 0) {
                            frame.setByte(at + KEY_IN_RECORD, frame.getByte(at + KEY_IN_RECORD) ^ 1);
                        }
                    }
                }
                return Fate.SENT;
            };
        }
    },

    /** A backup does not apply HANDOVER: it goes on serving what is another group's. */
    HANDOVER_NOT_APPLIED(4) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return PlantedEntries.ignored(PlantedEntries.HANDOVER);
        }
    },

    /** A group's split forgets the results of the moved half: what is tried again at the child runs again. */
    RESULTS_STAY_BEHIND_IN_GROUP(163) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return PlantedGroupSplits.onSlices(PlantedBug.RESULTS_STAY_BEHIND.plant(random));
        }
    },

    /** A joiner whose link broke says that it has applied one slice more than it has. */
    SLICE_LEFT_OUT_ON_RESUME(9) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return new PlantedResumes();
        }
    },

    /** The members of the child's group are told that the half is theirs before HANDOVER is committed. */
    HANDED_OVER_EARLY(8) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return new PlantedGroupSplits.Early();
        }
    },

    /** A backup lets its partition's logical time go on by its own clock between two entries: what it takes for expired is still there at the primary. */
    BACKUP_EXPIRES_BY_ITS_CLOCK(5) {
        @Override
        public void plant(SimCluster cluster) {
            cluster.simulation().after(CLOCK_NANOS, () -> {
                for (SimBrick brick : cluster.bricks()) {
                    brick.nodes().forEach(node -> node.tables().forEach(PlantedGroupBug::expire));
                }
                plant(cluster);
            });
        }

        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            throw new UnsupportedOperationException(this + " is no filter");
        }
    };

    private static final int FLAGS = 5;
    private static final int STUCK = 4;
    private static final int FIRST = 24;
    private static final int VERIFIED = 24;
    private static final int COMMITTED = 40;
    private static final int KEY_IN_RECORD = 15;
    private static final int AHEAD = 1000;
    private static final int SOME = 20;
    private static final long CLOCK_NANOS = 10_000_000;
    private static final long HOUR_MILLIS = 3_600_000;

    private final long firstSeed;

    PlantedGroupBug(long firstSeed) {
        this.firstSeed = firstSeed;
    }

    @Override
    public long firstSeed() {
        return firstSeed;
    }

    @Override
    public Shape shape() {
        return Shape.REPLICATED;
    }

    @Override
    public ClusterPlan.Severity severity() {
        return ClusterPlan.Severity.ALL;
    }

    private static void expire(Partition partition) {
        if (partition.replica() instanceof Group group && !group.leads() && partition.isTimed()) {
            partition.bucket().timeNanos(partition.bucket().timeNanos() + CLOCK_NANOS);
        }
    }
}
