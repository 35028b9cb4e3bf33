package io.sdds.sim.planted;

import io.sdds.coordinator.state.ClusterState;
import io.sdds.core.control.ControlMessage.Heartbeat;
import io.sdds.core.control.ControlMessage.MigrationReport;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place.Member;
import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.SimNetwork;
import java.util.function.UnaryOperator;

/** Known-bad variants of the nodes that only the recovery of parity groups can show. */
enum PlantedRecoveryBug implements Planted {
    /** A parity takes part in a decoding before it has folded the logs of lost columns as far as the others. */
    CLOSED_COLUMNS_NOT_ALIKE(119) {
        @Override
        public void plant(SimCluster cluster) {
            filter(cluster, new RecoveryEdits.NotAlike());
        }

        @Override
        public String complaint() {
            return NOT_WHOLE;
        }
    },

    /** A parity subtracts the records of a column before it has folded the column's log up to them. */
    RECORDS_BEFORE_THEIR_LOG(1) {
        @Override
        public void plant(SimCluster cluster) {
            filter(cluster, new RecoveryEdits.TooEarly());
        }

        @Override
        public String complaint() {
            return NOT_WHOLE;
        }
    },

    /** A column answers two parities with its records as they are at two times. */
    COLUMN_ANSWERS_DIFFER(72) {
        @Override
        public void plant(SimCluster cluster) {
            filter(
                    cluster,
                    RecoveryEdits.ranksToOthers(
                            cluster,
                            ranks -> ranks.forEachRecord(
                                    (rank, at, length) -> ranks.frame.setByte(at, ranks.frame.getByte(at) + 1))));
        }

        @Override
        public String complaint() {
            return NOT_WHOLE;
        }
    },

    /** A parity multiplies records by the coefficient of its place among the parities that are left. */
    COEFFICIENT_OF_ANOTHER_PARITY(66) {
        @Override
        public void plant(SimCluster cluster) {
            filter(cluster, RecoveryEdits.ranks((ranks, from, to) -> {
                int halvings = missingBefore(cluster, ranks, to) * (ranks.partition() % ranks.columns());
                ranks.forEachRecord((rank, at, length) -> {
                    for (int k = at; k < at + length; k++) {
                        ranks.frame.setByte(k, halved(ranks.frame.getUnsignedByte(k), halvings));
                    }
                });
            }));
        }

        @Override
        public String complaint() {
            return NOT_WHOLE;
        }
    },

    /** The coordinators count a spare as a complete column before it has all records. */
    FILLING_COLUMN_COUNTED_COMPLETE(5) {
        @Override
        public void plant(SimCluster cluster) {
            reports(cluster, report -> {
                ClusterState state = cluster.truth();
                MigrationOrder order = state == null ? null : state.migration(report.migration());
                boolean isFilling = order != null
                        && order.isRecovery()
                        && report.state() == MigrationState.HANDED_OVER
                        && state.place(order.table(), order.receiver())
                                .primary()
                                .equals(order.learner());
                return isFilling ? new MigrationReport(report.migration(), MigrationState.FILLED, 0, 0) : report;
            });
        }
    },

    /** The coordinators count a parity before it has copied all columns. */
    PARITY_COUNTED_EARLY(14) {
        @Override
        public void plant(SimCluster cluster) {
            reports(cluster, report -> {
                ClusterState state = cluster.truth();
                MigrationOrder order = state == null ? null : state.migration(report.migration());
                boolean isJoining = order != null && order.isParity() && report.state() == MigrationState.SHIPPING;
                return isJoining ? new MigrationReport(report.migration(), MigrationState.HANDED_OVER, 0, 0) : report;
            });
        }
    },

    /** A spare does not get the results of the column's recent writes. */
    RESULTS_NOT_RECOVERED(2) {
        @Override
        public void plant(SimCluster cluster) {
            filter(cluster, RecoveryEdits.columnState(RESULTS, frame -> {
                for (int at = STATE_BODY; at < frame.readableBytes(); at += RESULT_BYTES) {
                    frame.setLongLE(at, FAR + frame.getLongLE(at)); // results of another session
                }
            }));
        }
    },

    /** A spare does not get the version of the column's last write. */
    VERSION_NOT_RECOVERED(20) {
        @Override
        public void plant(SimCluster cluster) {
            filter(cluster, RecoveryEdits.columnState(TOTALS, frame -> frame.setLongLE(VERSION, 0)));
        }
    },

    /** A spare does not get the logical time of the column. */
    TIME_NOT_RECOVERED(15) {
        @Override
        public void plant(SimCluster cluster) {
            filter(cluster, RecoveryEdits.columnState(TOTALS, frame -> frame.setLongLE(TIME, 0)));
        }
    },

    /** A decoded record that comes late replaces the record that was written since. */
    LATE_RECORD_TAKEN(1) {
        @Override
        public void plant(SimCluster cluster) {
            cluster.simulation().network().watch(new PlantedLateRecords(cluster));
        }
    };

    private static final String NOT_WHOLE = "decoded records were not whole";
    private static final int RESULTS = 1;
    private static final int TOTALS = 2;
    private static final int STATE_BODY = 80;
    private static final int RESULT_BYTES = 48;
    private static final int VERSION = 88;
    private static final int TIME = 96;
    private static final int FAR = 1000;
    private static final int POLYNOMIAL = 0x11d;

    private final long firstSeed;

    PlantedRecoveryBug(long firstSeed) {
        this.firstSeed = firstSeed;
    }

    @Override
    public long firstSeed() {
        return firstSeed;
    }

    @Override
    public Scenario scenario() {
        return Scenario.PARITY;
    }

    @Override
    public ClusterPlan.Severity severity() {
        return ClusterPlan.Severity.BRICK_CRASHES;
    }

    private static void filter(SimCluster cluster, SimNetwork.FrameFilter filter) {
        cluster.simulation().network().filter(filter);
    }

    /** Edits the reports of migrations in heartbeats. */
    private static void reports(SimCluster cluster, UnaryOperator<MigrationReport> edit) {
        filter(
                cluster,
                FrameEdits.messages(
                        Heartbeat.class,
                        heartbeat -> ControlEdit.with(
                                heartbeat,
                                "migrations",
                                heartbeat.migrations().stream().map(edit).toList())));
    }

    /** Number of missing parities before the one at a brick. */
    private static int missingBefore(SimCluster cluster, RecoveryEdits.Ranks ranks, SimEnv to) {
        ClusterState state = cluster.truth();
        BrickInfo info = state == null ? null : state.brick(to.name());
        if (info == null) {
            return 0;
        }
        var parities = state.parities(ranks.table(), ranks.partition() / ranks.columns());
        int index = parities.indexOf(new Member(info.number(), info.incarnation()));
        int missing = 0;
        for (int p = 0; p < index; p++) {
            missing += parities.isMissing(p) ? 1 : 0;
        }
        return missing;
    }

    /** A byte divided by 2 so many times, modulo the polynomial. */
    private static int halved(int value, int times) {
        int half = value;
        for (int k = 0; k < times; k++) {
            half = ((half & 1) == 0 ? half : half ^ POLYNOMIAL) >> 1;
        }
        return half;
    }
}
