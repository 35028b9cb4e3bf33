package io.sdds.bench.load;

import org.HdrHistogram.Histogram;

/** Latencies in microseconds, with an error of at most 0.1 %. */
public record Latency(
        double meanMicros,
        double p50Micros,
        double p90Micros,
        double p99Micros,
        double p999Micros,
        double p9999Micros,
        double maxMicros) {

    static Latency of(Histogram nanos) {
        return new Latency(
                micros(nanos.getMean()),
                at(nanos, 50),
                at(nanos, 90),
                at(nanos, 99),
                at(nanos, 99.9),
                at(nanos, 99.99),
                micros(nanos.getMaxValue()));
    }

    private static double at(Histogram nanos, double percentile) {
        return micros(nanos.getValueAtPercentile(percentile));
    }

    private static double micros(double nanos) {
        return Math.round(nanos / 100) / 10.0;
    }
}
