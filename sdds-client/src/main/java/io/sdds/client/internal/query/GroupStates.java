package io.sdds.client.internal.query;

import io.sdds.client.ProtocolException;
import io.sdds.core.query.Output.Aggregate;
import io.sdds.core.query.Output.AggregateFunction;
import io.sdds.core.query.Output.Aggregation;
import io.sdds.core.query.StateSums;
import io.sdds.core.query.TupleCodec;
import io.sdds.core.row.ValueType;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Groups whose aggregates are sums and counts. Keys and states stand side by side in one array, and blocks are read
 * without objects: a query with a hundred thousand groups gets most of them from each part of a table.
 */
final class GroupStates {

    /* An entry is: the length of the keys (4 bytes), the bits of the NULLs among the keys (1), then the states, each
     * with one byte that is 1 if it is not NULL, then the keys as a tuple has them. */

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int KEYS_MAX = Byte.SIZE;
    private static final int SLOTS_MIN = 64;
    private static final int BYTES_MIN = 1_024;
    private static final int NULLS = Integer.BYTES;
    private static final int STATES = NULLS + 1;
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private final int keys;
    private final ValueType[] types;
    private final AggregateFunction[] functions;
    private final TupleCodec codec;
    private final MemoryBound memory;
    private final int statesBytes;
    private byte[] entries = new byte[BYTES_MIN];
    private int used;
    private int count;
    /** For each slot the place of an entry plus one, and the hash of its keys; 0: none. */
    private int[] slots = new int[2 * SLOTS_MIN];

    private final TupleBytes tuple;

    /** @param types of the tuples: keys, then states */
    GroupStates(Aggregate aggregate, List<ValueType> types, MemoryBound memory) {
        this.keys = aggregate.keys().size();
        this.types = types.toArray(ValueType[]::new);
        this.functions =
                aggregate.aggregations().stream().map(Aggregation::function).toArray(AggregateFunction[]::new);
        this.codec = new TupleCodec(types);
        this.memory = memory;
        this.tuple = new TupleBytes(types);
        int bytes = 0;
        for (int k = keys; k < this.types.length; k++) {
            bytes += 1 + this.types[k].bytes();
        }
        this.statesBytes = bytes;
    }

    /** Whether the aggregates are sums and counts, of few keys. */
    static boolean fits(Aggregate aggregate) {
        int keys = aggregate.keys().size();
        return keys > 0
                && keys <= KEYS_MAX
                && aggregate.aggregations().stream().allMatch(each -> adds(each.function()));
    }

    private static boolean adds(AggregateFunction function) {
        return switch (function) {
            case COUNT_ROWS, COUNT, SUM -> true;
            case MIN, MAX, UNKNOWN -> false;
        };
    }

    /** Adds the group of a tuple. */
    void add(List<byte @Nullable []> group) {
        addAll(codec.encode(group));
    }

    /**
     * Adds the groups of a block of tuples.
     *
     * @throws ProtocolException when the block is no block
     */
    void addAll(byte[] block) {
        int at = 0;
        while (at < block.length) {
            tuple.read(block, at);
            at = tuple.end();
            merge(block);
        }
    }

    private void merge(byte[] block) {
        int begin = tuple.at(0);
        int length = tuple.at(keys) - begin;
        int nulls = tuple.nulls() & (1 << keys) - 1;
        int hash = hash(block, begin, length, nulls);
        int mask = slots.length / 2 - 1;
        int slot = hash & mask;
        while (slots[2 * slot] != 0) {
            int entry = slots[2 * slot] - 1;
            if (slots[2 * slot + 1] == hash && isEntry(entry, block, begin, length, nulls)) {
                mergeStates(entry + STATES, block);
                return;
            }
            slot = slot + 1 & mask;
        }
        slots[2 * slot] = used + 1;
        slots[2 * slot + 1] = hash;
        insert(block, begin, length, nulls);
    }

    private boolean isEntry(int entry, byte[] block, int begin, int length, int nulls) {
        int at = entry + STATES + statesBytes;
        return (int) INT.get(entries, entry) == length
                && entries[entry + NULLS] == (byte) nulls
                && Arrays.equals(entries, at, at + length, block, begin, begin + length);
    }

    private static int hash(byte[] bytes, int begin, int length, int nulls) {
        long hash = length * SPREAD + nulls;
        int at = begin;
        for (int end = begin + length; at < end; ) {
            if (end - at >= Long.BYTES) {
                hash = (hash ^ (long) LONG.get(bytes, at)) * SPREAD;
                at += Long.BYTES;
            } else {
                hash = (hash ^ bytes[at++]) * SPREAD;
            }
            hash ^= hash >>> 32;
        }
        return (int) hash;
    }

    private void insert(byte[] block, int begin, int length, int nulls) {
        memory.add(types.length, length + statesBytes);
        int size = STATES + statesBytes + length;
        if (entries.length - used < size) {
            entries = Arrays.copyOf(entries, (int) Math.min(Integer.MAX_VALUE - 8, 2L * entries.length + size));
        }
        INT.set(entries, used, length);
        entries[used + NULLS] = (byte) nulls;
        System.arraycopy(block, begin, entries, used + STATES + statesBytes, length);
        mergeStates(used + STATES, block);
        used += size;
        count++;
        if (4 * count > slots.length) {
            grow();
        }
    }

    private void mergeStates(int states, byte[] block) {
        int at = states;
        for (int k = 0; k < functions.length; k++) {
            int column = keys + k;
            if (!tuple.isNull(column) && entries[at] == 0) {
                System.arraycopy(block, tuple.at(column), entries, at + 1, types[column].bytes());
                entries[at] = 1;
            } else if (!tuple.isNull(column)) {
                StateSums.add(types[column], entries, at + 1, block, tuple.at(column));
            }
            at += 1 + types[column].bytes();
        }
    }

    private void grow() {
        int[] old = slots;
        slots = new int[2 * old.length];
        int mask = slots.length / 2 - 1;
        for (int k = 0; k < old.length; k += 2) {
            if (old[k] != 0) {
                int slot = old[k + 1] & mask;
                while (slots[2 * slot] != 0) {
                    slot = slot + 1 & mask;
                }
                slots[2 * slot] = old[k];
                slots[2 * slot + 1] = old[k + 1];
            }
        }
    }

    /** The groups as tuples, in the order in which they came. */
    List<List<byte @Nullable []>> tuples() {
        List<List<byte @Nullable []>> all = new ArrayList<>(count);
        int entry = 0;
        while (entry < used) {
            int length = (int) INT.get(entries, entry);
            int at = entry + STATES + statesBytes;
            all.add(tuple(entry, at, length));
            entry = at + length;
        }
        return all;
    }

    private List<byte @Nullable []> tuple(int entry, int at, int length) {
        List<byte @Nullable []> values = new ArrayList<>(types.length);
        tuple.readKeys(entries, entries[entry + NULLS], at, keys);
        for (int k = 0; k < keys; k++) {
            values.add(tuple.value(k));
        }
        int state = entry + STATES;
        for (int k = keys; k < types.length; k++) {
            int end = state + 1 + types[k].bytes();
            values.add(entries[state] == 0 ? null : Arrays.copyOfRange(entries, state + 1, end));
            state = end;
        }
        return values;
    }
}
