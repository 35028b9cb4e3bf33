package io.sdds.client;

import java.util.List;

/**
 * How much a range query that ends with a time had when it ended ({@link Range#forEachWithinAsync}).
 *
 * @param records records that were passed on
 * @param complete whether every key of the range is accounted for, or as many records came as were asked for; if false
 *     there may be more
 * @param unfinished ranges of keys of which some records came, and not all
 */
public record PartialResult(long records, boolean complete, List<String> unfinished) {
    public PartialResult {
        unfinished = List.copyOf(unfinished);
    }
}
