package io.sdds.brick.parity.member;

import io.sdds.brick.group.Group.SubsumedState;
import io.sdds.brick.group.Groups;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.map.TableView;
import io.sdds.brick.partition.Request;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Parity;
import io.sdds.core.model.ParityMembers;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** The parity members of a stage: created and freed as the map says. The stage owns them by the numbers of groups. */
public final class ParityPartitions {
    private final Groups groups;
    private final BrickMap map;
    private final IntPredicate owned;
    private final JoiningMembers joins;
    private final Map<Name, ParityPartition> byName = new HashMap<>();
    private final List<Column> dirty = new ArrayList<>();

    /** The parity members whose gets may be decoded at the end of the turn. */
    private final List<DegradedReads> reading = new ArrayList<>();

    /** Number of columns of all members of {@link #byName}. */
    private int columns;

    /** Members that have ended here and whose memory is not free yet. */
    private final List<ParityPartition> freeing = new ArrayList<>();

    /** @param group the number of a parity group */
    private record Name(int table, int group) {}

    /** @param owned whether the stage owns the parity groups of a number */
    public ParityPartitions(Groups groups, BrickMap map, IntPredicate owned, JoiningMembers joins) {
        this.groups = groups;
        this.map = map;
        this.owned = owned;
        this.joins = joins;
    }

    /** Creates, updates or drops the parity member of a group at this process, because the map has changed. */
    public void take(TableView table, int group) {
        Name name = new Name(table.definition().id(), group);
        ParityMembers members = table.parities(group);
        int index = members == null ? -1 : members.indexOf(groups.self());
        ParityPartition known = byName.get(name);
        if (known != null && known.index() != index) {
            remove(name);
            end(known);
            known = null;
        }
        ParityPartition here = index < 0 || known != null ? known : begin(table, name, index);
        if (here != null) {
            for (Column column : here.columns()) {
                Place place = table.groupPlace(column.number());
                if (place != null && !place.members().isEmpty()) {
                    column.become(place);
                }
            }
        }
    }

    /**
     * The parity member that has joined here, or an empty one for columns without records; null if the map names this
     * process and it has neither. A member that lacks records must not vote.
     */
    private @Nullable ParityPartition begin(TableView table, Name name, int index) {
        ParityPartition made = joins.adopt(name.table(), name.group(), index);
        if (made == null && areColumnsNew(table, name.group())) {
            made = new ParityPartition(groups, map, this, name.table(), name.group(), index, table.parity());
        }
        if (made != null) {
            byName.put(name, made);
            columns += made.columns().size();
        }
        return made;
    }

    /** Whether all columns of a group are as their table was created, so that they began without records. */
    private static boolean areColumnsNew(TableView table, int group) {
        int first = group * table.parity().columns();
        for (int number = first; number < first + table.parity().columns(); number++) {
            Place place = table.place(number);
            boolean isNew = place == null
                    || place.none()
                    || !place.lost() && place.epoch() == Place.FIRST_EPOCH && place.migration() == 0;
            if (!isNew) {
                return false;
            }
        }
        return true;
    }

    private void remove(Name name) {
        ParityPartition removed = byName.remove(name);
        columns -= removed == null ? 0 : removed.columns().size();
    }

    /** Frees the parity members of a table that was dropped. */
    public void dropTable(int table) {
        for (ParityPartition parity : List.copyOf(byName.values())) {
            if (parity.table() == table) {
                remove(new Name(table, parity.group()));
                end(parity);
            }
        }
    }

    /** Ends a parity member that is not here any more. Its memory is freed in the background. */
    public void end(ParityPartition parity) {
        dirty.removeAll(parity.columns());
        parity.release();
        reading.remove(parity.reads());
        freeing.add(parity);
    }

    /** Forgets the results of sessions that the map lists as ended. */
    public void dropEnded(LongPredicate ended) {
        forEachColumn(column -> column.results().dropEnded(ended));
    }

    /** Bytes of the results that the stage keeps for columns. */
    public long resultBytes() {
        long[] bytes = new long[1];
        forEachColumn(column -> bytes[0] += column.results().bytes());
        return bytes[0];
    }

    /** Visits all parity members of the stage. */
    public void forEach(Consumer<ParityPartition> action) {
        byName.values().forEach(action);
    }

    private void forEachColumn(Consumer<Column> action) {
        forEach(parity -> parity.columns().forEach(action));
        joins.forEachColumn(action);
    }

    /** Number of columns that this stage protects. */
    public int columns() {
        return columns + joins.columns();
    }

