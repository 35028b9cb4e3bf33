package io.sdds.coordinator.control.parity;

import io.sdds.coordinator.control.base.ControlContext;
import io.sdds.coordinator.control.member.BrickRegistry;
import io.sdds.coordinator.control.member.LiveBrick;
import io.sdds.coordinator.control.placement.Allocator;
import io.sdds.coordinator.control.placement.Loads;
import io.sdds.coordinator.control.placement.Placement.Candidate;
import io.sdds.coordinator.state.Command;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides for a table with parity what comes next of a split that is wanted: an idle column, or the split itself. */
public final class ColumnSplits {
    /*
     * docs/design/parity.md, rules 30 and 31. The child is an idle column, which the parities of its group protect
     * before it gets a record. So the column is added first, and the split is ordered at a later heartbeat. Both wait
     * while a parity group of the two columns lacks a member or is repaired: its columns are about to get other epochs,
     * and the split would be given up. The brick of a new column may be dead already, though nobody has missed it yet.
     * Its loss costs nothing while the column never had a record. So the split waits until that brick was heard since.
     */
    private final ControlContext our;
    private final Allocator allocator;
    private final BrickRegistry bricks;

    /**
     * A split that is wanted.
     *
     * @param child the number of the column that will get the keys
     * @param span of a range table: the keys of the child
     */
    public record Wanted(TableMap table, int parent, int child, KeySpan span) {}

    public ColumnSplits(ControlContext our, Allocator allocator, BrickRegistry bricks) {
        this.our = our;
        this.allocator = allocator;
        this.bricks = bricks;
    }

    /**
     * The next command of a split; null when the split has to wait.
     *
     * @param splitsMost a brick that takes so many splits is avoided
     */
    public @Nullable Command next(Wanted wanted, int splitsMost) {
        int table = wanted.table().definition().id();
        if (!mayChange(wanted.table(), wanted.parent())) {
            return null;
        }
        if (wanted.child() < our.state().columns(table)) {
            return split(wanted, splitsMost);
        }
        boolean beginsGroup = wanted.table().definition().parity().column(wanted.child()) == 0;
        Place parent = our.state().place(table, wanted.parent());
        return beginsGroup || bricks.isWhole(wanted.table(), wanted.child() - 1)
                ? new ColumnPlacement(our.state(), wanted.table(), withRoom(wanted, parent, splitsMost))
                        .next(parent.brick())
                : null;
    }

    /** The bricks that can take half of a partition, or a parity of that half. */
    private List<Candidate> withRoom(Wanted wanted, Place parent, int splitsMost) {
        int table = wanted.table().definition().id();
        long bytes = new Loads(bricks).of(table, wanted.parent(), parent).bytes() / 2;
        return allocator.forColumn(table, splitsMost).stream()
                .filter(candidate -> candidate.hasRoomFor(bytes))
                .toList();
    }

    private @Nullable Command split(Wanted wanted, int splitsMost) {
        int table = wanted.table().definition().id();
        Place parent = our.state().place(table, wanted.parent());
        Place child = our.state().place(table, wanted.child());
        boolean canTake = allocator.forColumn(table, splitsMost).stream()
                .anyMatch(candidate -> candidate.brick() == child.brick());
        return canTake && mayChange(wanted.table(), wanted.child()) && isKnown(table, wanted.child(), child)
                ? Command.BeginMigration.columnSplit(
                        table, wanted.parent(), wanted.child(), wanted.span(), parent.epoch(), child.epoch())
                : null;
    }

    /** Whether the brick of a column was heard since the column began there. */
    private boolean isKnown(int table, int column, Place place) {
        LiveBrick brick = bricks.get(place.brick());
        return brick != null
                && brick.leads(place)
                && brick.mapVersion() >= our.state().unusedSince(table, column);
    }

    /** Whether a column stays at its brick and its group lacks nothing. */
    private boolean mayChange(TableMap table, int column) {
        int id = table.definition().id();
        return !our.state().isMoving(id, column)
                && !our.state().drains(our.state().place(id, column).brick())
                && bricks.isWhole(table, column);
    }
}
