package io.sdds.bench.jdbc;

import io.sdds.bench.jdbc.JdbcResult.Line;
import io.sdds.bench.jdbc.JdbcResult.Unit;
import io.sdds.bench.load.Median;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Figures of several rounds, by what was measured and by store. */
final class Figures {
    private record Name(String text, Unit unit) {}

    private final Map<Name, Map<String, List<Double>>> all = new LinkedHashMap<>();

    /** Notes the next round's figure of a store. */
    void note(String name, Unit unit, String store, double figure) {
        all.computeIfAbsent(new Name(name, unit), any -> new LinkedHashMap<>())
                .computeIfAbsent(store, any -> new ArrayList<>())
                .add(figure);
    }

    /** Adds the figures of a round. */
    void add(Figures round) {
        round.all.forEach((name, stores) -> stores.forEach(
                (store, values) -> values.forEach(value -> note(name.text(), name.unit(), store, value))));
    }

    /** The medians, and the medians of the ratios of each round. */
    List<Line> lines() {
        List<Line> lines = new ArrayList<>();
        all.forEach((name, stores) -> {
            Map<String, Double> medians = new LinkedHashMap<>();
            Map<String, Double> ratios = new LinkedHashMap<>();
            List<Double> sdds = stores.getOrDefault(Database.SDDS, List.of());
            stores.forEach((store, values) -> {
                medians.put(store, median(values));
                if (!store.equals(Database.SDDS) && sdds.size() == values.size()) {
                    ratios.put(store, ratio(sdds, values));
                }
            });
            lines.add(new Line(name.text(), name.unit(), medians, ratios));
        });
        return lines;
    }

    private static double ratio(List<Double> sdds, List<Double> other) {
        List<Double> ratios = new ArrayList<>();
        for (int k = 0; k < sdds.size(); k++) {
            ratios.add(sdds.get(k) / other.get(k));
        }
        return median(ratios);
    }

    private static double median(List<Double> values) {
        return Median.of(values, Double::doubleValue);
    }
}