    /** The parity member of a data partition's group; null if this stage has none. */
    public @Nullable ParityPartition of(int table, int number) {
        TableView view = map.table(table);
        return view == null || view.parity().isNone() || number < 0
                ? null
                : byName.get(new Name(table, view.parity().group(number)));
    }

    /**
     * Takes a request of a degraded column that a parity member of this brick leads by the map, if there is such a
     * member.
     *
     * @return false if the map names no such member, so that the request is not taken
     */
    public boolean takesDegraded(Request request, int number) {
        TableView table = map.table(request.table);
        Place place = table == null ? null : table.place(number);
        if (table == null
                || place == null
                || !place.primary().equals(groups.self())
                || !table.isDegraded(number, place)) {
            return false;
        }
        int group = table.parity().group(number);
        if (owned.test(group)) {
            Column column = column(request.table, number);
            if (column == null || !column.leads()) {
                return false;
            }
            column.parity().reads().take(column, request);
        } else {
            groups.toParity(request, group);
        }
        return true;
    }

    /** The column of a data partition; null if this stage has no parity member of its group. */
    public @Nullable Column column(int table, int number) {
        ParityPartition here = of(table, number);
        return here == null ? null : here.columns().get(here.parity().column(number));
    }

    /**
     * How a split or merge has ended at a column that this stage leads, because the column's primary is gone. The
     * column's log decides, once it is closed: HANDOVER or SUBSUME is committed at the sender, or never will be. ABSORB
     * at the receiver of a merge ends the merge.
     *
     * @return null if this stage leads no such column, the log is not closed yet, or the receiver of a merge is to
     *     decide
     */
    public @Nullable MigrationState outcome(MigrationOrder order) {
        if (order.isMerge()) {
            Column parent = column(order.table(), order.receiver());
            if (parent != null && parent.isClosed() && parent.absorbed() == order.id()) {
                return MigrationState.HANDED_OVER;
            }
        }
        Column sender = column(order.table(), order.sender());
        if (sender == null || !sender.isClosed()) {
            return null;
        }
        if (sender.handedOver() != order.id()) {
            return MigrationState.ABANDONED;
        }
        return order.isMerge() ? null : MigrationState.HANDED_OVER;
    }

    /**
     * The state of a merged child at its SUBSUME, if this stage leads the child's column and SUBSUME is committed; else
     * null. The parent must be asked to absorb the records then.
     */
    public @Nullable SubsumedState subsumed(MigrationOrder merge) {
        Column child = column(merge.table(), merge.sender());
        return child == null || !child.isClosed() ? null : child.subsumedBy(merge.id());
    }

    /** The m of a table for a member of a partition's group that is a parity member, or joins as one; else 0. */
    public int columnsAt(int table, int number, Member member) {
        TableView view = map.table(table);
        if (view == null || view.parity().isNone()) {
            return 0;
        }
        ParityMembers parities = view.paritiesOf(number);
        boolean named = parities != null && parities.indexOf(member) >= 0;
        return named || joins(table, view.parity(), number, member)
                ? view.parity().columns()
                : 0;
    }

    private boolean joins(int table, Parity parity, int number, Member member) {
        return map.migrations().stream()
                .anyMatch(order -> order.isParity()
                        && order.table() == table
                        && order.learner().equals(member)
                        && parity.group(order.sender()) == parity.group(number));
    }

    // ---- turns

    public void dirty(Column column) {
        if (dirty.isEmpty() || dirty.get(dirty.size() - 1) != column) {
            dirty.add(column);
        }
    }

    /** Gets wait for decoded records, or a decoding has ended. */
    public void dirty(DegradedReads reads) {
        if (!reading.contains(reads)) {
            reading.add(reads);
        }
    }

    /** At the end of a turn: sends the frames that are due. */
    public void flush() {
        for (int k = 0; k < reading.size(); k++) {
            reading.get(k).flush();
        }
        reading.clear();
        for (int k = 0; k < dirty.size(); k++) {
            dirty.get(k).flush();
        }
        dirty.clear();
    }

    /** A link to another brick is up: sends the frames that waited for the link. */
    public void onLinkUp() {
        forEachColumn(column -> {
            if (column.leads()) {
                dirty(column);
            }
        });
    }

    /** Each 100 ms. */
    public void tick() {
        forEach(ParityPartition::tick);
        freeing.removeIf(parity -> !parity.free());
    }

    /** The node ends. */
    public void release() {
        forEach(ParityPartition::release);
        byName.clear();
    }
}
