package io.sdds.bench.paper;

import io.sdds.bench.load.LoadException;
import io.sdds.bench.load.LoadSettings;
import io.sdds.bench.load.Pace;
import io.sdds.bench.load.SteadyLoad;
import io.sdds.client.ClientSettings;
import io.sdds.client.ClusterStatus;
import io.sdds.client.Codec;
import io.sdds.client.SddsClient;
import io.sdds.client.TableOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A table under steady load, created for an experiment that observes the table, and dropped at its end. */
final class WatchedTable implements AutoCloseable {
    private static final long POLL_MILLIS = 10;
    private static final double PATIENCE_SECONDS = 120;

    private final Testbed testbed;
    private final SddsClient client;
    private final String name;
    private final SteadyLoad load;
    private final double expectedSeconds;

    /**
     * Creates the table, writes its records and starts the load.
     *
     * @param expected expected duration of the experiment, for progress reports
     */
    static WatchedTable open(
            Testbed testbed, int bricks, TableOptions options, List<LoadSettings> loads, Duration expected)
            throws InterruptedException {
        List<String> where = testbed.cluster(bricks);
        ClientSettings settings = ClientSettings.builder().name("paper").build();
        SddsClient client = SddsClient.connect(where, settings);
        String name = testbed.tableName();
        try {
            client.createHashTable(name, options, Codec.bytes(), Codec.bytes());
            SteadyLoad load = SteadyLoad.start(where, settings, name, loads);
            return new WatchedTable(testbed, client, name, load, expected.toMillis() / 1e3);
        } catch (RuntimeException | InterruptedException e) {
            client.close();
            throw e;
        }
    }

    private WatchedTable(Testbed testbed, SddsClient client, String name, SteadyLoad load, double expectedSeconds) {
        this.testbed = testbed;
        this.client = client;
        this.name = name;
        this.load = load;
        this.expectedSeconds = expectedSeconds;
    }

    List<Pace> paces() {
        return load.paces();
    }

    /** Seconds since the load began. */
    double seconds() {
        return load.seconds();
    }

    /** Number of operations that have succeeded so far. */
    long operations() {
        return load.operations();
    }

    /** Number of operations that have failed so far. */
    long failed() {
        return load.failed();
    }

    ClusterStatus status() {
        return client.status(true);
    }

    /** Continues the load for a time. */
    void goOn(Duration duration) throws InterruptedException {
        goOn(duration, duration.dividedBy(10), () -> {});
    }

    /** Continues the load for a time, and runs a task after each interval. */
    void goOn(Duration duration, Duration interval, Runnable look) throws InterruptedException {
        double begin = seconds();
        long looks = duration.toNanos() / interval.toNanos();
        for (long k = 1; k <= looks; k++) {
            double due = begin + k * (interval.toNanos() / 1e9);
            TimeUnit.NANOSECONDS.sleep((long) ((due - seconds()) * 1e9));
            look.run();
            tell();
        }
    }

    /**
     * Waits until the cluster is in a state.
     *
     * @param what description of the state, for the message of a failure
     * @return time at which the cluster reached the state, in seconds since the start of the load
     * @throws LoadException if the wait takes too long
     */
    double await(String what, Predicate<ClusterStatus> state) throws InterruptedException {
        double begin = seconds();
        while (!state.test(status())) {
            if (seconds() - begin > PATIENCE_SECONDS) {
                throw new LoadException(
                        "after " + (int) PATIENCE_SECONDS + " s there is still no cluster in which " + what);
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            tell();
        }
        return seconds();
    }

    private void tell() {
        testbed.tell(Math.min(1, seconds() / expectedSeconds), operations() / seconds());
    }

    /** Ends the load. The recorded figures stay available. */
    void end() throws InterruptedException {
        load.end();
        testbed.stepDone();
    }

    @Override
    public void close() {
        load.close();
        try (client) {
            client.dropTable(name);
        }
    }
}
