package io.sdds.client;

import java.util.List;

/**
 * What a range query with probabilistic termination had when it ended ({@link Range#forEachWithinAsync}).
 *
 * @param records passed on
 * @param complete whether every key of the range is accounted for, or as many records came as were asked for; else there may be more, and nobody knows
 * @param unfinished ranges of keys of which some records came, and not all
 */
public record WhatCame(long records, boolean complete, List<String> unfinished) {
    public WhatCame {
        unfinished = List.copyOf(unfinished);
    }
}
