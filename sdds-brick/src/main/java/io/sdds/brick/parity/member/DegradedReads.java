package io.sdds.brick.parity.member;

import io.sdds.brick.group.Groups;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.parity.RecoveryCounters;
import io.sdds.brick.parity.decoding.RecordDecoder;
import io.sdds.brick.parity.records.FingerprintIndex;
import io.sdds.brick.parity.records.ParityRecords;
import io.sdds.brick.partition.Request;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.Status;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Requests of degraded columns, at the parity member that leads them. A get is answered with the record that
 * {@link Decoder} computes from the rest of the group. All other requests wait for the spare that becomes the column's
 * primary; without a spare they are refused.
 *
 * <p>A get is answered only while this member leads the column and the brick holds a lease. So the answer is right at
 * that moment: the spare cannot acknowledge a write before this member votes in the spare's epoch, and then it leads no
 * more.
 */
final class DegradedReads {
    private static final int WAITING_MAX = 1024;
    private static final int WAITING_BYTES_MAX = 4 << 20;

    private final Groups groups;
    private final BrickMap map;
    private final ParityPartition parity;

    /** The columns whose gets this member has answered since it leads them. */
    private final List<Led> led = new ArrayList<>();

    /** Number of gets that wait, and bytes of their frames. */
    private int waiting;

    private int bytes;

    /** The ranks that were found for a get. */
    private int[] found = new int[4];

    private int foundCount;
    private final IntConsumer collector = this::collect;

    /**
     * A column that this member leads.
     *
     * @param index of the fingerprints as they are after the last entry of the column's log
     * @param last the last entry that may have changed a record
     */
    private record Led(Column column, DecodedGets gets, FingerprintIndex index, long last) {
        /** Whether the column has still the records that it had at this entry. */
        boolean isCurrent() {
            return column.leads() && column.lastEffect() == last;
        }

        void end() {
            gets.refuseWaiting();
            index.release();
        }
    }

    DegradedReads(Groups groups, BrickMap map, ParityPartition parity) {
        this.groups = groups;
        this.map = map;
        this.parity = parity;
    }

    /** Answers a request of a column that this member leads, now or later. */
    void take(Column column, Request request) {
        if (request.opcode != Opcode.GET) {
            refuse(column, request);
        } else if (!groups.isLeased()) {
            groups.recoveryCounters().add(RecoveryCounters.Event.DEGRADED_READ_WITHOUT_LEASE);
            groups.busy(request);
        } else if (!column.isClosed() || map.migration(column.handedOver()) != null) {
            groups.busy(request); // the map does not show yet which keys the column has given away
        } else {
            get(column, request);
        }
    }

    private void get(Column column, Request request) {
        Led here = led(column);
        foundCount = 0;
        here.index().forEach(ParityRecords.fingerprint(request.hash), collector);
        if (foundCount == 0) {
            groups.replies().status(request, Status.ABSENT);
        } else if (foundCount > RecordDecoder.RANKS_MAX
                || waiting >= WAITING_MAX
                || bytes + request.length > WAITING_BYTES_MAX) {
            groups.busy(request);
        } else {
            waiting++;
            bytes += request.length;
            here.gets().add(request, Arrays.copyOf(found, foundCount));
            parity.owner().dirty(this);
        }
    }

    private void collect(int rank) {
        if (foundCount == found.length) {
            found = Arrays.copyOf(found, 2 * foundCount);
        }
        found[foundCount++] = rank;
    }

    /** A get that waited was answered, or its client is gone. */
    void ended(int length) {
        waiting--;
        bytes -= length;
        parity.owner().dirty(this);
    }

    private Led led(Column column) {
        Led known = known(column);
        if (known != null && known.isCurrent()) {
            return known;
        }
        if (known != null) {
            known.end();
            led.remove(known);
        }
        DecodedGets gets = new DecodedGets(groups, parity, column, this);
        Led made = new Led(column, gets, parity.records().index(column.index()), column.lastEffect());
        led.add(made);
        return made;
    }

    @SuppressWarnings("ReferenceEquality") // a column is what it is
    private @Nullable Led known(Column column) {
        for (int k = 0; k < led.size(); k++) {
            if (led.get(k).column() == column) {
                return led.get(k);
            }
        }
        return null;
    }

    private void refuse(Column column, Request request) {
        if (hasSpare(column)) {
            groups.busy(request);
        } else {
            groups.tooFewCopies(request);
        }
    }

    /** Whether the map has a recovery order for a column. */
    boolean hasSpare(Column column) {
        for (MigrationOrder order : map.migrations()) {
            if (order.isRecovery() && order.table() == column.table() && order.receiver() == column.number()) {
                return true;
            }
        }
        return false;
    }

    /** At the end of a turn: has the records of the gets decoded that wait. */
    void flush() {
        for (int k = 0; k < led.size(); k++) {
            led.get(k).gets().flush();
        }
    }

    /** Each 100 ms: forgets the columns that this member leads no more. */
    void tick() {
        for (int k = led.size() - 1; k >= 0; k--) {
            Led one = led.get(k);
            if (one.isCurrent()) {
                one.index().maintain();
            } else {
                led.remove(k);
                one.end();
            }
        }
    }

    /** The parity member ends here. */
    void release() {
        led.forEach(Led::end);
        led.clear();
    }
}
