package io.sdds.sim.planted;

import io.sdds.brick.partition.Partition;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableMap;
import io.sdds.sim.cluster.SimBrick;
import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.frame.DecodedEntry;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Fault;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.SimNetwork;
import io.sdds.sim.world.SimNetwork.Fate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BiPredicate;

/** Known-bad variants of the nodes that only replica groups can show, made as those of {@link PlantedBug}. */
enum PlantedGroupBug implements PlantedFilter {
    /** A backup votes for what it does not have yet: the primary acknowledges before all have prepared. */
    VOTE_AHEAD(6) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return FrameEdits.votes(vote -> vote.withVerified(vote.verified() + AHEAD));
        }
    },

    /** A backup votes for what it has no memory for. */
    VOTE_WITHOUT_MEMORY(16) {
        @Override
        public Scenario scenario() {
            return Scenario.FILLING;
        }

        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return FrameEdits.votes(
                    vote -> vote.isStuck() ? vote.withoutFlags().withVerified(vote.verified() + 1) : vote);
        }
    },

    /** A backup takes for committed what is only prepared: it is read there before all have it. */
    PREPARED_KEY_READ(24) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return FrameEdits.prepares(prepare -> prepare.withCommitted(prepare.first() + AHEAD));
        }
    },

    /** A primary acknowledges writes that no parity has, though its table asks for some. */
    WRITES_WITHOUT_PARITIES(4) {
        @Override
        public Scenario scenario() {
            return Scenario.PARITY;
        }

        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return FrameEdits.messages(
                    MapUpdate.class,
                    update -> update.tables().stream().anyMatch(table -> asksForParities(table.definition()))
                            ? ControlEdit.with(
                                    update,
                                    "tables",
                                    update.tables().stream()
                                            .map(PlantedGroupBug::withoutMinParities)
                                            .toList())
                            : update);
        }
    },

    /** A member goes on answering reads long after its lease has ended. */
    LEASE_WITHOUT_END(128) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return FrameEdits.messages(
                    MapUpdate.class,
                    update -> update.leaseMillis() > 0 ? ControlEdit.with(update, "leaseMillis", HOUR_MILLIS) : update);
        }
    },

    /**
     * One of several coordinators grants leases of the length that its own settings say: the others, which wait for
     * those of which the log tells, wait for less.
     */
    LEASE_OF_OTHER_LENGTH(747) {
        @Override
        public Scenario scenario() {
            return Scenario.QUORUM_GROUPS;
        }

        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return longerLeases((from, to) -> from.name().equals("c3"));
        }
    },

    /**
     * A process gets a lease while another one is being registered under its name, which is not waited for: back after
     * it was away, it answers reads by it.
     */
    LEASE_OF_A_REPLACED_PROCESS(103) {
        @Override
        public ClusterPlan.Severity severity() {
            return ClusterPlan.Severity.BRICK_CRASHES;
        }

        @Override
        public void plant(SimCluster cluster) {
            List<String> replaced = cluster.plan().faults().faults().stream()
                    .filter(Fault.TakeOver.class::isInstance)
                    .map(fault -> ((Fault.TakeOver) fault).node())
                    .toList();
            Map<String, SimEnv> first = new HashMap<>();
            cluster.simulation()
                    .network()
                    .filter(longerLeases((from, to) ->
                            replaced.contains(to.name()) && first.computeIfAbsent(to.name(), name -> to) == to));
        }

        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            throw new UnsupportedOperationException(this + " is no filter of its own");
        }
    },

    /** Backups don't keep the results of what they prepare: what is tried again after a fail-over runs again. */
    RESULTS_FORGOTTEN_ON_FAIL_OVER(5) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return FrameEdits.logEntries(entry -> entry.withSession(0));
        }
    },

    /** Backups keep another result than the primary: what is tried again after a fail-over is answered wrong. */
    OTHER_RESULT_AT_A_BACKUP(2) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return FrameEdits.logEntries(entry -> entry.withResult(entry.result() + 1));
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
            return FrameEdits.sliceRecords(record -> {
                byte[] key = record.key();
                return random.nextInt(SOME) == 0
                        ? record.withKey(FrameEdits.withFirst(key, (byte) (key[0] ^ 1)))
                        : record;
            });
        }
    },

    /** A backup does not apply HANDOVER: it goes on serving what is another group's. */
    HANDOVER_NOT_APPLIED(4) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return ignored(DecodedEntry.HANDOVER);
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
    SLICE_LEFT_OUT_ON_RESUME(95) {
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

    /**
     * A backup lets its partition's logical time go on by its own clock between two entries: what it takes for expired
     * is still there at the primary.
     */
    BACKUP_EXPIRES_BY_ITS_CLOCK(7) {
        @Override
        public void plant(SimCluster cluster) {
            cluster.simulation().after(CLOCK_NANOS, () -> {
                for (SimBrick brick : cluster.bricks()) {
                    brick.nodes().forEach(node -> node.tables().forEach(partition -> expire(cluster, partition)));
                }
                plant(cluster);
            });
        }

        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            throw new UnsupportedOperationException(this + " is no filter");
        }
    };

    private static final long LONGER_MILLIS = 10_000;
    private static final long OTHER_LEVEL = 31;
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
    public Scenario scenario() {
        return Scenario.REPLICATED;
    }

    @Override
    public ClusterPlan.Severity severity() {
        return ClusterPlan.Severity.ALL;
    }

    private static boolean asksForParities(TableDefinition table) {
        return table.parity().minParities() > 0;
    }

    private static TableMap withoutMinParities(TableMap table) {
        TableDefinition definition = table.definition();
        return asksForParities(definition)
                ? new TableMap(
                        definition.withParity(definition.parity().withMinParities(0)),
                        table.partitions(),
                        table.version())
                : table;
    }

    /** Leases from some to some are longer than anybody waits for. */
    private static SimNetwork.FrameFilter longerLeases(BiPredicate<SimEnv, SimEnv> between) {
        return (from, to, frame, index, length) -> between.test(from, to)
                        && FrameEdits.message(frame, index, length) instanceof MapUpdate update
                        && update.leaseMillis() > 0
                ? Fate.replacedBy(
                        FrameEdits.frame(frame, index, ControlEdit.with(update, "leaseMillis", LONGER_MILLIS)))
                : Fate.SENT;
    }

    private static void expire(SimCluster cluster, Partition partition) {
        if (!partition.group().leads() && partition.isTimed()) {
            partition.bucket().timeNanos(partition.bucket().timeNanos() + CLOCK_NANOS);
            cluster.simulation().tampering().happened(() -> "time of " + partition + " goes on");
        }
    }

    /** Backups of a hash table's partitions do not do what entries of such a kind say. */
    static SimNetwork.FrameFilter ignored(byte kind) {
        return FrameEdits.ownerChanges(
                kind,
                moving ->
                        new DecodedEntry.Moving(moving.migration(), OTHER_LEVEL, moving.parentNanos(), moving.span()));
    }
}
