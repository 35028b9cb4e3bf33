package io.sdds.brick.parity.recovery;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.group.MissingRecords;
import io.sdds.brick.map.TableView;
import io.sdds.brick.parity.join.ParityJoin;
import io.sdds.brick.parity.recovery.ColumnFrame.Subject;
import io.sdds.brick.partition.Partition;
import io.sdds.core.control.ControlMessage.MigrationReport;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.ParityMembers;
import io.sdds.core.model.Place;
import io.sdds.core.model.SplitPolicy;
import io.sdds.core.node.Link;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One recovery at the spare: gets the state of the lost column from its lead, becomes primary when the map says so, and
 * then fills the column with its records ({@link Filling}).
 */
final class Recovery {

    /* The state that was pulled stays right in every later epoch. The log of the column was settled
     * (Column.isSettled): each parity member has committed all of its entries, and a parity member that leads appends
     * none while the map has the order. So the spare keeps a complete state, whatever parity member leads later. The
     * coordinator may name the spare as primary at any time after the report. */

    private final Recoveries owner;
    private final MigrationOrder order;

    /** The state that is being pulled; null while the lead is not known, and when it has been handed over. */
    private @Nullable ColumnPull pull;

    /** The partition, from the epoch on in which this process is primary. */
    private @Nullable Partition serving;

    private boolean abandoned;
    private long progressNanos;

    Recovery(Recoveries owner, MigrationOrder order) {
        this.owner = owner;
        this.order = order;
    }

    MigrationOrder order() {
        return order;
    }

    /** Whether the recovered partition serves here, with all records or not. */
    boolean isServing() {
        return serving != null;
    }

    // ---- the state of the column

    /** The map has changed, or time has passed: begins the pull, begins it again in another epoch, or goes on. */
    void goOn() {
        if (serving != null || abandoned || isComplete()) {
            return;
        }
        TableView table = owner.map().table(order.table());
        Place place = table == null ? null : table.place(order.receiver());
        if (table == null || place == null || !table.isDegraded(order.receiver(), place)) {
            return;
        }
        if (pull == null || pull.epoch() != place.epoch()) {
            freePulled();
            Subject of = new Subject(order.table(), order.receiver(), place.epoch(), order.id());
            pull = new ColumnPull(owner.empty(table, order), of, table.parity().columns());
            progressNanos = owner.groups().env().nowNanos();
        }
        if (owner.groups().env().nowNanos() - progressNanos >= ParityJoin.STALLED_NANOS) {
            giveUp();
            return;
        }
        ask(pull, owner.groups().link(place.primary()));
    }

    private boolean isComplete() {
        return pull != null && pull.totals() != null;
    }

    private void ask(ColumnPull from, @Nullable Link link) {
        if (link != null && from.askIfDue(link, owner.groups().env().nowNanos())) {
            owner.groups().touched(link);
        }
    }

    /** Takes an answer of the lead. */
    void onState(Link link, Subject subject, ByteBuf frame, int index, int length) {
        ColumnPull from = pull;
        if (from == null || serving != null || abandoned || from.totals() != null) {
            return;
        }
        progressNanos = owner.groups().env().nowNanos();
        from.onState(subject, frame, index, length, progressNanos);
        if (from.isMemoryRefused()) {
            giveUp();
        } else if (from.totals() != null) {
            owner.reportSoon();
        } else {
            ask(from, link);
        }
    }

    /** Gives the order up before this process is primary. The coordinators choose another spare. */
    private void giveUp() {
        abandoned = true;
        freePulled();
        owner.reportSoon();
    }

    // ---- the primary

    /**
     * The map names this process as primary of the column: the partition serves from now on.
     *
     * @param place the primary and the parity members
     * @return the partition; null if its state is not complete, so that it can't serve
     */
    @Nullable
    Partition serve(Place place) {
        ColumnPull complete = pull;
        ColumnPull.Totals totals = complete == null ? null : complete.totals();
        if (complete == null || totals == null || serving != null) {
            return null;
        }
        Partition partition = complete.partition();
        owner.ready(partition, place.epoch());
        owner.absorb(partition, totals.absorbed());
        partition.results().dropEnded(owner.map()::sessionEnded);
        MissingRecords filling = complete.missing().count() == 0
                ? MissingRecords.NONE
                : new Filling(owner.groups(), partition, complete.missing(), new ToDecoder(), sliceBytes());
        owner.groups().beginRecovered(partition, place, totals.seq(), filling);
        serving = partition;
        pull = null;
        return partition;
    }

    private int sliceBytes() {
        TableView table = owner.map().table(order.table());
        return table == null
                ? SplitPolicy.SLICE_BYTES_DEFAULT
                : table.definition().split().sliceBytes();
    }

    /** Asks the first present parity member of the group for records. */
    private final class ToDecoder implements RecordPulls.Sender {
        @Override
        public @Nullable Link link() {
            TableView table = owner.map().table(order.table());
            ParityMembers parities = table == null ? null : table.paritiesOf(order.receiver());
            List<Place.Member> present = parities == null ? List.of() : parities.present();
            return present.isEmpty() ? null : owner.groups().link(present.get(0));
        }

        @Override
        public void send(Link to, int number, int[] ranks) {
            TableView table = owner.map().table(order.table());
            int columns = table == null ? 0 : table.parity().columns();
            Partition partition = serving;
            if (columns > 0 && partition != null) {
                long epoch = partition.group().epoch();
                Subject of = new Subject(order.table(), order.receiver(), epoch, order.id());
                ColumnFrame.recordsWanted(to, of, columns, number, ranks, ranks.length);
                owner.groups().touched(to);
            }
        }
    }

    // ---- reports

    /**
     * What the heartbeat reports. The progress counts records: those that are here, of those that the column had when
     * it was lost.
     */
    MigrationReport report() {
        Partition partition = serving;
        if (partition != null && partition.group().hasGivenBack()) {
            return report(MigrationState.ABANDONED, 0, 0);
        }
        if (partition != null) {
            return partition.group().missing() instanceof Filling filling
                    ? report(MigrationState.HANDED_OVER, filling.total() - filling.left(), filling.total())
                    : report(MigrationState.FILLED, 0, 0);
        }
        if (abandoned) {
            return report(MigrationState.ABANDONED, 0, 0);
        }
        int known = pull == null ? 0 : pull.missing().count();
        return report(isComplete() ? MigrationState.HANDED_OVER : MigrationState.SHIPPING, 0, known);
    }

    private MigrationReport report(MigrationState state, long done, long total) {
        return new MigrationReport(order.id(), state, done, total);
    }

    // ---- the end

    /** The order is gone: frees what was prepared. A partition that serves goes on. */
    void end() {
        freePulled();
    }

    private void freePulled() {
        if (pull != null) {
            owner.free(pull.partition());
            pull = null;
        }
    }
}
