package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.world.Coverage;
import io.sdds.sim.world.RareEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The simulator is worth its time only if what it is to find bugs in does happen: each kind of fault, and each path
 * seldom taken.
 */
class CoverageSimTest {
    /**
     * Seeds that together meet everything, as things are now. The test prints the seeds that belong here when these
     * miss something.
     */
    private static final List<Aimed> AIMED = List.of(
            new Aimed(Scenario.FILLING, List.of(6L)),
            new Aimed(Scenario.GROWING, List.of(3L, 4L, 17L)),
            new Aimed(Scenario.MOVING, List.of(5L, 9L)),
            new Aimed(Scenario.OVERLOADED, List.of(8L)),
            new Aimed(Scenario.PARITY, List.of(6L)),
            new Aimed(Scenario.PARITY_FILLING, List.of(1L, 2L, 5L, 11L)),
            new Aimed(Scenario.PARITY_GROWING, List.of(2L, 4L, 14L)),
            new Aimed(Scenario.PARITY_GROWING_RANGE, List.of(1L, 2L, 28L)),
            new Aimed(Scenario.PARITY_IN_TURN, List.of(5L)),
            new Aimed(Scenario.PARITY_LOST, List.of(1L)),
            new Aimed(Scenario.PARITY_RANGE, List.of(28L)),
            new Aimed(Scenario.PARITY_TO_REPLICAS, List.of(1L)),
            new Aimed(Scenario.QUORUM, List.of(1L)),
            new Aimed(Scenario.QUORUM_GROUPS, List.of(4L, 8L)),
            new Aimed(Scenario.RANGE_SHRINKING, List.of(6L, 8L, 10L)),
            new Aimed(Scenario.REPLICATED, List.of(5L, 7L)),
            new Aimed(Scenario.REPLICATED_RANGE, List.of(10L)),
            new Aimed(Scenario.REPLICATED_RANGE_SHRINKING, List.of(2L, 5L)),
            new Aimed(Scenario.REPLICATED_SHRINKING, List.of(5L)),
            new Aimed(Scenario.ROWS, List.of(1L)));

    /** The seeds up to which each round goes. Most events happen in the first rounds, so the others need not run. */
    private static final List<Integer> ROUNDS = List.of(2, 5, 10, 20, 30, 60, 100, 200, 400);

    private static final int SEEDS = 400;
    private static final int SEEDS_OF_PARITY = 100;
    private static final int SEEDS_OF_OTHERS = 30;
    private static final int SEEDS_OF_LOSSES = 4;

    /** What happens only where several coordinators have a log in common. */
    static final List<RareEvent> WITH_SEVERAL_COORDINATORS = List.of(
            RareEvent.LEADER_CHANGED,
            RareEvent.LEADER_UNCONFIRMED,
            RareEvent.COMMAND_LOST,
            RareEvent.COMMAND_INHERITED,
            RareEvent.SNAPSHOT_TAKEN);

    /** What a few seeds in a thousand meet, so that these seeds may miss it. */
    private static final List<RareEvent> SELDOM = List.of(RareEvent.DECODING_REFUSED, RareEvent.COLUMN_STAYED);

