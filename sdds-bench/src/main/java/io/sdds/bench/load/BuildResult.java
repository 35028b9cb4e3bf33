package io.sdds.bench.load;

import java.util.List;

/**
 * How the building of a table went.
 *
 * @param seconds from the first insert's begin to the last one's end
 * @param sizes of the table, one for each time more partitions were seen, the first at its beginning
 * @param traces of the clients
 */
public record BuildResult(BuildSettings settings, double seconds, List<Size> sizes, List<Trace> traces) {
    public BuildResult {
        sizes = List.copyOf(sizes);
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

    /** Partitions at the end. */
    public int partitions() {
        return sizes.get(sizes.size() - 1).partitions();
    }
}
