package io.sdds.coordinator.state;

import io.sdds.core.model.AddressBlock;
import io.sdds.core.model.Place;
import io.sdds.core.model.SplitOrder;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableMap;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A table as the state holds it: how far it has grown, and the place of each partition in versioned address blocks. */
final class Table {
    private final List<AddressBlock> blocks = new ArrayList<>();
    private TableMap map;
    private final ArrayList<SplitOrder> splits = new ArrayList<>();

    Table(TableDefinition definition, long version) {
        map = new TableMap(definition, 0, version);
    }

    Table(TableMap map, List<AddressBlock> blocks) {
        this.map = map;
        this.blocks.addAll(blocks);
    }

    TableMap map() {
        return map;
    }

    TableDefinition definition() {
        return map.definition();
    }

    int partitions() {
        return map.partitions();
    }

    long version() {
        return map.version();
    }

    /** The split under way that commits next, or the merge; null when there is none. */
    @Nullable
    SplitOrder split() {
        return splits.isEmpty() ? null : splits.getFirst();
    }

    /** The splits under way, in the order in which they commit: that of n. */
    List<SplitOrder> splits() {
        return List.copyOf(splits);
    }

    /** Whether the last partition is being merged: then nothing splits. */
    boolean isMerging() {
        return !splits.isEmpty() && splits.getFirst().merge();
    }

    /** M, once all splits under way have committed. */
    int partitionsOrdered() {
        return map.partitions() + (isMerging() ? 0 : splits.size());
    }

    /** Adds the split that commits last. */
    void begin(SplitOrder order) {
        splits.add(order);
    }

    /** The first split has committed. */
    void committed() {
        splits.removeFirst();
    }

    /** Takes back a split and those that can't commit without it; answers them. */
    List<SplitOrder> takeBackFrom(SplitOrder order) {
        List<SplitOrder> from = splits.subList(splits.indexOf(order), splits.size());
        List<SplitOrder> taken = List.copyOf(from);
        from.clear();
        return taken;
    }

    List<AddressBlock> blocks() {
        return List.copyOf(blocks);
    }

    @Nullable
    AddressBlock block(int number) {
        return number < 0 || number >= blocks.size() ? null : blocks.get(number);
    }

    Place place(int partition) {
        return blocks.get(partition / AddressBlock.SIZE).places().get(partition % AddressBlock.SIZE);
    }

    /** Adds partition M. */
    void append(Place place, long version) {
        int partition = map.partitions();
        int number = partition / AddressBlock.SIZE;
        List<Place> places =
                number < blocks.size() ? new ArrayList<>(blocks.get(number).places()) : new ArrayList<>();
        places.add(place);
        putBlock(number, places, version);
        map = new TableMap(map.definition(), partition + 1, version);
    }

    /** Takes the last partition away; its place. */
    Place removeLast(long version) {
        int partition = map.partitions() - 1;
        int number = partition / AddressBlock.SIZE;
        List<Place> places = new ArrayList<>(blocks.get(number).places());
        Place removed = places.removeLast();
        if (places.isEmpty()) {
            blocks.remove(number);
        } else {
            putBlock(number, places, version);
        }
        map = new TableMap(map.definition(), partition, version);
        return removed;
    }

    /** Gives a partition another place. */
    void place(int partition, Place place, long version) {
        int number = partition / AddressBlock.SIZE;
        List<Place> places = new ArrayList<>(blocks.get(number).places());
        places.set(partition % AddressBlock.SIZE, place);
        putBlock(number, places, version);
        map = new TableMap(map.definition(), map.partitions(), version);
    }

    /** Replaces the places of some partitions. */
    void replace(Replacement replacement, long version) {
        for (int number = 0; number < blocks.size(); number++) {
            List<Place> places = new ArrayList<>(blocks.get(number).places());
            boolean changed = false;
            for (int k = 0; k < places.size(); k++) {
                Place now = replacement.of(places.get(k));
                changed |= !now.equals(places.get(k));
                places.set(k, now);
            }
            if (changed) {
                putBlock(number, places, version);
                map = new TableMap(map.definition(), map.partitions(), version);
            }
        }
    }

    /** What takes a place's place; itself when nothing shall change. */
    interface Replacement {
        Place of(Place place);
    }

    private void putBlock(int number, List<Place> places, long version) {
        AddressBlock block = new AddressBlock(definition().id(), number, version, places);
        if (number == blocks.size()) {
            blocks.add(block);
        } else {
            blocks.set(number, block);
        }
    }
}
