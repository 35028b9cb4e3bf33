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
            new BeyondSaturation(),
            new Imbalance(),
            new ValueSizes(),
            new Availability(),
            new FileCreation(1),
            new FileCreation(2),
            new SplitTimes(),
            new RequestTimes(false),
            new RequestTimes(true),
            new RangeTimes(),
            new RpFigures(),
            new ParityCreation(4),
            new ParityCreation(8),
            new KeySearch(),
            new RecordRecovery(),
            new ParityBucketCreation(),
            new PartitionRecovery(false),
            new PartitionRecovery(true),
            new LossUnderLoad(),
            new RecoverySpeed(),
            new ProtectionCosts(),
            new JoinTimes(),
            new JoinStrategies(),
            new LargeJoins());

    /** Argument that selects all experiments. */
    public static final String EVERY = "all";

    private Experiments() {}

    public static List<Experiment> all() {
        return ALL;
    }

    /**
     * The experiments of some names, in their own order.
     *
     * @throws IllegalArgumentException if a name is unknown
     */
    public static List<Experiment> named(List<String> names) {
        for (String name : names) {
            if (!name.equals(EVERY)
                    && ALL.stream().noneMatch(each -> each.name().equals(name))) {
                throw new IllegalArgumentException("there is no experiment '" + name + "': it is one of "
                        + ALL.stream().map(Experiment::name).collect(Collectors.joining(", ")) + ", or " + EVERY);
            }
        }
        return ALL.stream()
                .filter(each -> names.contains(EVERY) || names.contains(each.name()))
                .toList();
    }
}
