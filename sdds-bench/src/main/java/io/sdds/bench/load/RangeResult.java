package io.sdds.bench.load;

/**
 * What came of load of range queries.
 *
 * @param load its operations are range queries
 * @param length records that each asked for; 0: all
 * @param recordsPerSecond that came while it was measured, by the mean of the whole run
 * @param outOfOrder ranges that began below what was asked for, or fell back on the way
 */
public record RangeResult(LoadResult load, int length, double recordsPerSecond, long outOfOrder) {
    public boolean isSound() {
        return load.isSound() && outOfOrder == 0;
    }
}
