package io.sdds.coordinator.state;

import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.model.AddressBlock;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.TableMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A copy of the map that is kept by updates. */
public final class MapCopy {
    private long version;
    private long sessionNext;
    private List<Long> sessionsActive = List.of();
    private List<MigrationOrder> splits = List.of();
    private List<MigrationOrder> repairs = List.of();
    private final Map<Integer, BrickInfo> bricks = new TreeMap<>();
    private final Map<Integer, TableMap> tables = new TreeMap<>();
    private final Map<Integer, Map<Integer, AddressBlock>> blocks = new TreeMap<>();

    /**
     * Applies an update that begins at or before the copy's version. An update that ends before the copy's version
     * changes nothing.
     */
    public void take(MapUpdate update) {
        if (update.fromVersion() > version) {
            throw new AssertionError("update from " + update.fromVersion() + " for a copy at " + version);
        }
        if (update.toVersion() < version) {
            return;
        }
        version = update.toVersion();
        update.bricks().forEach(brick -> bricks.put(brick.number(), brick));
        update.tables().forEach(table -> tables.put(table.definition().id(), table));
        update.blocks()
                .forEach(block -> blocks.computeIfAbsent(block.table(), t -> new TreeMap<>())
                        .put(block.number(), block));
        for (int dropped : update.droppedTables()) {
            tables.remove(dropped);
            blocks.remove(dropped);
        }
        splits = update.migrations().stream().filter(MigrationOrder::isTransfer).toList();
        repairs = update.migrations().stream().filter(MigrationOrder::isRepair).toList();
        if (update.sessionNext() != 0) {
            sessionNext = update.sessionNext();
            sessionsActive = update.sessionsActive();
        }
    }

    public long version() {
        return version;
    }

    public List<MigrationOrder> splits() {
        return splits;
    }

    public List<MigrationOrder> repairs() {
        return repairs;
    }

    public List<BrickInfo> bricks() {
        return List.copyOf(bricks.values());
    }

    public List<TableMap> tables() {
        return List.copyOf(tables.values());
    }

    public List<AddressBlock> blocks(int table) {
        TableMap map = tables.get(table);
        return blocks.getOrDefault(table, Map.of()).values().stream()
                .filter(block -> map != null
                        && (map.definition().hasParity() || block.number() * AddressBlock.SIZE < map.partitions()))
                .toList();
    }

    /** Whether a session has ended, by this copy of the map. */
    public boolean hasEnded(long session) {
        return session < sessionNext && !sessionsActive.contains(session);
    }
}
