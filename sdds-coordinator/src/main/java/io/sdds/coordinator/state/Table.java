package io.sdds.coordinator.state;

import io.sdds.coordinator.state.ClusterSnapshot.UnusedColumn;
import io.sdds.core.model.AddressBlock;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.MigrationKind;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Parity;
import io.sdds.core.model.ParityMembers;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A table in the replicated state: its number of partitions, and the place of each partition in versioned address
 * blocks. A table with parity may have idle columns, which have a place and own no keys (docs/design/parity.md, rule
 * 30).
 */
final class Table {
    private final List<AddressBlock> blocks = new ArrayList<>();
    private TableMap map;

    /** Number of backups of all partitions. */
    private int backups;

    /** All partition numbers below this one are in use. */
    private int freeFrom;

    private final ArrayList<MigrationOrder> splits = new ArrayList<>();
    private final ArrayList<MigrationOrder> moves = new ArrayList<>();

    /** The recoveries and parity orders under way. */
    private final ArrayList<MigrationOrder> repairs = new ArrayList<>();

    /** The columns that began idle and empty, and that no split has named since; the map version since when. */
    private final TreeMap<Integer, Long> unused = new TreeMap<>();

    Table(TableDefinition definition, long version) {
        map = new TableMap(definition, 0, version);
    }

    Table(TableMap map, List<AddressBlock> blocks, List<UnusedColumn> unusedColumns) {
        this.map = map;
        this.blocks.addAll(blocks);
        unusedColumns.forEach(column -> unused.put(column.column(), column.since()));
        this.backups = blocks.stream().mapToInt(Table::backups).sum();
    }

    TableMap map() {
        return map;
    }

    TableDefinition definition() {
        return map.definition();
    }

    /** M of a hash table; of a range table a number above all numbers of its partitions. */
    int partitions() {
        return map.partitions();
    }

    /** P, a number above the numbers of all partitions and idle columns. It is M if the table has no idle columns. */
    int columns() {
        return blocks.isEmpty()
                ? 0
                : (blocks.size() - 1) * AddressBlock.SIZE
                        + blocks.getLast().places().size();
    }

    /** Whether a partition or an idle column has this number, so that the number has a place. */
    boolean hasColumn(int number) {
        return number >= 0 && number < columns() && !place(number).none();
    }

    /** Whether a column owns no keys. */
    boolean isIdle(int column) {
        return isRange() ? span(column).isEmpty() : column >= partitions();
    }

    /**
     * The map version in which a column began idle and empty, if no split has named it since, so that it never had a
     * record; else 0.
     */
    long unusedSince(int column) {
        return unused.getOrDefault(column, 0L);
    }

    /** The columns that never had a record. */
    List<UnusedColumn> unused() {
        List<UnusedColumn> list = new ArrayList<>();
        unused.forEach((column, since) -> list.add(new UnusedColumn(column, since)));
        return list;
    }

    /** An idle column begins empty, at a process that it never was at. */
    void beginsUnused(int column, long version) {
        unused.put(column, version);
    }

    long version() {
        return map.version();
    }

    /** The split under way that commits next, or the merge; null when there is none. */
    @Nullable
    MigrationOrder split() {
        return splits.isEmpty() ? null : splits.getFirst();
    }

    /** The splits under way, in the order in which they commit, which is the order of n; or the merge. */
    List<MigrationOrder> splits() {
        return List.copyOf(splits);
    }

    /** The moves under way. */
    List<MigrationOrder> moves() {
        return List.copyOf(moves);
    }

    /** The recoveries and parity orders under way, of a table with parity. */
    List<MigrationOrder> repairs() {
        return List.copyOf(repairs);
    }

    /** Whether the first order under way is a merge. While a hash table merges, it does not split. */
    boolean isMerging() {
        return !splits.isEmpty() && splits.getFirst().isMerge();
    }

    /** Whether the partitions are replica groups, or some still have backups. */
    boolean isReplicated() {
        return definition().isReplicated() || backups > 0;
    }

    /**
     * Whether the number of replicas was lowered to one, and backups are left. A split of groups ends in another way
     * than one of single copies, so no partition splits or merges until they have left.
     */
    boolean becomesOneCopy() {
        return !definition().isReplicated() && !definition().hasParity() && backups > 0;
    }

