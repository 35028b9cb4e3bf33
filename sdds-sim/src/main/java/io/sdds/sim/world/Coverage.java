package io.sdds.sim.world;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Counts each {@link RareEvent} in one run or in many runs. */
public final class Coverage {
    private final long[] counts = new long[RareEvent.values().length];
    private final long[] runs = new long[RareEvent.values().length];

    /** It happened once more. */
    public void hit(RareEvent what) {
        counts[what.ordinal()]++;
    }

    public long count(RareEvent what) {
        return counts[what.ordinal()];
    }

    /** Adds those of a run. */
    public void add(Coverage run) {
        for (int k = 0; k < counts.length; k++) {
            counts[k] += run.counts[k];
            runs[k] += run.counts[k] > 0 ? 1 : 0;
        }
    }

    /** What never happened. */
    public List<RareEvent> missing() {
        List<RareEvent> missing = new ArrayList<>();
        for (RareEvent what : RareEvent.values()) {
            if (count(what) == 0) {
                missing.add(what);
            }
        }
        return missing;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Coverage that && Arrays.equals(counts, that.counts);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(counts);
    }

    /** A table: how often, in how many runs, what. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (RareEvent what : RareEvent.values()) {
            text.append(String.format(
                    Locale.ROOT,
                    "%12d times in %7d runs: %s%n",
                    counts[what.ordinal()],
                    runs[what.ordinal()],
                    what.what()));
        }
        return text.toString();
    }
}
