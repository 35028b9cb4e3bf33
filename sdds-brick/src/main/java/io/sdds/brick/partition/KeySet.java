package io.sdds.brick.partition;

import io.sdds.core.model.KeySpan;
import io.sdds.core.model.MigrationOrder;

/**
 * The keys that a split takes away from a partition, or a merge brings to it: of a hash table those with bit
 * {@code level} of their pseudo-keys set, of a range table those of a span.
 *
 * @param migration its id
 * @param level level of the parent while there is no child
 */
public record KeySet(long migration, int level, KeySpan span) {
    public static KeySet by(MigrationOrder order) {
        return new KeySet(order.id(), order.level(), order.span());
    }
}
