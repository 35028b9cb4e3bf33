package io.sdds.bench.paper;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The comparisons of an experiment, in the order in which they are shown. */
final class Rows extends AbstractList<Comparison> {
    private final List<Comparison> all = new ArrayList<>();

    /** Adds a figure. The next call may set its goal. */
    Rows add(String what, String unit, @Nullable Double paper, double ours) {
        all.add(Comparison.of(what, unit, paper, ours));
        return this;
    }

    /** Adds a figure that the paper does not have. */
    Rows add(String what, String unit, double ours) {
        return add(what, unit, null, ours);
    }

    /** Sets the goal of the last figure. */
    void atLeast(double limit) {
        all.add(all.removeLast().atLeast(limit));
    }

    /** Sets the goal of the last figure. */
    void atMost(double limit) {
        all.add(all.removeLast().atMost(limit));
    }

    @Override
    public void add(int index, Comparison row) {
        all.add(index, row);
    }

    @Override
    public Comparison get(int index) {
        return all.get(index);
    }

    @Override
    public int size() {
        return all.size();
    }
}
