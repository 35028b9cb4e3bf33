package io.sdds.bench.paper;

import io.sdds.bench.paper.Panel.Axis;
import io.sdds.bench.paper.Panel.Curve;
import io.sdds.bench.paper.Panel.Point;
import io.sdds.bench.paper.Panel.Source;
import io.sdds.bench.paper.RangeFile.Way;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Texts and figures that the experiments of RP* (Diène and Litwin 2000) share. */
final class RpNotes {
    private RpNotes() {}

    /** Remarks that a reader needs to judge the figures. */
    static List<String> of() {
        return List.of(
                "Flow control: " + RangeFile.WINDOW + " requests outstanding, as in the paper; without: "
                        + RangeFile.WINDOW_OFF + ", since our clients always have a bound. Every request is answered.",
                "RP*C is what the paper measured under that name, RP*Cu: unicast alone. RP*N sends a copy over the"
                        + " connection of each brick, where the paper's network made one message reach all.");
    }

    static Comparison ratio(String what, Map<Way, Double> ours, Map<Way, Double> paper, Way over, Way under) {
        double mine = ExampleBuilds.known(ours, over) / ExampleBuilds.known(ours, under);
        double theirs = ExampleBuilds.known(paper, over) / ExampleBuilds.known(paper, under);
        return Comparison.of(over.text() + " over " + under.text() + ", " + what, "×", theirs, mine);
    }

    /** One comparison for each way. */
    static List<Panel> panels(String what, Map<Way, Double> ours, Map<Way, Double> paper) {
        String names = String.join(" · ", ours.keySet().stream().map(Way::text).toList());
        List<Point> mine = new ArrayList<>();
        List<Point> theirs = new ArrayList<>();
        ours.forEach((way, figure) -> {
            mine.add(new Point(mine.size() + 1, figure));
            theirs.add(new Point(theirs.size() + 1, ExampleBuilds.known(paper, way)));
        });
        return List.of(
                new Panel("SDDS", Axis.linear(names), Axis.linear(what), List.of(new Curve("SDDS", Source.OURS, mine))),
                new Panel(
                        "paper",
                        Axis.linear(names),
                        Axis.linear(what),
                        List.of(new Curve("paper", Source.PAPER, theirs))));
    }

    /** A figure by the number of servers. */
    static Curve curve(String name, Source source, double... byServers) {
        List<Point> points = new ArrayList<>();
        for (int k = 0; k < byServers.length; k++) {
            points.add(new Point(k + 1, byServers[k]));
        }
        return new Curve(name, source, points);
    }
}
