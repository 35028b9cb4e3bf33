package io.sdds.bench.load;

import java.util.List;

/**
 * How the building of a table went.
 *
 * @param seconds from the first insert's begin to the last one's end
 * @param sizes of the table, one for each time more partitions were seen, the first at its beginning
 * @param splits whiles in which splits were under way, as wide as the looks that saw them are apart
 * @param traces of the clients
 */
public record BuildResult(
        BuildSettings settings, double seconds, List<Size> sizes, List<Span> splits, List<Trace> traces) {
    public BuildResult {
        sizes = List.copyOf(sizes);
        splits = List.copyOf(splits);
        traces = List.copyOf(traces);
    }

    /**
     * How large the table was at a moment.
     *
     * @param seconds since the beginning
     * @param inserted records, of all clients
     * @param partitions at the coordinator
     */
    public record Size(double seconds, long inserted, int partitions) {}

    /** A while, in seconds since the beginning. */
    public record Span(double fromSeconds, double toSeconds) {}

    /** Partitions at the end. */
    public int partitions() {
        return sizes.get(sizes.size() - 1).partitions();
    }
}
