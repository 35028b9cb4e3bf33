package io.sdds.bench.paper;

import java.util.List;

/**
 * A diagram: curves over one pair of axes.
 *
 * @param title title of the diagram
 */
public record Panel(String title, Axis x, Axis y, List<Curve> curves) {
    public Panel {
        curves = List.copyOf(curves);
    }

    /**
     * An axis.
     *
     * @param label measured quantity with its unit
     */
    public record Axis(String label, boolean logarithmic) {
        static Axis linear(String label) {
            return new Axis(label, false);
        }

        static Axis logarithmic(String label) {
            return new Axis(label, true);
        }
    }

    /** Source of a curve. */
    public enum Source {
        /** The measurement. */
        OURS,
        /** The text of the paper. */
        PAPER,
        /** A reference for both: an ideal, or a raw echo. */
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
