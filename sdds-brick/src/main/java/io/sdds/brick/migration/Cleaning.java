package io.sdds.brick.migration;

import io.sdds.brick.group.Group;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Tables;
import io.sdds.brick.stage.Maintenance;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.stage.Stage;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Has the columns of this stage drop the records that they do not own: what a split has taken away from the parent,
 * what came by a split or merge that was abandoned, and what a merged child had. The parity records have these records,
 * too. So entries of the column's log drop them, and not the bucket by itself (docs/design/parity.md, "Growth").
 */
final class Cleaning {
    /** Looks for records, of about 48 KiB each, in one background slice. */
    private static final int STEPS_PER_SLICE = 64;

    private final Stage stage;
    private final Tables tables;
    private final Maintenance maintenance;
    private final Predicate<Partition> receiving;

    /** The partitions with a background slice that is queued. */
    private final Set<Partition> queued = new HashSet<>();

    /** @param receiving whether a partition must keep records that it does not own */
    Cleaning(StageContext context, Maintenance maintenance, Predicate<Partition> receiving) {
        this.stage = context.stage();
        this.tables = context.tables();
        this.maintenance = maintenance;
        this.receiving = receiving;
    }

    /** Each 100 ms. */
    void tick() {
        tables.forEach(partition -> {
            if (isDue(partition) && !end(partition) && queued.add(partition)) {
                stage.background(() -> slice(partition));
            }
        });
    }

    private boolean isDue(Partition partition) {
        return partition.bucket().ranks().areGiven()
                && !partition.isClean()
                && !partition.isChanging()
                && partition.mover() == null
                && isReady(partition.group())
                && !receiving.test(partition);
    }

    private static boolean isReady(Group group) {
        return group.isSettledLeader() && !group.isFilling();
    }

    /** Ends the cleaning if no record is left that the partition does not own. */
    private boolean end(Partition partition) {
        boolean clean = partition.endCleaning();
        if (clean) {
            maintenance.maintain(partition);
            tables.changed(partition);
        }
        return clean;
    }

    /** Proposes one entry. Goes on at once as long as there are records and room for them. */
    private boolean slice(Partition partition) {
        boolean here = tables.find(partition.table(), partition.number()) == partition;
        boolean more = here && isDue(partition) && partition.group().dropUnowned(STEPS_PER_SLICE);
        if (!more) {
            queued.remove(partition);
        }
        return more;
    }
}
