package io.sdds.bench.paper;

import io.sdds.bench.load.LoadMode;
import io.sdds.bench.load.LoadSettings;
import io.sdds.bench.load.Pace;
import io.sdds.bench.load.SteadyLoad;
import io.sdds.client.ClientSettings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Half gets, half puts on the table of an experiment, at half of the rate that saturates it. */
record HalfLoad(SteadyLoad load, long ratePerSecond) implements AutoCloseable {
    private static final int SERVICES = 2;
    private static final int PIPELINE = 100;
    private static final int TELLS = 10;

    /** Times of the measured duration that warm the code up. */
    private static final int WARMUPS = 2;

    /**
     * Finds out what saturates a table that has its records, and begins half of that.
     *
     * @param keys the load reads and writes so many of the first records
     */
    static HalfLoad start(Testbed testbed, ParityFile file, int keys, int valueBytes) throws InterruptedException {
        LoadSettings settings = LoadSettings.defaults()
                .withMode(LoadMode.MIXED)
                .withServices(SERVICES, PIPELINE)
                .withRecords(keys, valueBytes);
        long rate = Math.max(1, Math.round(saturation(testbed, file, settings) / 2));
        return new HalfLoad(start(file, settings.withRate(rate)), rate);
    }

    private static SteadyLoad start(ParityFile file, LoadSettings settings) throws InterruptedException {
        ClientSettings client = ClientSettings.builder().name("paper").build();
        return SteadyLoad.start(file.addresses(), client, file.name(), List.of(settings));
    }

    private static double saturation(Testbed testbed, ParityFile file, LoadSettings settings)
            throws InterruptedException {
        Duration steady = testbed.scale().steady();
        try (SteadyLoad closed = start(file, settings)) {
            goOn(testbed, closed, steady.multipliedBy(WARMUPS));
            double from = closed.seconds();
            goOn(testbed, closed, steady);
            double rate = closed.paces().getFirst().perSecond(from, closed.seconds());
            closed.end();
            return rate;
        }
    }

    /** Continues a load for a time. */
    private static void goOn(Testbed testbed, SteadyLoad load, Duration duration) throws InterruptedException {
        for (int k = 0; k < TELLS; k++) {
            TimeUnit.NANOSECONDS.sleep(duration.toNanos() / TELLS);
            testbed.tell(0, load.operations() / load.seconds());
        }
    }

    /** Continues the load for a time. */
    void goOn(Testbed testbed, Duration duration) throws InterruptedException {
        goOn(testbed, load, duration);
    }

    Pace pace() {
        return load.paces().getFirst();
    }

    /** The moment of the load at a moment of the file's clock. */
    double at(ParityFile file, double fileSeconds) {
        return fileSeconds + load.seconds() - file.seconds();
    }

    /**
     * Throughput between two moments of the file's clock, in operations a second. An interval of less than two steps
     * counts as two.
     */
    double rate(ParityFile file, double from, double to) {
        double begin = at(file, from);
        return pace().perSecond(begin, Math.max(begin + 2 * Pace.STEP_SECONDS, at(file, to)));
    }

    @Override
    public void close() {
        load.close();
    }
}
