package io.sdds.bench.load;

import java.util.List;

/**
 * Result of the build of a table.
 *
 * @param seconds time from the start of the first insert to the end of the last insert
 * @param sizes sizes of the table: the size at the start, and one size each time the number of partitions had grown
 * @param splits intervals with running splits; their resolution is the interval between two polls
 * @param traces traces of the clients
 */
public record BuildResult(
        BuildSettings settings, double seconds, List<Size> sizes, List<Span> splits, List<LatencyTrace> traces) {
    public BuildResult {
        sizes = List.copyOf(sizes);
        splits = List.copyOf(splits);
        traces = List.copyOf(traces);
    }

    /**
     * Size of the table at one moment.
     *
     * @param seconds time since the start of the build
     * @param inserted number of records that all clients have inserted
     * @param partitions number of partitions in the map of the coordinator
     */
    public record Size(double seconds, long inserted, int partitions) {}

    /** An interval, in seconds since the start of the build. */
    public record Span(double fromSeconds, double toSeconds) {}

    /** Number of partitions at the end. */
    public int partitions() {
        return sizes.get(sizes.size() - 1).partitions();
    }
}
