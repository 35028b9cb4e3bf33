package io.sdds.bench.paper;

/** An experiment that repeats a figure of a paper. */
public interface Experiment {
    /** Name of the experiment: the paper and the number of the figure, for example {@code lh-6}. */
    String name();

    /** Title: the paper, the figure, and its subject. */
    String title();

    /** Number of steps of a run, for progress reports. */
    int steps(Scale scale);

    /**
     * Runs the experiment.
     *
     * @throws io.sdds.bench.load.LoadException if the load failed
     * @throws io.sdds.client.SddsException if the cluster cannot be used
     */
    Findings run(Testbed testbed) throws InterruptedException;
}
