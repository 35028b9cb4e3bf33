package io.sdds.coordinator.control;

import io.sdds.coordinator.state.Command;
import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.control.ControlMessage.PartitionLoad;
import io.sdds.core.model.TableDefinition.Load;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Merge control: orders the last partition of a table back into the one it came from when the table's load stays low.
 * What becomes of it: {@link SplitScheduler}.
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

    /** What bricks said of a table: the sum, of how many partitions, and of the two that would merge. */
    private static final class Reported {
        private Load all = Load.NONE;
        private int partitions;
        private @Nullable Load last;
        private @Nullable Load parent;
    }

    MergeScheduler(ControlContext our, BrickRegistry bricks) {
        this.our = our;
        this.bricks = bricks;
    }

    @Override
    public void tick() {
        long now = our.env().nowNanos();
        Map<Integer, Reported> reported = reported();
        lows.keySet().removeIf(table -> our.state().table(table) == null);
        for (TableMap table : our.state().tables()) {
            int id = table.definition().id();
            if (our.state().isMerging(id)) {
                lows.computeIfPresent(id, (merging, low) -> low.knownAt(now));
            } else if (table.definition().kind() == TableKind.HASH
                    && our.state().splitOf(id) == null
                    && !proposed.contains(id)) {
                judge(table, reported.get(id), now);
            }
        }
    }

    @Override
    public void onLeading() {
        lows.clear();
        proposed.clear();
    }

    private void judge(TableMap table, @Nullable Reported reported, long now) {
        int id = table.definition().id();
        Low before = lows.get(id);
        boolean known = reported != null && reported.partitions == table.partitions();
        if (!known
                && before != null
                && now - before.knownNanos() < our.settings().silenceNanos()) {
            return;
        }
        if (reported == null || !isLow(table, reported)) {
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
        int child = table.partitions() - 1;
        int parent = LinearHashing.parent(child);
        if (!table.definition().isReplicated()) {
            boolean moves = our.state().isMoving(id, child) || our.state().isMoving(id, parent);
            return moves ? null : new Command.BeginMerge(id, table.partitions());
        }
        return bricks.isWhole(table, child) && bricks.isWhole(table, parent)
                ? new Command.BeginGroupMerge(
                        id,
                        table.partitions(),
                        our.state().place(id, child).epoch(),
                        our.state().place(id, parent).epoch())
                : null;
    }

    private static boolean isLow(TableMap table, Reported reported) {
        return reported.partitions == table.partitions()
                && reported.last != null
                && reported.parent != null
                && table.definition().isLow(table.partitions(), reported.last, reported.parent, reported.all);
    }

    private Map<Integer, Reported> reported() {
        Map<Integer, Reported> tables = new HashMap<>();
        for (LiveBrick brick : bricks.all()) {
            if (bricks.get(brick.number()) == brick && bricks.isUp(brick)) {
                brick.loads().forEach(load -> take(tables, brick, load));
            }
        }
        return tables;
    }

    private void take(Map<Integer, Reported> tables, LiveBrick brick, PartitionLoad load) {
        TableMap table = our.state().table(load.table());
        if (table == null
                || load.partition() >= table.partitions()
                || brick.mapVersion() < table.version()
                || !SplitScheduler.isAt(our.state().place(load.table(), load.partition()), brick)) {
            return;
        }
        Reported reported = tables.computeIfAbsent(load.table(), id -> new Reported());
        Load held = new Load(load.records(), load.bytes());
        reported.all = reported.all.plus(held);
        reported.partitions++;
        int last = table.partitions() - 1;
        if (load.partition() == last) {
            reported.last = held;
        } else if (load.partition() == LinearHashing.parent(last)) {
            reported.parent = held;
        }
    }
}