    /**
     * What happens only where tables are cleared or merge or have parity groups, partitions move otherwise than by
     * splits, or several coordinators have a log in common.
     */
    static final List<RareEvent> NOT_IN_EVERY_PLAN = Stream.concat(
                    Stream.of(
                            RareEvent.FORWARDED_FOR_PLACE,
                            RareEvent.CLEARED,
                            RareEvent.QUERIED,
                            RareEvent.PROGRAM_MISSING,
                            RareEvent.SCHEMA_CHANGED,
                            RareEvent.DEFAULT_READ,
                            RareEvent.UNKNOWN_COLUMN_KEPT,
                            RareEvent.PARITY_SWEPT,
                            RareEvent.PARITY_CLEARED,
                            RareEvent.PARITY_STUCK,
                            RareEvent.TOO_FEW_PARITIES,
                            RareEvent.RANK_REUSED,
                            RareEvent.RANKS_DENSIFIED,
                            RareEvent.RECORD_GROWN,
                            RareEvent.RECORD_SHRUNK,
                            RareEvent.DEGRADED_READ,
                            RareEvent.DEGRADED_READ_WITHOUT_LEASE,
                            RareEvent.DECODED_WITH_TWO_UNKNOWN,
                            RareEvent.DECODING_REFUSED,
                            RareEvent.PULLED_BY_READ,
                            RareEvent.PULLED_BY_WRITE,
                            RareEvent.LATE_RECORD_IGNORED,
                            RareEvent.COLUMN_RECOVERED,
                            RareEvent.JOIN_BEGUN_AGAIN,
                            RareEvent.JOIN_WITHOUT_MEMORY,
                            RareEvent.COLUMN_GIVEN_BACK,
                            RareEvent.PARITY_REBUILT,
                            RareEvent.PARITY_ALTERED,
                            RareEvent.PARITY_GROUP_LOST,
                            RareEvent.LEAD_DIED,
                            RareEvent.SPARE_DIED_EARLY,
                            RareEvent.SPARE_DIED_AS_PRIMARY,
                            RareEvent.JOINING_PARITY_DIED,
                            RareEvent.COLUMN_MOVED,
                            RareEvent.COLUMN_STAYED,
                            RareEvent.COLUMNS_SHARED_A_BRICK,
                            RareEvent.COLUMN_SPLIT,
                            RareEvent.LEAD_SAID_HANDED_OVER,
                            RareEvent.LEAD_SAID_ABANDONED,
                            RareEvent.RECEIVER_DIED_EARLY,
                            RareEvent.RECEIVER_DIED_AFTER_HANDOVER,
                            RareEvent.IDLE_COLUMN_CLEANED,
                            RareEvent.IDLE_COLUMN_USED_AGAIN,
                            RareEvent.SPARE_CLEANED,
                            RareEvent.SCAN_RESUMED,
                            RareEvent.MERGED,
                            RareEvent.MOVED,
                            RareEvent.MOVE_GIVEN_UP,
                            RareEvent.LOOKED_UP,
                            RareEvent.INDEX_DIVIDED,
                            RareEvent.DATAGRAM_LOST,
                            RareEvent.DATAGRAM_DOUBLED,
                            RareEvent.DATAGRAM_OVERTAKEN,
                            RareEvent.DATAGRAM_TAKEN,
                            RareEvent.DATAGRAM_UNANSWERED),
                    WITH_SEVERAL_COORDINATORS.stream())
            .toList();

    /** Seeds of a scenario. */
    private record Aimed(Scenario scenario, List<Long> seeds) {}

    private static int seeds(Scenario scenario) {
        return switch (scenario) {
            case GROWING -> SEEDS;
            case PARITY -> SEEDS_OF_PARITY;
            case PARITY_LOST, PARITY_COMBINED, QUERIED, ROWS, BURSTS -> SEEDS_OF_LOSSES;
            default -> SEEDS_OF_OTHERS;
        };
    }

    @Test
    void everyFaultAndEveryRarePathHappens() {
        Coverage coverage = new Coverage();
        AIMED.forEach(aimed -> run(aimed.scenario(), aimed.seeds(), coverage));
        runRounds(coverage);
        System.out.print(coverage);
        assertThat(missing(coverage)).isEmpty();
    }

    @Test
    @EnabledIfSystemProperty(named = "sdds.soak", matches = ".*", disabledReason = "the long form: mvn verify -Psoak")
    void everyFaultAndEveryRarePathHappensInTheFirstSeeds() {
        Coverage coverage = new Coverage();
        runRounds(coverage);
        assertThat(missing(coverage)).isEmpty();
    }

    /** Runs the first seeds until nothing is missing. */
    private static void runRounds(Coverage coverage) {
        int from = 1;
        for (int to : ROUNDS) {
            for (Scenario scenario : Scenario.values()) {
                if (!missing(coverage).isEmpty()) {
                    int last = Math.min(to, seeds(scenario));
                    run(scenario, LongStream.rangeClosed(from, last).boxed().toList(), coverage);
                }
            }
            from = to + 1;
        }
    }

    private static void run(Scenario scenario, List<Long> seeds, Coverage coverage) {
        List<ClusterRun.Outcome> outcomes = new ClusterSeeds(scenario, ClusterPlan.Severity.ALL).run(seeds, 0);
        for (int k = 0; k < seeds.size(); k++) {
            List<RareEvent> met = missing(coverage);
            coverage.add(outcomes.get(k).coverage());
            met.removeAll(missing(coverage));
            if (!met.isEmpty()) {
                System.out.println(scenario + " " + seeds.get(k) + " is the first to meet " + met);
            }
        }
    }

    private static List<RareEvent> missing(Coverage coverage) {
        List<RareEvent> missing = new ArrayList<>(coverage.missing());
        missing.removeAll(SELDOM);
        missing.removeAll(WITH_SEVERAL_COORDINATORS); // QuorumSimTest looks for these
        return missing;
    }
}
