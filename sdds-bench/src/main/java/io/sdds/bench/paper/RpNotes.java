package io.sdds.bench.paper;

import static io.sdds.bench.paper.ExampleBuilds.known;
import static io.sdds.bench.paper.Panel.Axis.linear;
import static io.sdds.bench.paper.Panel.inOrder;

import io.sdds.bench.paper.Panel.Curve;
import io.sdds.bench.paper.Panel.Source;
import io.sdds.bench.paper.RangeFile.Way;
import java.util.Arrays;
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
        double mine = known(ours, over) / known(ours, under);
        double theirs = known(paper, over) / known(paper, under);
        return Comparison.of(over.text() + " over " + under.text() + ", " + what, "×", theirs, mine);
    }

    /** One comparison for each way. */
    static List<Panel> panels(String what, Map<Way, Double> ours, Map<Way, Double> paper) {
        String names = String.join(" · ", ours.keySet().stream().map(Way::text).toList());
        return List.of(
                Panel.of(
                        "SDDS",
                        linear(names),
                        linear(what),
                        Curve.ours("SDDS", inOrder(ours.keySet(), way -> known(ours, way)))),
                Panel.of(
                        "paper",
                        linear(names),
                        linear(what),
                        Curve.paper("paper", inOrder(ours.keySet(), way -> known(paper, way)))));
    }

    /** A figure by the number of servers. */
    static Curve curve(String name, Source source, double... byServers) {
        return new Curve(name, source, inOrder(Arrays.stream(byServers).boxed().toList(), each -> each));
    }
}
