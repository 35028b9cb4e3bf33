package io.sdds.client;

import java.util.List;

/**
 * The result of a range query that ends after a time ({@link Range#forEachWithinAsync}).
 *
 * @param records records that were passed on
 * @param complete whether the query covered every key of the range, or as many records came as were asked for; if false
 *     there may be more records
 * @param unfinished ranges of keys of which some records came, and not all
 */
public record PartialResult(long records, boolean complete, List<String> unfinished) {
    public PartialResult {
        unfinished = List.copyOf(unfinished);
    }
}
