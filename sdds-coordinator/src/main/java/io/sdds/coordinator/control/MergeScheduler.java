package io.sdds.coordinator.control;

import io.sdds.coordinator.state.Command;
import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.control.ControlMessage.PartitionLoad;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableDefinition.Load;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Merge control: orders the last partition of a table back into the one it came from when the table's load stays low.
 * What becomes of it: {@link MigrationTracker}.
 */
final class MergeScheduler implements Reconciler {
    /*
     * Low is judged from what bricks report (TableDefinition.isLow): below half of the load that splits, of the
     * partition that would come out of the merge and of the table at large; by reports of every partition, from bricks
     * that are up and know the table as it is now, so that nothing merges while something is lost or away. It must last
     * without a break, but for the merges themselves, and the moment after one in which the bricks have not reported of
     * the table as it is now; a split, or a merge that was given up, begins the wait anew. So whatever merges waited
     * once, and what was merged must double before it splits: there is no loop of both.
     */
    private static final Logger log = LoggerFactory.getLogger(MergeScheduler.class);

    private final ControlContext our;
    private final BrickRegistry bricks;
    private final Map<Integer, Low> lows = new TreeMap<>();
    private final Set<Integer> proposed = new TreeSet<>();

    /**
     * A table's load is low.
     *
     * @param knownNanos when it was last known to be; a merge takes its time
     * @param partitions when it was looked at last
     * @param ordered whether a merge was ordered then
     */
    private record Low(long sinceNanos, long knownNanos, int partitions, boolean ordered) {
        Low knownAt(long nanos) {
            return new Low(sinceNanos, nanos, partitions, ordered);
        }
    }

    /** What bricks said of a table: the sum, and of how many partitions. */
    private static final class Reported {
        private Load all = Load.NONE;
        private int partitions;
    }

    MergeScheduler(ControlContext our, BrickRegistry bricks) {
        this.our = our;
        this.bricks = bricks;
    }

    @Override
    public void tick() {
        long now = our.env().nowNanos();
        lows.keySet().removeIf(table -> our.state().table(table) == null);
        for (TableMap table : our.state().tables()) {
            int id = table.definition().id();
            if (our.state().isMerging(id)) {
                lows.computeIfPresent(id, (merging, low) -> low.knownAt(now));
            } else if (table.definition().kind() == TableKind.HASH
                    && our.state().splitOf(id) == null
                    && !proposed.contains(id)) {
                judge(table, now);
            }
        }
    }

    @Override
    public void onLeading() {
        lows.clear();
        proposed.clear();
    }

    private void judge(TableMap table, long now) {
        int id = table.definition().id();
        if (mayNotMerge(table)) {
            lows.remove(id);
            return;
        }
        Low before = lows.get(id);
        Reported reported = reported(table);
        boolean known = reported.partitions == table.partitions();
        if (!known
                && before != null
                && now - before.knownNanos() < our.settings().silenceNanos()) {
            return;
        }
        if (!known || !isLow(table, reported.all)) {
            lows.remove(id);
            return;
        }
        boolean goesOn = before != null
                && table.partitions() <= before.partitions()
                && !(before.ordered() && table.partitions() == before.partitions());
        long since = before != null && goesOn ? before.sinceNanos() : now;
        boolean due = now - since >= our.settings().mergeAfterNanos();
        Command begin = due ? begin(table) : null;
        lows.put(id, new Low(since, now, table.partitions(), begin != null));
        if (begin != null) {
            proposed.add(id);
            our.log().propose(begin, result -> {
                proposed.remove(id);
                log.debug("merge of table {}: {}", id, result);
            });
        }
    }

    /**
     * Null while one of the two moves; or, of two replica groups, lacks members, or gets or loses one: that comes
     * first.
     */
    private @Nullable Command begin(TableMap table) {
        int id = table.definition().id();
        int child = last(table);
        int parent = parent(table);
        boolean moves = our.state().isMoving(id, child) || our.state().isMoving(id, parent);
        return !moves && bricks.isWhole(table, child) && bricks.isWhole(table, parent)
                ? Command.BeginMigration.merge(
                        id,
                        table.partitions(),
                        our.state().place(id, child).epoch(),
                        our.state().place(id, parent).epoch())
                : null;
    }

    /** Whether the last two alone say no, as in a table that grows: the other partitions need not be looked at. */
    private boolean mayNotMerge(TableMap table) {
        if (table.partitions() <= table.definition().firstPartitions()) {
            return true;
        }
        boolean known = reported(table, last(table)) != null && reported(table, parent(table)) != null;
        return known && !isLow(table, Load.NONE);
    }

    private boolean isLow(TableMap table, Load all) {
        Load last = reported(table, last(table));
        Load parent = reported(table, parent(table));
        return last != null && parent != null && table.definition().isLow(table.partitions(), last, parent, all);
    }

    private static int last(TableMap table) {
        return table.partitions() - 1;
    }

    private static int parent(TableMap table) {
        return LinearHashing.parent(last(table));
    }

    private Reported reported(TableMap table) {
        Reported reported = new Reported();
        for (LiveBrick brick : bricks.all()) {
            if (counts(brick, table)) {
                brick.loads(table.definition().id()).values().forEach(load -> take(reported, table, brick, load));
            }
        }
        return reported;
    }

    private void take(Reported reported, TableMap table, LiveBrick brick, PartitionLoad load) {
        if (load.partition() < table.partitions() && brick.leads(our.state().place(load.table(), load.partition()))) {
            reported.all = reported.all.plus(new Load(load.records(), load.bytes()));
            reported.partitions++;
        }
    }

    /** What the brick of a partition said of it; null when it said nothing since it knows the table as it is. */
    private @Nullable Load reported(TableMap table, int partition) {
        int id = table.definition().id();
        Place place = our.state().place(id, partition);
        LiveBrick brick = bricks.get(place.brick());
        PartitionLoad load =
                brick != null && brick.leads(place) && counts(brick, table) ? brick.load(id, partition) : null;
        return load == null ? null : new Load(load.records(), load.bytes());
    }

    /** Whether a brick's reports are of a process that is up and knows the table as it is. */
    private boolean counts(LiveBrick brick, TableMap table) {
        return bricks.get(brick.number()) == brick && bricks.isUp(brick) && brick.mapVersion() >= table.version();
    }
}
