package io.sdds.bench.load;

/** Traces made by hand. */
public final class Traces {
    private Traces() {}

    /** Operations one after the other, each of which took so many microseconds. */
    public static LatencyTrace inARow(double... micros) {
        LatencyTrace trace = new LatencyTrace(0, 1);
        long now = 0;
        for (double each : micros) {
            long nanos = Math.round(each * 1e3);
            now += nanos;
            trace.add(now, nanos);
        }
        return trace;
    }
}
