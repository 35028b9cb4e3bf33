package io.sdds.bench.paper;

import io.sdds.bench.load.Machine;
import java.util.List;

/**
 * Result of an experiment.
 *
 * @param experiment name of the experiment
 * @param title the paper, the figure, and its subject
 * @param setting load, site and scale of the run
 * @param machine machine of the run
 * @param comparisons figures of the paper beside the measured figures
 * @param panels diagrams of the figure
 * @param notes remarks that a reader needs to judge the figures
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
}
