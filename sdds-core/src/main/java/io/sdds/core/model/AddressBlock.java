package io.sdds.core.model;

import io.sdds.core.addressing.LinearHashing;
import java.util.List;

/**
 * The places of up to {@link #SIZE} consecutive partitions of a table, versioned as one (docs/design/addressing.md,
 * rule 16).
 *
 * @param number the block holds the partitions from {@code number * SIZE} on
 * @param version the map version of the block's last change
 * @param spans of a range table: the span of each partition, in the order of the places; of a hash table none
 */
public record AddressBlock(int table, int number, long version, List<Place> places, List<KeySpan> spans) {
    /** Partitions in a full block. */
    public static final int SIZE = 512;

    /** Largest number of blocks of a table. */
    public static final int BLOCKS_MAX = LinearHashing.PARTITIONS_MAX / SIZE;

    public AddressBlock {
        places = List.copyOf(places);
        spans = List.copyOf(spans);
    }

    /** A block of a hash table. */
    public AddressBlock(int table, int number, long version, List<Place> places) {
        this(table, number, version, places, List.of());
    }
}