    private static int backups(AddressBlock block) {
        return block.places().stream().mapToInt(place -> place.backups().size()).sum();
    }

    /** Changes the properties of the table. The number of partitions stays. */
    void redefine(TableDefinition definition, long version) {
        map = new TableMap(definition, map.partitions(), version);
    }

    /** Divides the partitions into parity groups that still stand on replicas. */
    void convert(TableDefinition definition, long version) {
        redefine(definition, version);
        for (AddressBlock block : List.copyOf(blocks)) {
            int groups = parity().groups(block.places().size());
            ParityMembers joining = ParityMembers.joining(parity().parities());
            blocks.set(block.number(), block.withParities(Collections.nCopies(groups, joining), version));
        }
    }

    /** A number of a range table without a partition becomes an idle column. */
    void fillHole(int number, Place place, long version) {
        put(number, place, KeySpan.EMPTY, version);
        beginsUnused(number, version);
    }

    /**
     * Ends the parity groups of a table whose groups all stand on replicas. Their idle columns have no place any more.
     * The highest numbers without a place leave the table, so that a hash table has M places.
     */
    void endParity(TableDefinition definition, long version) {
        int left = columns();
        while (isRange() ? place(left - 1).none() : left > map.partitions()) {
            left--;
        }
        for (AddressBlock block : List.copyOf(blocks)) {
            int first = block.number() * AddressBlock.SIZE;
            List<Place> places = block.places()
                    .subList(0, Math.clamp(left - first, 0, block.places().size()));
            List<KeySpan> spans = isRange()
                    ? IntStream.range(0, places.size())
                            .mapToObj(k -> places.get(k).none()
                                    ? KeySpan.ALL
                                    : block.spans().get(k))
                            .toList()
                    : List.of();
            blocks.set(block.number(), new AddressBlock(definition.id(), block.number(), version, places, spans));
        }
        blocks.removeIf(block -> block.places().isEmpty());
        unused.clear();
        map = new TableMap(definition, left, version);
    }

    /** Whether a partition is a member of a parity group that stands on parity. */
    boolean standsOnParity(int partition) {
        return definition().hasParity() && parities(parity().group(partition)).inForce();
    }

    /** Whether the partitions have spans of keys. */
    boolean isRange() {
        return definition().kind() == TableKind.RANGE;
    }

    /** The span of an existing partition of a range table. */
    KeySpan span(int partition) {
        return blocks.get(partition / AddressBlock.SIZE).spans().get(partition % AddressBlock.SIZE);
    }

    /** Whether a partition has this number. */
    boolean exists(int partition) {
        return hasColumn(partition) && !isIdle(partition);
    }

    /**
     * The lowest number that no partition of a range table has, and no split under way will give. An idle column may
     * have it.
     */
    int freeNumber() {
        while (exists(freeFrom)) {
            freeFrom++;
        }
        int number = freeFrom;
        while (exists(number) || isOrdered(number)) {
            number++;
        }
        return number;
    }

    private boolean isOrdered(int child) {
        return splits.stream().anyMatch(order -> order.child() == child);
    }

    /** Whether a partition splits, merges or moves. */
    boolean isChanging(int partition) {
        return isMoving(partition)
                || splits.stream().anyMatch(order -> order.parent() == partition || order.child() == partition);
    }

    /** Whether a partition is the one whose keys a split or merge under way copies. */
    boolean isSending(int partition) {
        return splits.stream().anyMatch(order -> order.sender() == partition);
    }

    /**
     * Whether a split or merge under way copies the keys of a column of a parity group. A parity that joins now would
     * not know from the column's log whether the keys were handed over.
     */
    boolean isSendingAny(ParityGroup group) {
        return splits.stream().anyMatch(order -> group.has(order.sender()));
    }

    boolean isMoving(int partition) {
        return moves.stream().anyMatch(order -> order.parent() == partition);
    }

    /** M after all splits under way have committed. */
    int partitionsOrdered() {
        return map.partitions() + (isMerging() ? 0 : splits.size());
    }

    /** Whether a migration may commit now. The splits of a hash table commit one after the other. */
    boolean commitsNext(MigrationOrder order) {
        return isRange() || !splits.contains(order) || order == split();
    }

