package io.sdds.client.internal;

import io.sdds.client.Callback;
import io.sdds.client.Codec;
import io.sdds.client.RecordTooLargeException;
import io.sdds.client.Versioned;
import io.sdds.client.internal.query.UpdatePrograms;
import io.sdds.client.internal.routing.RoutedTable;
import io.sdds.client.internal.routing.WriteOptions;
import io.sdds.core.protocol.Limits;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.row.Schema;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A table on one event loop of the client. Makes the requests of its operations, begins the requests and waits for
 * them.
 */
public record TableContext<K, V>(
        ClientRuntime runtime,
        RoutedTable table,
        Codec<K> keys,
        Codec<V> values,
        UpdatePrograms updates,
        long timeoutNanos) {

    // ---- begin and wait

    /** Begins a request and waits for its answer. */
    public <T> T await(Requests.Typed<T> request) {
        runtime.checkMayBlock();
        runtime.begin(request);
        return ClientRuntime.await(request);
    }

    /** Begins a request; returns a future for the application. */
    public <T> CompletableFuture<T> begin(Requests.Typed<T> request) {
        runtime.begin(request);
        return runtime.published(request);
    }

    /** Begins a request that has a callback. */
    public void call(Requests.Typed<?> request) {
        runtime.begin(request);
    }

    public long deadlineNanos() {
        return runtime.nowNanos() + timeoutNanos;
    }

    // ---- requests

    public Requests.Typed<V> get(K key, @Nullable Callback<? super V> callback) {
        return new Requests.Get<>(table, deadlineNanos(), key(key), values, published(callback));
    }

    public Requests.Typed<Versioned<V>> getVersioned(K key) {
        return new Requests.GetVersioned<>(table, deadlineNanos(), key(key), values);
    }

    public Requests.Typed<Duration> getTimeToLive(K key) {
        return new Requests.GetTimeToLive(table, deadlineNanos(), key(key));
    }

    public Requests.Typed<Void> put(K key, V value, @Nullable Callback<? super Void> callback) {
        return new Requests.Put(table, deadlineNanos(), key(key), value(value), published(callback));
    }

    public Requests.Typed<Long> putVersioned(K key, V value) {
        return new Requests.PutVersioned(table, deadlineNanos(), key(key), value(value));
    }

    /** PUT_IF_ABSENT or REPLACE. */
    public Requests.Typed<Boolean> conditional(byte opcode, K key, V value) {
        return new Requests.Conditional(table, opcode, deadlineNanos(), key(key), value(value), null);
    }

    /** REMOVE or TOUCH. */
    public Requests.Typed<Boolean> conditional(byte opcode, K key) {
        return new Requests.Conditional(table, opcode, deadlineNanos(), key(key), null);
    }

    public Requests.Typed<Boolean> compareAndSet(K key, V expected, V value) {
        return new Requests.Conditional(table, deadlineNanos(), key(key), value(expected), value(value), null);
    }

    public Requests.Typed<Boolean> touch(K key, Duration timeToLive) {
        return conditional(Opcode.TOUCH, key).with(ttl(timeToLive));
    }

    /** An INCREMENT in the form in which the codec of the values reads numbers. */
    public Requests.Typed<Long> increment(K key, long delta, @Nullable Duration timeToLive) {
        WriteOptions form = counterForm();
        WriteOptions options = timeToLive == null ? form : form.withTtl(ttlMillis(timeToLive));
        return new Requests.Increment(table, deadlineNanos(), key(key), delta, null).with(options);
    }

    /** An UPDATE that gives columns values. */
    public Requests.Typed<Boolean> update(
            K key, @Nullable String condition, String assignments, @Nullable Object @Nullable [] values) {
        Schema schema = table.schema();
        byte[] program = updates.update(schema, condition, assignments, values);
        return new Requests.Update(table, deadlineNanos(), key(key), program, schema, null);
    }

    /** An UPDATE that removes the record. */
    public Requests.Typed<Boolean> removeIf(K key, String condition, @Nullable Object @Nullable [] values) {
        Schema schema = table.schema();
        byte[] program = updates.remove(schema, condition, values);
        return new Requests.Update(table, deadlineNanos(), key(key), program, schema, null);
    }

    /** An UPDATE of a key by a program that was compiled for a schema. */
    public Requests.Typed<Boolean> update(
            byte[] key, byte[] program, Schema schema, @Nullable Callback<Boolean> callback) {
        return new Requests.Update(table, deadlineNanos(), key, program, schema, callback);
    }

    private WriteOptions counterForm() {
        if (values.equals(Codec.int64())) {
            return WriteOptions.INT64;
        }
        if (values.equals(Codec.utf8())) {
            return WriteOptions.NONE;
        }
        throw new UnsupportedOperationException("increment in table '" + table.name()
                + "': counters need values of Codec.int64() or Codec.utf8(), which say how a number is stored");
    }

    private <T> @Nullable Callback<? super T> published(@Nullable Callback<? super T> callback) {
        return callback == null ? null : runtime.published(callback);
    }

    /** The options of a write whose record lives for a time. */
    public static WriteOptions ttl(Duration timeToLive) {
        return WriteOptions.ttl(ttlMillis(timeToLive));
    }

    /** The options of a write to a record of a version, which then lives for a time. */
    public static WriteOptions ttl(long version, Duration timeToLive) {
        return WriteOptions.ifVersion(version).withTtl(ttlMillis(timeToLive));
    }

    /**
     * A time to live in milliseconds, rounded up.
     *
     * @throws IllegalArgumentException if it is negative or too long
     */
    public static long ttlMillis(Duration timeToLive) {
        if (timeToLive.isNegative() || timeToLive.compareTo(Duration.ofMillis(Limits.TTL_MILLIS_MAX)) > 0) {
            throw new IllegalArgumentException("time to live of " + timeToLive.toSeconds() + " s: 0 (for ever) to "
                    + Duration.ofMillis(Limits.TTL_MILLIS_MAX).toDays() + " days");
        }
        return timeToLive.plusNanos(999_999).toMillis();
    }

    // ---- many keys

    /** The values of all keys that have one, in the order of the keys. */
    public CompletableFuture<Map<K, V>> getAll(Collection<? extends K> wanted) {
        List<K> inOrder = List.copyOf(wanted);
        byte[][] encoded = new byte[inOrder.size()][];
        Arrays.setAll(encoded, index -> key(inOrder.get(index)));
        Object[] found = new Object[encoded.length];
        Batch<V> gets = new Batch<>(runtime, encoded.length, timeoutNanos) {
            @Override
            protected Requests.Typed<V> operation(int index, Callback<V> callback) {
                return new Requests.Get<>(table, deadlineNanos(), encoded[index], values, callback);
            }

            @Override
            protected void answered(int index, @Nullable V result) {
                found[index] = result;
            }
        };
        return Futures.map(gets.start(), done -> collected(inOrder, found));
    }

    @SuppressWarnings("unchecked") // the array has what the gets answered
    private Map<K, V> collected(List<K> inOrder, Object[] found) {
        Map<K, V> all = new LinkedHashMap<>();
        for (int k = 0; k < found.length; k++) {
            if (found[k] != null) {
                all.put(inOrder.get(k), (V) found[k]);
            }
        }
        return all;
    }

    /** Puts all records. */
    public CompletableFuture<Void> putAll(Map<? extends K, ? extends V> records) {
        List<byte[]> encoded = new ArrayList<>(2 * records.size());
        records.forEach((key, value) -> {
            encoded.add(key(key));
            encoded.add(value(value));
        });
        Batch<Void> puts = new Batch<>(runtime, encoded.size() / 2, timeoutNanos) {
            @Override
            protected Requests.Typed<Void> operation(int index, Callback<Void> callback) {
                return new Requests.Put(
                        table, deadlineNanos(), encoded.get(2 * index), encoded.get(2 * index + 1), callback);
            }

            @Override
            protected void answered(int index, @Nullable Void result) {}
        };
        return puts.start();
    }

    // ---- bytes

    /**
     * The bytes of a key.
     *
     * @throws IllegalArgumentException if the key is empty
     * @throws RecordTooLargeException if the key is too long
     */
    public byte[] key(K key) {
        byte[] bytes = keys.encode(key);
        String problem = Limits.keyProblem(bytes);
        if (problem != null) {
            throw bytes.length == 0 ? new IllegalArgumentException(problem) : new RecordTooLargeException(problem);
        }
        return bytes;
    }

    private byte[] value(V value) {
        byte[] bytes = values.encode(value);
        String problem = Limits.valueProblem(bytes);
        if (problem != null) {
            throw new RecordTooLargeException(problem);
        }
        return bytes;
    }
}
