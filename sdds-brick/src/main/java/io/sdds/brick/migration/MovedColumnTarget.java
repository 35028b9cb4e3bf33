package io.sdds.brick.migration;

import io.sdds.brick.map.TableView;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Request;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.control.ControlMessage.Answer;
import io.sdds.core.control.ControlMessage.SnapshotOpen;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableKind;
import io.sdds.core.node.Link;

/**
 * The target of the move of a column of a table with parity. Each record gets the rank that it has at the source. The
 * column serves from the map on that names this process as primary, and never before.
 */
final class MovedColumnTarget extends MigrationTarget {
    private final TableKind kind;

    MovedColumnTarget(StageContext context, MigrationOrder order, Migrations migrations, TableKind kind) {
        super(context, order, migrations, empty(context, order, kind));
        this.kind = kind;
    }

    @Override
    Answer open(Link link, SnapshotOpen open) {
        return openAnew(link, open, kind);
    }

    @Override
    boolean parks(Request request, int partition) {
        return isStaging()
                && order().receiver() == partition
                && order().table() == request.table
                && isFromSource(request);
    }

    /**
     * The order is gone: the map names this process by now, or never will. The source has reported only when this
     * process had acknowledged the SEAL, and nothing has come behind it. All parity members had committed all entries
     * up to the SEAL, so the log goes on behind its seq, whatever the epoch is by now.
     */
    @Override
    void end() {
        TableView table = table();
        Place place = placeOf(order().receiver());
        SliceFrame.Seal seal = copy().seal();
        if (table != null && place != null && seal != null && isHere(place)) {
            serve(table, seal);
        } else {
            rerunParked();
            migrations().maintenance().free(partition());
        }
    }

    /** Whether a place names this process by this order. */
    private boolean isHere(Place place) {
        return !place.lost()
                && place.migration() == order().id()
                && place.primary().equals(migrations().self());
    }

    private void serve(TableView table, SliceFrame.Seal seal) {
        Partition column = partition();
        column.versionAtLeast(seal.version());
        column.ttlMillis(table.definition().spec().ttlMillis());
        column.results().dropEnded(map()::sessionEnded);
        Place members = table.groupPlace(order().receiver());
        if (members == null) {
            throw new IllegalStateException("no parities of partition " + order().receiver() + " in the map");
        }
        column.idle(table.isIdle(column.number()));
        migrations().addColumn(column, members, seal);
        serving();
    }
}