    /**
     * Adds a migration. A new split commits last. The table does not keep the migrations of learners, because they
     * change no partition.
     */
    void begin(MigrationOrder order) {
        if (order.kind() == MigrationKind.SPLIT) {
            unused.remove(order.child());
        }
        if (order.isRepair()) {
            repairs.add(order);
        } else if (!order.isLearner()) {
            (order.isMove() ? moves : splits).add(order);
        }
    }

    /** Removes a migration that has committed. Of a hash table's splits this is the first one. */
    void committed(MigrationOrder order) {
        (order.isMove() ? moves : splits).remove(order);
    }

    /**
     * Takes back a split and the splits that can't commit without it. Returns all of them. Splits of a range table,
     * moves and repairs commit independently, so only the given one is taken back.
     */
    List<MigrationOrder> takeBackFrom(MigrationOrder order) {
        if (order.isMove() || order.isLearner() || order.isRepair()) {
            moves.remove(order);
            repairs.remove(order);
            return List.of(order);
        }
        int first = splits.indexOf(order);
        List<MigrationOrder> from = splits.subList(first, isRange() ? first + 1 : splits.size());
        List<MigrationOrder> taken = List.copyOf(from);
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

    /** Adds partition M to a table without idle columns. */
    void append(Place place, long version) {
        append(place, KeySpan.ALL, version);
        map = new TableMap(map.definition(), columns(), version);
    }

    /** Adds an idle column behind the last column. */
    void appendIdle(Place place, long version) {
        append(place, KeySpan.EMPTY, version);
        beginsUnused(columns() - 1, version);
        map = new TableMap(map.definition(), isRange() ? columns() : map.partitions(), version);
    }

    private void append(Place place, KeySpan span, long version) {
        int number = columns() / AddressBlock.SIZE;
        List<Place> places =
                number < blocks.size() ? new ArrayList<>(blocks.get(number).places()) : new ArrayList<>();
        places.add(place);
        putBlock(number, places, isRange() ? withSpan(number, span) : List.of(), version);
    }

    /**
     * The first idle column of a hash table becomes partition M, or partition M - 1 an idle column. The block of the
     * column gets the version, because clients see another block now.
     *
     * @param partitions M from now on
     */
    void resize(int partitions, long version) {
        AddressBlock block = blocks.get(Math.min(partitions, map.partitions()) / AddressBlock.SIZE);
        putBlock(block.number(), block.places(), block.spans(), version);
        map = new TableMap(map.definition(), partitions, version);
    }

    private List<KeySpan> withSpan(int block, KeySpan span) {
        List<KeySpan> spans =
                block < blocks.size() ? new ArrayList<>(blocks.get(block).spans()) : new ArrayList<>();
        spans.add(span);
        return spans;
    }

    /** A partition of a range table has split: the upper keys now belong to a new partition. */
    void divide(MigrationOrder split, Place place, long version) {
        put(
                split.parent(),
                place(split.parent()),
                span(split.parent()).upTo(split.span().low()),
                version);
        while (columns() <= split.child()) {
            append(Place.nowhere(epochOfHole(columns(), version)), version);
        }
        put(split.child(), place, split.span(), version);
    }

    /**
     * The epoch of a number without a partition. No partition of this number had a later epoch, and a partition that is
     * under way to this number has the next epoch.
     */
    private long epochOfHole(int number, long version) {
        return splits.stream()
                .filter(order -> order.child() == number)
                .mapToLong(order -> order.target().epoch() - 1)
                .findFirst()
                .orElse(version);
    }

    /**
     * A partition of a range table has merged with its right neighbour. In a table with parity the neighbour becomes an
     * idle column. In other tables it exists no more.
     */
    void join(MigrationOrder merge, long version) {
        Place merged = place(merge.child());
        freeFrom = Math.min(freeFrom, merge.child());
        put(
                merge.parent(),
                place(merge.parent()),
                span(merge.parent()).upTo(merge.span().high()),
                version);
        if (definition().hasParity()) {
            put(merge.child(), merged, KeySpan.EMPTY, version);
            return;
        }
        put(merge.child(), Place.nowhere(merged.epoch() + 1), KeySpan.ALL, version);
        while (place(columns() - 1).none()) {
            removeLast(version);
        }
    }

    private void put(int partition, Place place, KeySpan span, long version) {
        AddressBlock block = blocks.get(partition / AddressBlock.SIZE);
        List<Place> places = new ArrayList<>(block.places());
        List<KeySpan> spans = new ArrayList<>(block.spans());
        places.set(partition % AddressBlock.SIZE, place);
        spans.set(partition % AddressBlock.SIZE, span);
        putBlock(block.number(), places, spans, version);
        map = new TableMap(map.definition(), map.partitions(), version);
    }

    /** Removes the last partition of a table without parity. */
    void removeLast(long version) {
        int partition = map.partitions() - 1;
        unused.remove(partition);
        int number = partition / AddressBlock.SIZE;
        List<Place> places = new ArrayList<>(blocks.get(number).places());
        places.removeLast();
        if (places.isEmpty()) {
            backups -= backups(blocks.remove(number));
        } else {
            List<KeySpan> spans = new ArrayList<>(blocks.get(number).spans());
            if (!spans.isEmpty()) {
                spans.removeLast();
            }
            putBlock(number, places, spans, version);
        }
        map = new TableMap(map.definition(), partition, version);
    }

    /** Gives a partition another place. */
    void place(int partition, Place place, long version) {
        int number = partition / AddressBlock.SIZE;
        List<Place> places = new ArrayList<>(blocks.get(number).places());
        places.set(partition % AddressBlock.SIZE, place);
        putBlock(number, places, blocks.get(number).spans(), version);
        map = new TableMap(map.definition(), map.partitions(), version);
    }

    /** The parities of a group of a table with parity. */
    ParityMembers parities(int group) {
        int inBlock = AddressBlock.SIZE / parity().columns();
        return blocks.get(group / inBlock).parities().get(group % inBlock);
    }

    /** Whether two columns of a parity group are at one brick: there, or led by a parity there. */
    boolean sharesBrick(int group) {
        int first = group * parity().columns();
        int end = Math.min(first + parity().columns(), columns());
        for (int column = first; column < end; column++) {
            int brick = place(column).brick();
            for (int other = first; other < column && brick >= 0; other++) {
                if (place(other).brick() == brick) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Number of the table's parity groups, those of idle columns included; 0 without parity. */
    int groups() {
        return parity().groups(columns());
    }

    private Parity parity() {
        return definition().parity();
    }

    /** Adds the parities of the last group, of which a column has been added. */
    void appendParities(ParityMembers members, long version) {
        AddressBlock block = blocks.getLast();
        List<ParityMembers> parities = new ArrayList<>(block.parities());
        parities.add(members);
        blocks.set(blocks.size() - 1, block.withParities(parities, version));
    }

    /** Gives the columns of a group other places, and the group other parities. */
    void replaceGroup(int group, List<Place> columns, ParityMembers members, long version) {
        int m = parity().columns();
        int inBlock = AddressBlock.SIZE / m;
        AddressBlock block = blocks.get(group / inBlock);
        int first = group % inBlock * m;
        List<Place> places = new ArrayList<>(block.places());
        for (int column = 0; column < columns.size(); column++) {
            places.set(first + column, columns.get(column));
        }
        List<ParityMembers> parities = new ArrayList<>(block.parities());
        parities.set(group % inBlock, members);
        putBlock(block.number(), places, block.spans(), version);
        blocks.set(block.number(), blocks.get(block.number()).withParities(parities, version));
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
                putBlock(number, places, blocks.get(number).spans(), version);
                map = new TableMap(map.definition(), map.partitions(), version);
            }
        }
    }

    /** Replaces a place. */
    interface Replacement {
        Place of(Place place);
    }

    private void putBlock(int number, List<Place> places, List<KeySpan> spans, long version) {
        List<ParityMembers> parities =
                number < blocks.size() ? blocks.get(number).parities() : List.of();
        AddressBlock block = new AddressBlock(definition().id(), number, version, places, spans, parities);
        backups += backups(block);
        if (number == blocks.size()) {
            blocks.add(block);
        } else {
            backups -= backups(blocks.set(number, block));
        }
    }
}
