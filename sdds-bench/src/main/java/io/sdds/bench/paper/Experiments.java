package io.sdds.bench.paper;

import java.util.List;
import java.util.stream.Collectors;

/** All experiments. */
public final class Experiments {
    private static final List<Experiment> ALL = List.of(
            new BuildTime(),
            new ScaleUp(),
            new SplitControls(),
            new Splittings(),
            new InsertTimes(),
            new LevelSteps(),
            new Overload(),
            new ValueSizes());

    /** Names all of them. */
    public static final String EVERY = "all";

    private Experiments() {}

    public static List<Experiment> all() {
        return ALL;
    }

    /**
     * The experiments of a name.
     *
     * @throws IllegalArgumentException when there is none
     */
    public static List<Experiment> named(String name) {
        if (name.equals(EVERY)) {
            return ALL;
        }
        List<Experiment> found =
                ALL.stream().filter(each -> each.name().equals(name)).toList();
        if (found.isEmpty()) {
            throw new IllegalArgumentException("there is no experiment '" + name + "': it is one of "
                    + ALL.stream().map(Experiment::name).collect(Collectors.joining(", ")) + ", or " + EVERY);
        }
        return found;
    }
}
