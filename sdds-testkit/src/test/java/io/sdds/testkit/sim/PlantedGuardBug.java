package io.sdds.testkit.sim;

/**
 * Known-bad variants of the nodes that lack what guards them against others: against strangers, and against failures of
 * their own.
 */
enum PlantedGuardBug implements Planted {
    /** A brick's links hold as much as comes of messages that are never whole. */
    INCOMING_WITHOUT_BOUND(17, Shape.GROWING, ClusterPlan.Severity.HARSH) {
        @Override
        public String complaint() {
            return "bytes of messages that were not whole";
        }

        @Override
        public void plant(SimCluster cluster) {
            boolean strangersCome =
                    cluster.plan().faults().faults().stream().anyMatch(Fault.Stranger.class::isInstance);
            if (strangersCome) {
                cluster.incomingBytesMax(Long.MAX_VALUE);
                cluster.simulation().tampering().happened(() -> "messages that are not whole have no bound");
            }
        }
    };

    private final long firstSeed;
    private final Shape shape;
    private final ClusterPlan.Severity severity;

    PlantedGuardBug(long firstSeed, Shape shape, ClusterPlan.Severity severity) {
        this.firstSeed = firstSeed;
        this.shape = shape;
        this.severity = severity;
    }

    @Override
    public long firstSeed() {
        return firstSeed;
    }

    @Override
    public Shape shape() {
        return shape;
    }

    @Override
    public ClusterPlan.Severity severity() {
        return severity;
    }
}
