package io.sdds.brick.partition;

import io.sdds.core.model.KeySpan;
import io.sdds.core.model.MigrationOrder;

/**
 * The keys that a split takes away from a partition, or that a merge brings to it. In a hash table these are the keys
 * with bit {@code level} of the pseudo-key set. In a range table these are the keys of a span.
 *
 * @param migration id of the split or merge
 * @param level level of the parent without the child
 */
public record MovedKeys(long migration, int level, KeySpan span) {
    public static MovedKeys by(MigrationOrder order) {
        return new MovedKeys(order.id(), order.level(), order.span());
    }
}
