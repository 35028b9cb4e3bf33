package io.sdds.sim.planted;

import io.sdds.sim.cluster.LogRules;
import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.cluster.SimLog;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.world.Tampering;

/** Coordinators that take more for granted of their log than it gives. */
enum PlantedLogBug implements Planted {
    /** A leader answers without asking whether it still leads. */
    STALE_LEADER_ANSWERS(201) {
        @Override
        LogRules rules(Tampering tampering) {
            return new LogRules() {
                @Override
                protected boolean trustsItself() {
                    tampering.happened(() -> "a leader trusts itself");
                    return true;
                }
            };
        }
    },

    /** A command's result is told before it is committed. */
    TOLD_BEFORE_COMMITTED(3) {
        @Override
        LogRules rules(Tampering tampering) {
            return new LogRules() {
                @Override
                protected boolean tellsBeforeCommit() {
                    tampering.happened(() -> "a result is told before it is committed");
                    return true;
                }
            };
        }
    },

    /** A new leader serves before it has applied what was committed before. */
    LEADS_BEHIND(1) {
        @Override
        LogRules rules(Tampering tampering) {
            return new LogRules() {
                @Override
                protected boolean leadsBehind() {
                    tampering.happened(() -> "a leader is behind");
                    return true;
                }
            };
        }
    },

    /** A coordinator that does not lead serves as if it did. */
    FOLLOWER_SERVES(5) {
        @Override
        LogRules rules(Tampering tampering) {
            return new LogRules() {
                @Override
                protected boolean followersServe() {
                    tampering.happened(() -> "a follower serves");
                    return true;
                }
            };
        }
    };

    private final long firstSeed;

    PlantedLogBug(long firstSeed) {
        this.firstSeed = firstSeed;
    }

    @Override
    public long firstSeed() {
        return firstSeed;
    }

    @Override
    public Scenario scenario() {
        return Scenario.QUORUM;
    }

    @Override
    public ClusterPlan.Severity severity() {
        return ClusterPlan.Severity.HARSH;
    }

    abstract LogRules rules(Tampering tampering);

    @Override
    public void plant(SimCluster cluster) {
        SimLog log = cluster.quorum();
        if (log == null) {
            throw new IllegalArgumentException(this + " needs several coordinators");
        }
        log.rules(rules(cluster.simulation().tampering()));
    }
}
