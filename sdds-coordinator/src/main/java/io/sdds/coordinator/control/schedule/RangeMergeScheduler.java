package io.sdds.coordinator.control.schedule;

import io.sdds.coordinator.control.base.ControlContext;
import io.sdds.coordinator.control.base.Reconciler;
import io.sdds.coordinator.control.member.BrickRegistry;
import io.sdds.coordinator.control.member.LiveBrick;
import io.sdds.coordinator.control.migration.MigrationTracker;
import io.sdds.coordinator.control.migration.StalledOrders;
import io.sdds.coordinator.state.Command;
import io.sdds.core.control.ControlMessage.PartitionLoad;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.TableDefinition.Load;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Merge control of range tables: orders the merge of a partition into its left neighbour when the load of both stays
 * low. {@link MigrationTracker} follows the merge.
 */
public final class RangeMergeScheduler implements Reconciler {
    /*
     * A partition's λ is fixed, so a partition can only take the keys on its right (RP*). The reports of the bricks
     * decide, as in MergeScheduler for hash tables: both partitions together have at most half of the load that splits
     * a partition, for mergeAfterNanos without a break, by reports of bricks that are up and know the present table. A
     * pair with another neighbour is another pair, and begins its wait anew.
     */
    private static final Logger log = LoggerFactory.getLogger(RangeMergeScheduler.class);

    private static final Comparator<Part> BY_KEYS =
            Comparator.comparing(part -> part.span().low(), Arrays::compareUnsigned);

    private final ControlContext our;
    private final BrickRegistry bricks;
    private final StalledOrders stalled;
    private final IntPredicate held;
    private final Map<Pair, Long> lowSinceNanos = new HashMap<>();
    private final Set<Integer> proposed = new TreeSet<>();

    /** Two neighbouring partitions with their present spans. */
    private record Pair(int table, int left, KeySpan leftSpan, int right, KeySpan rightSpan) {}

    private record Part(int number, KeySpan span, Load load) {}

    /** @param held whether no merge of a table may begin */
    public RangeMergeScheduler(ControlContext our, BrickRegistry bricks, StalledOrders stalled, IntPredicate held) {
        this.held = held;
        this.stalled = stalled;
        this.our = our;
        this.bricks = bricks;
    }

    @Override
    public void tick() {
        long now = our.env().nowNanos();
        Set<Pair> low = new HashSet<>();
        for (TableMap table : our.state().tables()) {
            if (table.definition().kind() == TableKind.RANGE
                    && !held.test(table.definition().id())) {
                judge(table, reported(table), low, now);
            }
        }
        lowSinceNanos.keySet().retainAll(low);
    }

    @Override
    public void onLeading() {
        lowSinceNanos.clear();
        proposed.clear();
    }

    private void judge(TableMap map, List<Part> parts, Set<Pair> low, long now) {
        int table = map.definition().id();
        parts.sort(BY_KEYS);
        for (int k = 1; k < parts.size(); k++) {
            Part left = parts.get(k - 1);
            Part right = parts.get(k);
            if (Arrays.equals(left.span().high(), right.span().low())
                    && map.definition().isLow(left.load(), right.load())) {
                Pair pair = new Pair(table, left.number(), left.span(), right.number(), right.span());
                low.add(pair);
                merge(map, pair, now);
            }
        }
    }

    private void merge(TableMap map, Pair pair, long now) {
        Long since = lowSinceNanos.putIfAbsent(pair, now);
        boolean due = now - (since == null ? now : since) >= our.settings().mergeAfterNanos();
        int table = pair.table();
        boolean busy = proposed.contains(table)
                || our.state().splitsOf(table).size()
                        >= map.definition().split().atOnce();
        Command command = due && !busy ? begin(map, pair) : null;
        if (command != null) {
            proposed.add(table);
            our.log().propose(command, result -> {
                proposed.remove(table);
                log.debug("merge of table {}: {}", table, result);
            });
        }
    }

    /**
     * The command of the merge. Null while the group of one of the two lacks members or changes, because this has to
     * end first.
     */
    private @Nullable Command begin(TableMap map, Pair pair) {
        int table = pair.table();
        return bricks.isWhole(map, pair.left()) && bricks.isWhole(map, pair.right())
                ? Command.BeginMigration.rangeMerge(
                        table,
                        pair.right(),
                        pair.left(),
                        pair.rightSpan(),
                        our.state().place(table, pair.right()).epoch(),
                        our.state().place(table, pair.left()).epoch())
                : null;
    }

    /**
     * The partitions without a migration whose bricks have reported since they know the present table, and whose load
     * is so low that they may merge.
     */
    private List<Part> reported(TableMap table) {
        List<Part> parts = new ArrayList<>();
        for (LiveBrick brick : bricks.all()) {
            if (bricks.get(brick.number()) == brick && bricks.isUp(brick) && brick.mapVersion() >= table.version()) {
                brick.loads(table.definition().id()).values().forEach(load -> take(parts, table, brick, load));
            }
        }
        return parts;
    }

    private void take(List<Part> parts, TableMap table, LiveBrick brick, PartitionLoad reported) {
        int id = reported.table();
        Load load = new Load(reported.records(), reported.bytes());
        if (table.definition().isLow(load, Load.NONE)
                && our.state().exists(id, reported.partition())
                && !our.state().isChanging(id, reported.partition())
                && !stalled.rests(id, reported.partition())
                && brick.leads(our.state().place(id, reported.partition()))) {
            parts.add(new Part(reported.partition(), our.state().span(id, reported.partition()), load));
        }
    }
}
