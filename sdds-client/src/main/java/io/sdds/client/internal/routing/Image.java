package io.sdds.client.internal.routing;

import io.sdds.core.model.AddressBlock;

/**
 * A client's image of a table: the partition of each key, and the brick of each partition. The image may be stale.
 * Bricks forward requests that a stale image sent to a wrong brick, and their replies adjust the image.
 */
sealed interface Image permits TableImage, RangeImage {
    int[] NO_BACKUPS = {};

    /**
     * The number of the partition that has the request's key, or its first point. The brick that gets the request may
     * know a better one.
     */
    int address(Request<?> request);

    /** The brick of a partition, or {@link TableImage#UNKNOWN}, or {@link TableImage#LOST}. */
    int brick(int partition);

    /** The known bricks of a partition's backups. Backups answer reads too. */
    int[] backups(int partition);

    /** The partition itself, or the nearest partition whose place is known; -1 when there is none. */
    int nearestKnown(int partition);

    /** The map version of a partition's place; 0 when none is known. */
    long placeVersion(int partition);

    /** The number of partitions, as far as the image knows. */
    int partitions();

    /** The image with an address block, unless the image has a newer version of the block. */
    Image withBlock(AddressBlock fetched);
}
