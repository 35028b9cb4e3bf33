package io.sdds.client.internal.routing;

import io.sdds.core.model.AddressBlock;

/**
 * What a client believes of a table: which partition has a key, and on which brick it is. It may be stale; bricks
 * forward, and replies adjust it.
 */
sealed interface Image permits TableImage, RangeImage {
    int[] NO_BACKUPS = {};

    /**
     * The number of the partition that has the key, or first point, that a request is about; the brick that gets it may
     * know better.
     */
    int address(Request<?> request);

    /** The brick of a partition, or {@link TableImage#UNKNOWN}, or {@link TableImage#LOST}. */
    int brick(int partition);

    /** The bricks that back up a partition's primary, as far as they are known: they answer reads too. */
    int[] backups(int partition);

    /** The partition itself, or the nearest to it whose place is known; -1 when there is none. */
    int nearestKnown(int partition);

    /** The map version of a partition's place; 0 when none is known. */
    long placeVersion(int partition);

    /** How many partitions there are, as far as is known. */
    int partitions();

    /** The image with an address block, unless it knows a newer one. */
    Image withBlock(AddressBlock fetched);
}
