package io.sdds.sim.planted;

import io.netty.buffer.ByteBuf;
import io.sdds.core.protocol.Opcode;
import io.sdds.sim.frame.DecodedDeltas;
import io.sdds.sim.frame.DecodedDeltas.Delta;
import io.sdds.sim.frame.DecodedEntry;
import io.sdds.sim.frame.DecodedPrepare;
import io.sdds.sim.frame.GroupHeader;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.SimNetwork;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Edits the entries that parity members receive. An edit knows the record that an entry changes, because the deltas so
 * far tell it. An entry that is sent again to a member is edited in the same way.
 */
final class DeltaEdits implements SimNetwork.FrameFilter {
    private final Edit edit;
    private final Map<String, Column> columns = new HashMap<>();

    /** An edit of one entry. */
    interface Edit {
        /**
         * The entry to send in place of another.
         *
         * @param before the record of a DELTA or DELTA_REMOVE before the entry; without content for other entries
         * @param to the brick of the parity member
         */
        DecodedEntry edited(DecodedEntry entry, Before before, Receiver to);
    }

    /**
     * A record in coded form; no bytes for none.
     *
     * @param latest the uncommitted entries included
     * @param committed as it is in the primary's bucket
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Before(byte[] latest, byte[] committed) {}

    /** A parity member, and the partition whose entries it receives. */
    record Receiver(SimEnv brick, int table, int partition, int columns) {}

    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record Version(long seq, byte[] coded) {}

    private static final class Column {
        final Map<Integer, List<Version>> byRank = new HashMap<>();
        final Map<String, DecodedEntry> edited = new HashMap<>();
        final Map<Long, Before> before = new HashMap<>();
        long last;
    }

    DeltaEdits(Edit edit) {
        this.edit = edit;
    }

    @Override
    public SimNetwork.Fate fate(SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        if (frame.getByte(index + 4) != Opcode.PREPARE || !ClusterPlan.isBrick(from.name())) {
            return SimNetwork.Fate.SENT;
        }
        DecodedPrepare prepare = DecodedPrepare.read(frame, index, length);
        GroupHeader header = prepare.header();
        if (header.columns() == 0 || prepare.entries().isEmpty()) {
            return SimNetwork.Fate.SENT;
        }
        Column column = columns.computeIfAbsent(header.table() + "/" + header.partition(), name -> new Column());
        Receiver receiver = new Receiver(to, header.table(), header.partition(), header.columns());
        List<DecodedEntry> entries = new ArrayList<>();
        for (int k = 0; k < prepare.entries().size(); k++) {
            DecodedEntry entry = prepare.entries().get(k);
            long seq = prepare.first() + k;
            if (seq > column.last) {
                column.last = seq;
                column.before.put(seq, take(column, entry, seq, prepare.committed()));
            }
            Before before = column.before.get(seq);
            entries.add(
                    column.edited.computeIfAbsent(seq + " " + to.name(), key -> edit.edited(entry, before, receiver)));
        }
        return SimNetwork.Fate.replacedBy(prepare.withEntries(entries).frame());
    }

    /** Takes the deltas of a new entry; returns the record before. */
    private static Before take(Column column, DecodedEntry entry, long seq, long committed) {
        Before before = new Before(new byte[0], new byte[0]);
        for (Delta delta : DecodedDeltas.deltas(entry)) {
            List<Version> versions = column.byRank.computeIfAbsent(delta.rank(), rank -> new ArrayList<>());
            before = new Before(at(versions, Long.MAX_VALUE), at(versions, committed));
            versions.add(new Version(seq, sum(before.latest(), delta.bytes())));
        }
        boolean ofOne = entry.kind() == DecodedEntry.DELTA || entry.kind() == DecodedEntry.DELTA_REMOVE;
        return ofOne ? before : new Before(new byte[0], new byte[0]);
    }

    private static byte[] at(List<Version> versions, long seq) {
        byte[] coded = {};
        for (Version version : versions) {
            coded = version.seq() <= seq ? version.coded() : coded;
        }
        return coded;
    }

    /** The sum of two fields, without trailing zeros. */
    static byte[] sum(byte[] a, byte[] b) {
        byte[] sum = Arrays.copyOf(a, Math.max(a.length, b.length));
        for (int k = 0; k < b.length; k++) {
            sum[k] ^= b[k];
        }
        int length = sum.length;
        while (length > 0 && sum[length - 1] == 0) {
            length--;
        }
        return Arrays.copyOf(sum, length);
    }
}
