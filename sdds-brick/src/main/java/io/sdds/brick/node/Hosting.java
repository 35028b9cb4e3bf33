package io.sdds.brick.node;

import io.sdds.brick.map.BrickMap;
import io.sdds.brick.map.TableView;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.partition.HashPartition;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.RangePartition;
import io.sdds.brick.partition.Tables;
import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.model.AddressBlock;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableKind;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Keeps what lives on this stage to what the map says: creates, frees, splits, merges. */
final class Hosting {
    private final BrickMap map;
    private final Tables tables;
    private final RecordStore store;
    private final Splits splits;
    private final IntPredicate owned;
    private final Runnable created;

    /**
     * @param owned whether a partition's number belongs to this stage
     * @param created runs after a partition was created: whoever created the table waits for this brick to know
     */
    Hosting(BrickMap map, Tables tables, RecordStore store, Splits splits, IntPredicate owned, Runnable created) {
        this.map = map;
        this.tables = tables;
        this.store = store;
        this.splits = splits;
        this.owned = owned;
        this.created = created;
    }

    /** Takes what changed in the map; false when it begins beyond what is known here. */
    boolean take(MapUpdate update, BrickInfo self) {
        if (!map.apply(update, this::dropTable)) {
            return false;
        }
        for (AddressBlock block : update.blocks()) {
            createPlacedHere(block, self);
        }
        if (update.sessionNext() != 0) {
            tables.forEach(partition -> partition.results().dropEnded(map::sessionEnded));
        }
        splits.reconcile(self);
        return true;
    }

    /** A partition that begins empty (stream 0), placed with this very process, and never had by it. */
    private void createPlacedHere(AddressBlock block, BrickInfo self) {
        for (int k = 0; k < block.places().size(); k++) {
            Place place = block.places().get(k);
            int number = block.number() * AddressBlock.SIZE + k;
            boolean here = place.brick() == self.number() && place.incarnation() == self.incarnation();
            if (here
                    && owned.test(number)
                    && place.stream() == 0
                    && tables.find(block.table(), number) == null
                    && !splits.isMerged(block.table(), number)) {
                TableView table = map.table(block.table());
                Partition partition = empty(table, block, k);
                partition.ttlMillis(table == null ? 0 : table.definition().ttlMillis());
                tables.add(partition);
                created.run();
            }
        }
    }

    private Partition empty(@Nullable TableView table, AddressBlock block, int index) {
        int number = block.number() * AddressBlock.SIZE + index;
        if (table != null && table.definition().kind() == TableKind.RANGE) {
            return new RangePartition(block.table(), number, block.spans().get(index), 0, store);
        }
        int level = table == null ? 0 : LinearHashing.levelOf(number, table.partitions());
        return new HashPartition(block.table(), number, level, 0, store);
    }

    private void dropTable(int table) {
        for (Partition partition : tables.removeTable(table)) {
            splits.free(partition);
        }
    }
}
