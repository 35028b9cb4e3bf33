package io.sdds.bench.paper;

/** A figure of a paper, repeated. */
public interface Experiment {
    /** What it is called by: the paper and the figure's number, as {@code lh-6}. */
    String name();

    /** The paper, the figure, and what it shows. */
    String title();

    /** How many measurements a run takes, for those who wait. */
    int steps(Scale scale);

    /**
     * Runs it.
     *
     * @throws io.sdds.bench.load.LoadException when the cluster did not take the load
     * @throws io.sdds.client.SddsException when the cluster can't be used
     */
    Findings run(Testbed testbed) throws InterruptedException;
}
