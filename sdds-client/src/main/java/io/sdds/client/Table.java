package io.sdds.client;

import io.sdds.client.internal.routing.KeyRequest;
import io.sdds.client.internal.routing.RoutedTable;
import io.sdds.client.internal.routing.Terms;
import io.sdds.core.protocol.Filter;
import io.sdds.core.protocol.Opcode;
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
 * A table of a cluster, of either kind. Thread-safe. Operations on one key are linearizable; a write takes effect once, however often the client had to send it.
 *
 * <p>A failure is an {@link SddsException}, the same from a blocking call, a future and a callback; a future ends with it, not with a {@link java.util.concurrent.CompletionException} around it.
 * What a codec throws on encoding is thrown by the call itself, as are {@link IllegalArgumentException}s; what it throws on decoding is the cause of a {@link CodecException}. What a function
 * or consumer of the application throws is passed on as it is.
 *
 * <p>Cancelling the future of an operation gives the operation up: what has not been sent to a brick is never sent, and its room in the client's window is free. A write that has been sent
 * may have taken effect, or may yet, as one that times out with an unknown outcome; nobody is told. Cancelling {@link #getAllAsync} or {@link #putAllAsync} begins no more of
 * their operations, and those under way end by themselves.
 *
 * <p>Keys have 1 to 65,535 bytes, values up to 16 MiB; more is refused with {@link RecordTooLargeException} before anything is sent. When too much is
 * outstanding, calls wait for room until their deadline; on the client's own loop they fail with {@link OverloadedException} instead.
 */
public abstract class Table<K, V> {
    final Shell shell;
    final RoutedTable table;
    final Codec<K> keys;
    final Codec<V> values;
    final long timeoutNanos;

    Table(Shell shell, RoutedTable table, Codec<K> keys, Codec<V> values, long timeoutNanos) {
        this.shell = shell;
        this.table = table;
        this.keys = keys;
        this.values = values;
        this.timeoutNanos = timeoutNanos;
    }

    public String name() {
        return table.name();
    }

    /** The value of a key; null when there is none. */
    public @Nullable V get(K key) {
        shell.checkMayBlock();
        return Shell.await(getAsync(key));
    }

    public CompletableFuture<@Nullable V> getAsync(K key) {
        return begin(new Requests.Get<>(table, deadline(), key(key), values, null));
    }

    /** The same with a callback, which is a little cheaper than a future. */
    public void getAsync(K key, Callback<? super V> callback) {
        shell.begin(new Requests.Get<>(table, deadline(), key(key), values, callback));
    }

    /** Gives a key a value, in place of the one it had. */
    public void put(K key, V value) {
        shell.checkMayBlock();
        Shell.await(putAsync(key, value));
    }

    public CompletableFuture<Void> putAsync(K key, V value) {
        return begin(new Requests.Put(table, deadline(), key(key), value(value), null));
    }

    public void putAsync(K key, V value, Callback<? super Void> callback) {
        shell.begin(new Requests.Put(table, deadline(), key(key), value(value), callback));
    }

    /**
     * Gives a key a value that lives for a while: then the record is gone, for every operation alike, and its memory comes back. Time is counted by the bricks that
     * hold it; a record lives as long as was asked, and up to about 100 ms longer.
     *
     * <p>A write that says no time to live gives the record that of its table, by default none; {@link #increment(Object, long)} alone leaves a record's own as it
     * is.
     *
     * @param timeToLive up to a hundred years; {@link Duration#ZERO}: it doesn't expire, whatever the table's records do
     * @throws IllegalArgumentException if the time to live is negative or longer
     */
    public void put(K key, V value, Duration timeToLive) {
        shell.checkMayBlock();
        Shell.await(putAsync(key, value, timeToLive));
    }

    public CompletableFuture<Void> putAsync(K key, V value, Duration timeToLive) {
        return begin(new Requests.Put(table, deadline(), key(key), value(value), null).on(ttl(timeToLive)));
    }

    /** Gives a key a value, and answers the record's version. */
    public long putVersioned(K key, V value) {
        shell.checkMayBlock();
        return Shell.await(putVersionedAsync(key, value));
    }

    public CompletableFuture<Long> putVersionedAsync(K key, V value) {
        return begin(new Requests.PutVersioned(table, deadline(), key(key), value(value)));
    }

    /** The same with a time to live, as in {@link #put(Object, Object, Duration)}. */
    public long putVersioned(K key, V value, Duration timeToLive) {
        shell.checkMayBlock();
        return Shell.await(putVersionedAsync(key, value, timeToLive));
    }

    public CompletableFuture<Long> putVersionedAsync(K key, V value, Duration timeToLive) {
        return begin(new Requests.PutVersioned(table, deadline(), key(key), value(value)).on(ttl(timeToLive)));
    }

    /** The record of a key with its version and the time it has left to live; null when there is none. */
    public @Nullable Versioned<V> getVersioned(K key) {
        shell.checkMayBlock();
        return Shell.await(getVersionedAsync(key));
    }

    public CompletableFuture<@Nullable Versioned<V>> getVersionedAsync(K key) {
        return begin(new Requests.GetVersioned<>(table, deadline(), key(key), values));
    }

    /**
     * How long a record has left to live, rounded up to milliseconds; null when there is none.
     *
     * @return {@link Duration#ZERO}: it doesn't expire
     */
    public @Nullable Duration timeToLive(K key) {
        shell.checkMayBlock();
        return Shell.await(timeToLiveAsync(key));
    }

    public CompletableFuture<@Nullable Duration> timeToLiveAsync(K key) {
        return begin(new Requests.GetTimeToLive(table, deadline(), key(key)));
    }

    /**
     * Lets a record live so long from now on; its value and version stay. Whether there is one.
     *
     * @param timeToLive as in {@link #put(Object, Object, Duration)}
     */
    public boolean expire(K key, Duration timeToLive) {
        shell.checkMayBlock();
        return Shell.await(expireAsync(key, timeToLive));
    }

    public CompletableFuture<Boolean> expireAsync(K key, Duration timeToLive) {
        Terms terms = ttl(timeToLive);
        return begin(new Requests.Conditional(table, Opcode.TOUCH, deadline(), key(key), null).on(terms));
    }

    /** Lets a record live until it is removed. Whether there is one. */
    public boolean persist(K key) {
        return expire(key, Duration.ZERO);
    }

    public CompletableFuture<Boolean> persistAsync(K key) {
        return expireAsync(key, Duration.ZERO);
    }

    /** Gives a key a value if it has none; whether it had none. */
    public boolean putIfAbsent(K key, V value) {
        shell.checkMayBlock();
        return Shell.await(putIfAbsentAsync(key, value));
    }

    public CompletableFuture<Boolean> putIfAbsentAsync(K key, V value) {
        return begin(conditional(Opcode.PUT_IF_ABSENT, key, value));
    }

    /** The same with a time to live, as in {@link #put(Object, Object, Duration)}. */
    public boolean putIfAbsent(K key, V value, Duration timeToLive) {
        shell.checkMayBlock();
        return Shell.await(putIfAbsentAsync(key, value, timeToLive));
    }

    public CompletableFuture<Boolean> putIfAbsentAsync(K key, V value, Duration timeToLive) {
        return begin(conditional(Opcode.PUT_IF_ABSENT, key, value).on(ttl(timeToLive)));
    }

    /** Gives a key that has a value another one; whether it had one. */
    public boolean replace(K key, V value) {
        shell.checkMayBlock();
        return Shell.await(replaceAsync(key, value));
    }

    public CompletableFuture<Boolean> replaceAsync(K key, V value) {
        return begin(conditional(Opcode.REPLACE, key, value));
    }

    /** The same with a time to live, as in {@link #put(Object, Object, Duration)}. */
    public boolean replace(K key, V value, Duration timeToLive) {
        shell.checkMayBlock();
        return Shell.await(replaceAsync(key, value, timeToLive));
    }

    public CompletableFuture<Boolean> replaceAsync(K key, V value, Duration timeToLive) {
        return begin(conditional(Opcode.REPLACE, key, value).on(ttl(timeToLive)));
    }

    /**
     * Gives a key another value if its record still has the version that was read; whether it had. No two values that a key ever had share a version, so
     * whoever read the record before anybody else wrote wins.
     *
     * @param version from {@link #getVersioned} or {@link #putVersioned}
     */
    public boolean replaceIfVersion(K key, V value, long version) {
        shell.checkMayBlock();
        return Shell.await(replaceIfVersionAsync(key, value, version));
    }

    public CompletableFuture<Boolean> replaceIfVersionAsync(K key, V value, long version) {
        return begin(conditional(Opcode.REPLACE, key, value).on(Terms.ifVersion(version)));
    }

    /** The same with a time to live, as in {@link #put(Object, Object, Duration)}. */
    public boolean replaceIfVersion(K key, V value, long version, Duration timeToLive) {
        shell.checkMayBlock();
        return Shell.await(replaceIfVersionAsync(key, value, version, timeToLive));
    }

    public CompletableFuture<Boolean> replaceIfVersionAsync(K key, V value, long version, Duration timeToLive) {
        Terms terms = Terms.ifVersion(version).withTtl(millis(timeToLive));
        return begin(conditional(Opcode.REPLACE, key, value).on(terms));
    }

    /** Gives a key a value if it has the expected one, compared by its bytes; whether it had. */
    public boolean compareAndSet(K key, V expected, V value) {
        shell.checkMayBlock();
        return Shell.await(compareAndSetAsync(key, expected, value));
    }

    public CompletableFuture<Boolean> compareAndSetAsync(K key, V expected, V value) {
        return begin(comparing(key, expected, value));
    }

    /** The same with a time to live, as in {@link #put(Object, Object, Duration)}. */
    public boolean compareAndSet(K key, V expected, V value, Duration timeToLive) {
        shell.checkMayBlock();
        return Shell.await(compareAndSetAsync(key, expected, value, timeToLive));
    }

    public CompletableFuture<Boolean> compareAndSetAsync(K key, V expected, V value, Duration timeToLive) {
        return begin(comparing(key, expected, value).on(ttl(timeToLive)));
    }

    /** Removes a key with its value; whether it was there. */
    public boolean remove(K key) {
        shell.checkMayBlock();
        return Shell.await(removeAsync(key));
    }

    public CompletableFuture<Boolean> removeAsync(K key) {
        return begin(new Requests.Conditional(table, Opcode.REMOVE, deadline(), key(key), null));
    }

    /** Removes a key if its record still has the version that was read; whether it had. */
    public boolean removeIfVersion(K key, long version) {
        shell.checkMayBlock();
        return Shell.await(removeIfVersionAsync(key, version));
    }

    public CompletableFuture<Boolean> removeIfVersionAsync(K key, long version) {
        Terms terms = Terms.ifVersion(version);
        return begin(new Requests.Conditional(table, Opcode.REMOVE, deadline(), key(key), null).on(terms));
    }

    /**
     * Adds to a counter and answers its new value. A counter is stored as the values' codec reads and writes it: of {@link Codec#int64} as a number of eight bytes, of {@link Codec#utf8} as decimal
     * text such as {@code 42}; an absent one counts from 0.
     *
     * @throws NotANumberException when the value is no such number, or the sum would exceed 64 bits
     * @throws UnsupportedOperationException when the codec of the values is another one
     */
    public long increment(K key, long delta) {
        shell.checkMayBlock();
        return Shell.await(incrementAsync(key, delta));
    }

    public CompletableFuture<Long> incrementAsync(K key, long delta) {
        return begin(new Requests.Increment(table, deadline(), key(key), delta, null).on(counterForm()));
    }

    /**
     * The same, and the counter lives so long from now on: without a time to live an existing one keeps its own.
     *
     * @param timeToLive as in {@link #put(Object, Object, Duration)}
     */
    public long increment(K key, long delta, Duration timeToLive) {
        shell.checkMayBlock();
        return Shell.await(incrementAsync(key, delta, timeToLive));
    }

    public CompletableFuture<Long> incrementAsync(K key, long delta, Duration timeToLive) {
        Terms terms = counterForm().withTtl(millis(timeToLive));
        return begin(new Requests.Increment(table, deadline(), key(key), delta, null).on(terms));
    }

    /** How a counter is stored, which must be how the codec of the values reads it. */
    private Terms counterForm() {
        if (values.equals(Codec.int64())) {
            return Terms.INT64;
        }
        if (values.equals(Codec.utf8())) {
            return Terms.NONE;
        }
        throw new UnsupportedOperationException("increment in table '" + name()
                + "': counters need values of Codec.int64() or Codec.utf8(), which say how a number is stored");
    }

    /** The values of those of the keys that have one, in the order of the keys. Not atomic: each key is read by itself. */
    public Map<K, V> getAll(Collection<? extends K> wanted) {
        shell.checkMayBlock();
        return Shell.await(getAllAsync(wanted));
    }

    public CompletableFuture<Map<K, V>> getAllAsync(Collection<? extends K> wanted) {
        List<K> inOrder = List.copyOf(wanted);
        byte[][] encoded = new byte[inOrder.size()][];
        Arrays.setAll(encoded, index -> key(inOrder.get(index)));
        Object[] found = new Object[encoded.length];
        Batch<V> gets = new Batch<>(shell, encoded.length, timeoutNanos) {
            @Override
            Requests.Typed<V> operation(int index, Callback<V> callback) {
                return new Requests.Get<>(table, deadline(), encoded[index], values, callback);
            }

            @Override
            void answered(int index, @Nullable V result) {
                found[index] = result;
            }
        };
        return Futures.map(gets.start(), done -> collected(inOrder, found));
    }

    @SuppressWarnings("unchecked")
    private Map<K, V> collected(List<K> inOrder, Object[] found) {
        Map<K, V> all = new LinkedHashMap<>();
        for (int k = 0; k < found.length; k++) {
            if (found[k] != null) {
                all.put(inOrder.get(k), (V) found[k]);
            }
        }
        return all;
    }

    /**
     * Puts all of them. Not atomic: each record is put by itself, in any order. When one fails, no more are begun, and those before it stay put.
     */
    public void putAll(Map<? extends K, ? extends V> records) {
        shell.checkMayBlock();
        Shell.await(putAllAsync(records));
    }

    public CompletableFuture<Void> putAllAsync(Map<? extends K, ? extends V> records) {
        List<byte[]> encoded = new ArrayList<>(2 * records.size());
        records.forEach((key, value) -> {
            encoded.add(key(key));
            encoded.add(value(value));
        });
        Batch<Void> puts = new Batch<>(shell, encoded.size() / 2, timeoutNanos) {
            @Override
            Requests.Typed<Void> operation(int index, Callback<Void> callback) {
                return new Requests.Put(
                        table, deadline(), encoded.get(2 * index), encoded.get(2 * index + 1), callback);
            }

            @Override
            void answered(int index, @Nullable Void result) {}
        };
        return puts.start();
    }

    private Requests.Conditional conditional(byte opcode, K key, V value) {
        return new Requests.Conditional(table, opcode, deadline(), key(key), value(value), null);
    }

    private Requests.Conditional comparing(K key, V expected, V value) {
        return new Requests.Conditional(table, deadline(), key(key), value(expected), value(value), null);
    }

    private static Terms ttl(Duration timeToLive) {
        return Terms.ttl(millis(timeToLive));
    }

    /** All records. */
    public abstract Query<K, V> scan();

    /** The records that pass a filter, which the bricks evaluate. See {@link Filters}. */
    public abstract Query<K, V> scan(Filter filter);

    /** How many records there are. Exact for those that are there throughout; asks every partition. */
    public long size() {
        shell.checkMayBlock();
        return Shell.await(sizeAsync());
    }

    /** Cancelling the future ends it: nothing more is asked. */
    public abstract CompletableFuture<Long> sizeAsync();

    /** Removes all records; those put meanwhile may stay. */
    public void clear() {
        shell.checkMayBlock();
        Shell.await(clearAsync());
    }

    /** Cancelling the future ends it: nothing more is asked; what was removed stays removed. */
    public abstract CompletableFuture<Void> clearAsync();

    private static long millis(Duration timeToLive) {
        return TableOptions.ttlMillis(timeToLive);
    }

    private long deadline() {
        return shell.nowNanos() + timeoutNanos;
    }

    private <T> CompletableFuture<T> begin(Requests.Typed<T> request) {
        shell.begin(request);
        return request;
    }

    final byte[] key(K key) {
        byte[] bytes = keys.encode(key);
        String problem = KeyRequest.keyProblem(bytes);
        if (problem != null) {
            throw bytes.length == 0 ? new IllegalArgumentException(problem) : new RecordTooLargeException(problem);
        }
        return bytes;
    }

    private byte[] value(V value) {
        byte[] bytes = values.encode(value);
        String problem = KeyRequest.valueProblem(bytes);
        if (problem != null) {
            throw new RecordTooLargeException(problem);
        }
        return bytes;
    }
}
