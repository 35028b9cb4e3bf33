package io.sdds.brick.parity.records;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.brick.erasure.ErasureKernel;
import io.sdds.brick.erasure.KernelType;
import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.PoisoningMemorySource;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SegmentHash;
import io.sdds.brick.memory.SlotSpace;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** A group of parities in one space of poisoned memory, with models of its columns and their logs. */
final class ParityFixture implements AutoCloseable {

    static final int PARITIES = 4;

    final MemoryBudget budget;
    final ArenaMemorySource source;
    final SlotSpace slots;
    final ErasureKernel kernel = KernelType.fastest().open();
    final List<ParityRecords> parities = new ArrayList<>();
    final List<Column> columns = new ArrayList<>();

    ParityFixture(long limitBytes, int columnCount) {
        budget = new MemoryBudget(limitBytes);
        source = new ArenaMemorySource(budget);
        slots = new SlotSpace(new PoisoningMemorySource(source), budget);
        for (int p = 0; p < PARITIES; p++) {
            parities.add(new ParityRecords(slots, kernel, p, columnCount));
        }
        for (int c = 0; c < columnCount; c++) {
            columns.add(new Column(c));
        }
    }

    @Override
    public void close() {
        source.close();
    }

    /** A change of one rank: the record after it, or null; and its delta. */
    record Change(int rank, ParityCheck.@Nullable Coded after, byte[] delta) {}

    record Entry(long number, List<Change> changes) {}

    /** A data column: its committed records by rank, the records with all prepared entries, and these entries. */
    final class Column {
        final int column;
        final Map<Integer, ParityCheck.Coded> committed = new HashMap<>();
        final Map<Integer, ParityCheck.Coded> prepared = new HashMap<>();
        final Deque<Entry> log = new ArrayDeque<>();
        final List<DeltaReservations> reservations = new ArrayList<>();
        long last;

        Column(int column) {
            this.column = column;
            for (ParityRecords parity : parities) {
                reservations.add(new DeltaReservations(parity, column));
            }
        }

        /** A change against the prepared records. The next change of the same entry must be about another rank. */
        Change change(int rank, ParityCheck.@Nullable Coded after) {
            ParityCheck.Coded before = prepared.get(rank);
            return new Change(rank, after, delta(before, after));
        }

        /** Prepares an entry; returns false if a parity refuses it. */
        boolean prepare(List<Change> changes, boolean reserved) {
            long number = ++last;
            for (DeltaReservations of : reservations) {
                if (!provide(of, number, changes, reserved)) {
                    reservations.forEach(each -> each.cut(number - 1, number));
                    last--;
                    return false;
                }
            }
            Entry entry = new Entry(number, changes);
            log.add(entry);
            apply(entry, prepared);
            return true;
        }

        private static boolean provide(
                DeltaReservations reservations, long number, List<Change> changes, boolean reserved) {
            for (int i = 0; i < changes.size(); i++) {
                int rank = changes.get(i).rank;
                int length = changes.get(i).delta.length;
                boolean provided = i == 0
                        ? reservations.provide(number, rank, length, reserved)
                        : reservations.provideMore(number, rank, length, reserved);
                if (!provided) {
                    return false;
                }
            }
            return true;
        }

        /** Commits the first prepared entry. */
        void commit() {
            Entry entry = log.remove();
            for (DeltaReservations of : reservations) {
                of.use(entry.number);
                for (Change change : entry.changes) {
                    int after = change.after == null ? 0 : ParityRecords.fingerprint(change.after.hash());
                    of.fold(change.rank, MemorySegment.ofArray(change.delta), 0, change.delta.length, after);
                }
                of.used(entry.number);
            }
            apply(entry, committed);
        }

        void commitAll() {
            while (!log.isEmpty()) {
                commit();
            }
        }

        /** Cuts the last entries off. */
        void cut(int entries) {
            for (DeltaReservations of : reservations) {
                of.cut(last - entries, last);
            }
            for (int i = 0; i < entries; i++) {
                log.removeLast();
            }
            last -= entries;
            prepared.clear();
            prepared.putAll(committed);
            log.forEach(entry -> apply(entry, prepared));
        }

        /** Changes one rank at once. */
        void set(int rank, ParityCheck.@Nullable Coded after) {
            assertThat(prepare(List.of(change(rank, after)), true)).isTrue();
            commitAll();
        }
    }

    private static void apply(Entry entry, Map<Integer, ParityCheck.Coded> records) {
        for (Change change : entry.changes) {
            if (change.after == null) {
                records.remove(change.rank);
            } else {
                records.put(change.rank, change.after);
            }
        }
    }

    private static byte[] delta(ParityCheck.@Nullable Coded before, ParityCheck.@Nullable Coded after) {
        byte[] old = before == null ? new byte[0] : before.bytes();
        byte[] next = after == null ? new byte[0] : after.bytes();
        byte[] delta = Arrays.copyOf(next, Math.max(old.length, next.length));
        for (int i = 0; i < old.length; i++) {
            delta[i] ^= old[i];
        }
        return delta;
    }

    /** A record with a key of eight bytes. */
    static ParityCheck.Coded coded(long key, byte[] value, long version) {
        byte[] keyBytes = ByteBuffer.allocate(Long.BYTES).putLong(key).array();
        long hash = SegmentHash.hash(MemorySegment.ofArray(keyBytes), 0, keyBytes.length);
        return new ParityCheck.Coded(CodedRecordTest.coded(keyBytes, value, version, RecordStore.NO_EXPIRY), hash);
    }

    int top() {
        return 1
                + columns.stream()
                        .flatMap(column -> column.committed.keySet().stream())
                        .mapToInt(rank -> rank)
                        .max()
                        .orElse(-1);
    }

    /** Checks all parities against the committed records of the columns. */
    void check(Object context) {
        List<IntFunction<ParityCheck.@Nullable Coded>> committed = new ArrayList<>();
        columns.forEach(column -> committed.add(column.committed::get));
        for (ParityRecords parity : parities) {
            assertThat(ParityCheck.faults(parity, committed, top()))
                    .as("%s", context)
                    .isEmpty();
        }
    }

    /** Checks that no memory is used but for the parity records. No entry may be prepared. */
    void checkMemoryAtRest() {
        parities.forEach(ParityRecords::releaseSpares);
        assertThat(slots.liveBytes())
                .isEqualTo(parities.stream().mapToLong(ParityRecords::bytes).sum());
    }

    void maintain(int steps) {
        parities.forEach(parity -> parity.maintain(steps));
    }

    void maintainToTheEnd() {
        for (ParityRecords parity : parities) {
            while (parity.maintain(100)) {
                // Each call does a part of the work.
            }
        }
    }

    /** Releases everything, and checks that no memory is left in use. */
    void releaseAndCheck() {
        columns.forEach(column -> column.reservations.forEach(DeltaReservations::release));
        parities.forEach(ParityRecords::release);
        maintainToTheEnd();
        assertThat(slots.liveBytes()).isZero();
    }
}
