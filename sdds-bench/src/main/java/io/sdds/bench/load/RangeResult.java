package io.sdds.bench.load;

/**
 * Result of a load of range queries.
 *
 * @param load result of the load; its operations are range queries
 * @param length number of records of each query; 0 for all records
 * @param recordsPerSecond records received a second within the measured time, estimated from the mean of the whole run
 * @param outOfOrder number of answers that began below the requested key, or were not in ascending order
 */
public record RangeResult(LoadResult load, int length, double recordsPerSecond, long outOfOrder)
        implements BenchResult {
    @Override
    public boolean isSound() {
        return load.isSound() && outOfOrder == 0;
    }

    @Override
    public String text(String command) {
        return LoadReports.text(command, this);
    }
}
