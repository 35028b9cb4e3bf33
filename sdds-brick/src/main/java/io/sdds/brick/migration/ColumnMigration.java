package io.sdds.brick.migration;

import io.sdds.brick.partition.Partition;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.SplitPolicy;

/** The source of the move of a column of a table with parity: its records go to another brick with their ranks. */
final class ColumnMigration extends HandoverMigration {

    /*
     * The parity members take no part, because each record keeps its rank, so that their sums stay as they are. The
     * target begins its log behind the last entry of this brick's log, as a spare does (Recovery). So the switch waits
     * until all parity members know that all entries are committed: then no member needs an entry of this log again.
     *
     * The map decides who is primary, and nobody else. From its report on this brick answers no request, and appends
     * nothing to the log. So the switch waits for a lease, which tells that the coordinators have just been heard:
     * without them the requests of the column would wait for their return. If the map names the target, the partition
     * here is dropped, and what waits is forwarded. If the order is gone and the map still names this brick, the
     * partition goes on where it was.
     */

    /** The last entry of the log for which the parity members were asked whether they know it to be committed. */
    private long askedSeq = -1;

    /** The last entry of the log that is in the copy. */
    private long sealedSeq;

    ColumnMigration(
            StageContext context,
            Partition partition,
            MigrationOrder order,
            MigrationPace pace,
            Migrations migrations) {
        super(context, partition, order, SplitPolicy.DEFAULT, pace, migrations);
    }

    @Override
    MigrationState state() {
        return isProposed() ? MigrationState.HANDED_OVER : super.state();
    }

    @Override
    boolean isDrained() {
        long last = leader().last();
        if (leader().committed() == last && askedSeq != last) {
            askedSeq = last;
            leader().askForCommitted();
        }
        return leader().isSettled() && leader().isLeased();
    }

    @Override
    long sealedSeq() {
        sealedSeq = leader().last();
        return sealedSeq;
    }

    @Override
    boolean isLogAsSealed() {
        return leader().last() == sealedSeq;
    }

    /** The partition stays here, closed, until the map tells. */
    @Override
    void propose() {
        partition().closed(true);
        migrations().listener().reportSoon();
    }

    @Override
    void release() {
        if (isProposed()) {
            boolean handedOver = !migrations().isHere(partition());
            partition().closed(partition().isIdle());
            leader().releaseTime();
            decided(handedOver);
            if (!handedOver) {
                migrations().columnStayed();
            }
        }
        super.release();
    }
}
