package io.sdds.bench.paper;

import java.util.List;

/** An experiment that repeats a figure of a paper. */
public abstract class Experiment {
    private final String name;
    private final String title;

    /**
     * @param name the paper and the number of the figure, for example {@code lh-6}
     * @param title the paper, the figure, and its subject
     */
    Experiment(String name, String title) {
        this.name = name;
        this.title = title;
    }

    public final String name() {
        return name;
    }

    public final String title() {
        return title;
    }

    /** Number of steps of a run, for progress reports. */
    abstract int steps(Scale scale);

    /**
     * Runs the experiment.
     *
     * @throws io.sdds.bench.load.LoadException if the load failed
     * @throws io.sdds.client.SddsException if the cluster cannot be used
     */
    abstract Findings run(Testbed testbed) throws InterruptedException;

    /**
     * The result of a run.
     *
     * @param load what was done
     */
    final Findings findings(
            Testbed testbed, String load, List<Comparison> comparisons, List<Panel> panels, List<String> notes) {
        return new Findings(name, title, testbed.setting(load), testbed.machine(), comparisons, panels, notes);
    }
}
