package io.sdds.bench.paper;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * A diagram: curves over one pair of axes.
 *
 * @param title title of the diagram
 */
public record Panel(String title, Axis x, Axis y, List<Curve> curves) {
    public Panel {
        curves = List.copyOf(curves);
    }

    static Panel of(String title, Axis x, Axis y, Curve... curves) {
        return new Panel(title, x, y, List.of(curves));
    }

    /** A point for each entry: its key, and a figure of its value. */
    static <V> List<Point> points(Map<? extends Number, V> all, ToDoubleFunction<? super V> figure) {
        return all.entrySet().stream()
                .map(each -> new Point(each.getKey().doubleValue(), figure.applyAsDouble(each.getValue())))
                .toList();
    }

    /** Points at 1, 2, 3 and so on: a figure of each. */
    static <V> List<Point> inOrder(Collection<V> all, ToDoubleFunction<? super V> figure) {
        List<Point> points = new ArrayList<>();
        all.forEach(each -> points.add(new Point(points.size() + 1, figure.applyAsDouble(each))));
        return points;
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

        static Curve ours(String name, List<Point> points) {
            return new Curve(name, Source.OURS, points);
        }

        static Curve paper(String name, List<Point> points) {
            return new Curve(name, Source.PAPER, points);
        }

        /** A vertical line. */
        static Curve mark(String name, double at, double bottom, double top) {
            return reference(name, List.of(new Point(at, bottom), new Point(at, top)));
        }

        /** A horizontal line. */
        static Curve paperLevel(String name, double from, double to, double level) {
            return paper(name, List.of(new Point(from, level), new Point(to, level)));
        }

        static Curve reference(String name, List<Point> points) {
            return new Curve(name, Source.REFERENCE, points);
        }
    }

    /** A point of a curve. */
    public record Point(double x, double y) {}
}
