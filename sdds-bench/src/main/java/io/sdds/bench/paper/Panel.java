package io.sdds.bench.paper;

import java.util.List;

/**
 * A diagram: curves over one pair of axes.
 *
 * @param title what it shows
 */
public record Panel(String title, Axis x, Axis y, List<Curve> curves) {
    public Panel {
        curves = List.copyOf(curves);
    }

    /**
     * An axis.
     *
     * @param label what it measures, with its unit
     */
    public record Axis(String label, boolean logarithmic) {
        static Axis linear(String label) {
            return new Axis(label, false);
        }

        static Axis logarithmic(String label) {
            return new Axis(label, true);
        }
    }

    /** Where a curve comes from. */
    public enum Source {
        /** What was measured. */
        OURS,
        /** What the paper's text says. */
        PAPER,
        /** What both are held against: an ideal, or a raw echo. */
        REFERENCE
    }

    /** A curve. */
    public record Curve(String name, Source source, List<Point> points) {
        public Curve {
            points = List.copyOf(points);
        }
    }

    /** A point of a curve. */
    public record Point(double x, double y) {}
}
