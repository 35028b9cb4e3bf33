package io.sdds.core.model;

import io.sdds.core.addressing.LinearHashing;
import java.util.ArrayList;
import java.util.List;

/**
 * The places of up to {@link #SIZE} consecutive partitions of a table, versioned as one (docs/design/addressing.md,
 * rule 16). A table with parity may have more places than partitions: an idle column has a place and owns no keys
 * (docs/design/parity.md, rule 30). Idle columns of a hash table have the numbers from M on; those of a range table
 * have {@link KeySpan#EMPTY}.
 *
 * @param number the block holds the partitions from {@code number * SIZE} on
 * @param version the map version of the block's last change
 * @param spans of a range table: the span of each partition, in the order of the places; of a hash table none
 * @param parities of a table with parity: the parities of each group of the block, in the order of the groups. A place
 *     holds its column alone; the parities are members of all columns of their group. Empty for other tables, and in
 *     blocks that clients get, because nobody reads from parities
 */
public record AddressBlock(
        int table, int number, long version, List<Place> places, List<KeySpan> spans, List<ParityMembers> parities) {
    /** Partitions in a full block. */
    public static final int SIZE = 512;

    /** Largest number of blocks of a table. */
    public static final int BLOCKS_MAX = LinearHashing.PARTITIONS_MAX / SIZE;

    public AddressBlock {
        places = List.copyOf(places);
        spans = List.copyOf(spans);
        parities = List.copyOf(parities);
    }

    /** A block of a table without parity. */
    public AddressBlock(int table, int number, long version, List<Place> places, List<KeySpan> spans) {
        this(table, number, version, places, spans, List.of());
    }

    /** A block of a hash table. */
    public AddressBlock(int table, int number, long version, List<Place> places) {
        this(table, number, version, places, List.of());
    }

    /** This block with other parities, at the map version of the change. */
    public AddressBlock withParities(List<ParityMembers> others, long atVersion) {
        return new AddressBlock(table, number, atVersion, places, spans, others);
    }

    /**
     * This block as clients get it: without the parities, from which nobody reads, and without idle columns, which own
     * no keys.
     *
     * @param partitions as in {@link TableMap}
     */
    public AddressBlock forClients(int partitions) {
        int end = Math.max(0, Math.min(partitions - number * SIZE, places.size()));
        List<Place> owning = new ArrayList<>(places.subList(0, end));
        List<KeySpan> theirs = new ArrayList<>(spans.subList(0, Math.min(end, spans.size())));
        for (int k = 0; k < theirs.size(); k++) {
            if (theirs.get(k).isEmpty()) {
                owning.set(k, Place.nowhere(owning.get(k).epoch()));
                theirs.set(k, KeySpan.ALL);
            }
        }
        return new AddressBlock(table, number, version, owning, theirs);
    }
}
