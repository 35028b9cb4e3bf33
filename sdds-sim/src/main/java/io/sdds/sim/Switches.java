package io.sdds.sim;

import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * System properties that select and change simulations. A wrong value is refused with the expected values. Tests of the
 * switches hand in values of their own, because the properties of the JVM are those of all tests that run in it.
 */
final class Switches {
    static final String SEED = "sdds.seed";
    static final String SEEDS = "sdds.seeds";
    static final String SEEDS_PERCENT = "sdds.seeds.percent";
    static final String SEED_BASE = "sdds.seed.base";
    static final String TRACE = "sdds.trace";
    static final String SEVERITY = "sdds.severity";
    static final String SHAPE = "sdds.shape";
    static final String DRAWN = "sdds.drawn";
    static final String OPERATIONS = "sdds.operations";
    static final String CLIENTS = "sdds.clients";
    static final String FAULTS = "sdds.faults";
    static final String BUG = "sdds.bug";
    static final String SHRINK = "sdds.shrink";
    static final String DETERMINISM = "sdds.determinism";
    static final String SIZE = "sdds.size";
    static final String SOAK = "sdds.soak";
    static final String NO_FAULTS = "none";

    private static final int SEEDS_PERCENT_OF_A_BUILD = 10;

    private static final Set<String> NAMES = new TreeSet<>(Set.of(
            SEED,
            SEEDS,
            SEEDS_PERCENT,
            SEED_BASE,
            TRACE,
            SEVERITY,
            SHAPE,
            DRAWN,
            OPERATIONS,
            CLIENTS,
            FAULTS,
            BUG,
            SHRINK,
            DETERMINISM,
            SIZE,
            SOAK));

    /** Prefixes of properties of the build and of other modules. */
    private static final List<String> OTHERS = List.of(
            "sdds.chaos.",
            "sdds.fixtures.",
            "sdds.format.",
            "sdds.guard",
            "sdds.home",
            "sdds.jdk17.",
            "sdds.lib",
            "sdds.log.",
            "sdds.module.",
            "sdds.root",
            "sdds.spin.",
            "sdds.test.");

    /** The switches of this JVM. */
    static final Switches OF_JVM = new Switches(System::getProperty);

    private final Function<String, @Nullable String> properties;

    /** @param properties the value of a property by its name; null if the property is not set */
    Switches(Function<String, @Nullable String> properties) {
        this.properties = properties;
    }

    /** Refuses a property that looks like a switch but is unknown, because a misspelled switch would have no effect. */
    static void check(Set<String> properties) {
        for (String name : properties) {
            if (name.startsWith("sdds.")
                    && !NAMES.contains(name)
                    && OTHERS.stream().noneMatch(name::startsWith)) {
                throw new IllegalArgumentException(
                        "-D" + name + " is no switch of the simulator; there are " + String.join(", ", NAMES));
            }
        }
    }

    /** A whole number; null if the property is not set. */
    @Nullable
    Long number(String name, long least, long most) {
        String text = properties.apply(name);
        return text == null ? null : number("-D" + name, text, least, most);
    }

    /** Parses a whole number. */
    static long number(String what, String text, long least, long most) {
        try {
            long value = Long.parseLong(text.trim());
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw new IllegalArgumentException(
                what + " must be a whole number from " + least + " to " + most + ", not '" + text + "'");
    }

    /** The seed to run alone; null if the property is not set. */
    @Nullable
    Long seed() {
        return number(SEED, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /** How many new seeds a test runs: as many as {@code sdds.seeds} says, or the part of a build. */
    int newSeeds(int ofSoak) {
        return ofSoak == 0 ? 0 : count(SEEDS, part(ofSoak));
    }

    /** The part of the long form's seeds that {@code sdds.seeds.percent} says, rounded up. */
    int part(int ofSoak) {
        return (int) Math.ceilDiv((long) ofSoak * count(SEEDS_PERCENT, SEEDS_PERCENT_OF_A_BUILD), 100);
    }

    /** A count with a default. */
    int count(String name, int usual) {
        Long value = number(name, 0, Integer.MAX_VALUE);
        return value == null ? usual : value.intValue();
    }

    /** The severity of faults; null for the own severity of each seed. */
    ClusterPlan.@Nullable Severity severity() {
        return properties.apply(SEVERITY) == null ? null : one(SEVERITY, ClusterPlan.Severity.values());
    }

    /** The scenario of the runs. */
    Scenario scenario() {
        return properties.apply(SHAPE) == null ? Scenario.GROWING : one(SHAPE, Scenario.values());
    }

    /** The choice that a property names. */
    private <E extends Enum<E>> E one(String property, E[] choices) {
        String text = properties.apply(property);
        for (E choice : choices) {
            if (choice.name().equals(text)) {
                return choice;
            }
        }
        throw new IllegalArgumentException(
                "-D" + property + " must be one of " + Arrays.toString(choices) + ", not '" + text + "'");
    }

    /** The number of bricks and clients of the plans to run; null for all plans. */
    @Nullable
    String size() {
        String text = properties.apply(SIZE);
        if (text != null && !text.matches("[0-9]{1,3}x[0-9]{1,3}")) {
            throw new IllegalArgumentException(
                    "-D" + SIZE + " must be bricks and clients such as 5x3, not '" + text + "'");
        }
        return text;
    }

    /** The reduction of a plan. */
    Reduction reduction(ClusterPlan plan) {
        int operations = count(OPERATIONS, plan.table().workload().operations());
        Long clients = number(CLIENTS, 1, plan.clients());
        return new Reduction(operations, clients == null ? plan.clients() : clients.intValue(), faults(plan));
    }

    private List<Integer> faults(ClusterPlan plan) {
        Reduction all = Reduction.nothing(plan);
        String text = properties.apply(FAULTS);
        if (text == null) {
            return all.faults();
        }
        List<Integer> kept = new ArrayList<>();
        for (String part : text.equals(NO_FAULTS) ? new String[0] : text.split(",")) {
            int number = -1;
            try {
                number = Integer.parseInt(part.trim());
            } catch (NumberFormatException e) {
                // reported below
            }
            if (!all.faults().contains(number)) {
                throw new IllegalArgumentException("-D" + FAULTS + " must be '" + NO_FAULTS
                        + "' or some of the numbers 0 to " + (all.faults().size() - 1) + " of the plan's faults, not '"
                        + text + "'");
            }
            kept.add(number);
        }
        return kept;
    }
}
