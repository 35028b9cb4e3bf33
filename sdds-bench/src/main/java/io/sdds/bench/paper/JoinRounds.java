package io.sdds.bench.paper;

import io.sdds.bench.joins.Couples;
import io.sdds.bench.load.Median;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Times of joins, each the median of some. */
final class JoinRounds {
    private final int repeats;
    private final long warmupNanos;
    private @Nullable Couples expected;

    JoinRounds(Scale scale) {
        repeats = scale.repeats();
        warmupNanos = scale.duration().toNanos();
    }

    /** A join whose result is compared with that of the other joins. Returns the median time in seconds. */
    double seconds(String what, Supplier<Couples> join) {
        return seconds(join, couples -> expected = expected == null ? couples : expected.same(couples, what));
    }

    /** A join whose results may differ. Returns the median time in seconds. */
    double seconds(Supplier<Couples> join, Consumer<Couples> result) {
        long start = System.nanoTime();
        do {
            result.accept(join.get());
        } while (System.nanoTime() - start < warmupNanos);
        double[] seconds = new double[repeats];
        for (int k = 0; k < repeats; k++) {
            long began = System.nanoTime();
            result.accept(join.get());
            seconds[k] = (System.nanoTime() - began) / 1e9;
        }
        return Median.of(seconds);
    }

    /** The number of couples of the joins. */
    long couples() {
        return expected == null ? 0 : expected.count();
    }
}
