package io.sdds.brick.map;

import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.model.AddressBlock;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A table as this brick knows it: how far it has grown and where its partitions are. */
public final class TableView {
    private final TableDefinition definition;
    private int partitions;
    private long version;
    private @Nullable Place[] places = new Place[1];
    private long[] blockVersions = new long[1];

    TableView(TableMap table) {
        definition = table.definition();
        take(table);
    }

    public TableDefinition definition() {
        return definition;
    }

    /** M, the partitions known to exist. */
    public int partitions() {
        return partitions;
    }

    /** The table for those who ask. */
    public TableMap toTableMap() {
        return new TableMap(definition, partitions, version);
    }

    /** Where the partition is, or null when that is not known here. */
    public @Nullable Place place(int partition) {
        return partition < places.length ? places[partition] : null;
    }

    /** The nearest partition to {@code partition} whose place is known: itself, or what it came from, or what that came from. */
    public int knownAncestor(int partition) {
        int known = partition;
        while (known > 0 && place(known) == null) {
            known = LinearHashing.parent(known);
        }
        return known;
    }

    /** The places of a block as far as they are known, for those who ask. */
    public AddressBlock block(int number) {
        List<Place> known = new ArrayList<>();
        int first = number * AddressBlock.SIZE;
        for (int a = first; a < Math.min(partitions, first + AddressBlock.SIZE); a++) {
            Place place = place(a);
            if (place == null) {
                break;
            }
            known.add(place);
        }
        long blockVersion = number < blockVersions.length ? blockVersions[number] : 0;
        return new AddressBlock(definition.id(), number, blockVersion, known);
    }

    /** A split that this brick committed itself, before the coordinator's map says so. */
    public void splitCommitted(int child, Place place) {
        set(child, place);
        partitions = Math.max(partitions, child + 1);
    }

    /** A merge that was handed over here, before the coordinator's map says so. */
    public void mergeCommitted(int child) {
        partitions = Math.min(partitions, child);
    }

    void take(TableMap table) {
        if (table.version() > version) {
            partitions = table.partitions();
            version = table.version();
        }
    }

    void take(AddressBlock block) {
        if (block.number() >= blockVersions.length) {
            blockVersions = Arrays.copyOf(blockVersions, Math.max(block.number() + 1, blockVersions.length * 2));
        }
        if (block.version() < blockVersions[block.number()]) {
            return;
        }
        blockVersions[block.number()] = block.version();
        for (int k = 0; k < block.places().size(); k++) {
            set(block.number() * AddressBlock.SIZE + k, block.places().get(k));
        }
        int end = Math.min(places.length, (block.number() + 1) * AddressBlock.SIZE);
        for (int a = block.number() * AddressBlock.SIZE + block.places().size(); a < end; a++) {
            places[a] = null; // merged since
        }
    }

    private void set(int partition, Place place) {
        if (partition >= places.length) {
            places = Arrays.copyOf(places, Math.max(partition + 1, places.length * 2));
        }
        places[partition] = place;
    }
}
