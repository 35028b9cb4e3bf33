package io.sdds.bench.paper;

import io.sdds.bench.load.Machine;
import java.util.List;

/**
 * What came of an experiment.
 *
 * @param experiment its name
 * @param title the paper, the figure, and what it shows
 * @param setting how it was run
 * @param machine where
 * @param comparisons the paper's numbers beside ours
 * @param panels the figure, drawn again
 * @param notes what a reader must know to judge it
 */
public record Findings(
        String experiment,
        String title,
        String setting,
        Machine machine,
        List<Comparison> comparisons,
        List<Panel> panels,
        List<String> notes) {

    public Findings {
        comparisons = List.copyOf(comparisons);
        panels = List.copyOf(panels);
        notes = List.copyOf(notes);
    }

    /** Whether every figure is as it shall be. */
    public boolean meetsGoals() {
        return comparisons.stream().allMatch(Comparison::isMet);
    }
}
