package io.sdds.client;

import io.sdds.client.internal.ClientRuntime;
import io.sdds.client.internal.TableContext;
import io.sdds.client.internal.TableContexts;
import io.sdds.client.internal.routing.WriteOptions;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.row.Schema;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A table of a cluster, of either kind. Thread-safe. Operations on one key are linearizable. A write takes effect once,
 * however often the client had to send it.
 *
 * <p>Keys have 1 to 65,535 bytes, values 0 bytes to 16 MiB. The client refuses an empty key with
 * {@link IllegalArgumentException}, and a larger key or value with {@link RecordTooLargeException}, before anything is
 * sent. The call itself throws these exceptions, and also an exception that a codec throws on encoding.
 *
 * <p>Every other failure is an {@link SddsException}, the same from a blocking call, a future and a callback:
 *
 * <ul>
 *   <li>{@link TimeoutException}: the client's timeout passed. Of a write the outcome may be unknown.
 *   <li>{@link UnavailableException}: no brick of the key can be reached, or its partition is lost. Of a write the
 *       outcome may be unknown.
 *   <li>{@link OverloadedException}, {@link WindowFullException}, {@link MemoryFullException},
 *       {@link NoSuchTableException}: no effect.
 *   <li>{@link StaleRequestException}: the outcome of a write is unknown. {@link CodecException}: a value that was read
 *       cannot be decoded.
 * </ul>
 *
 * <p>{@link SddsException#isOutcomeUnknown} tells whether a write that failed may have taken effect. A future ends with
 * the exception itself, not with a {@link java.util.concurrent.CompletionException} around it. The future of an
 * {@code …Async} method ends with the result or failure of its blocking twin. A blocking call on the client's own event
 * loop throws {@link IllegalStateException} at once.
 *
 * <p>When the client's window is full, calls wait for room until their deadline, calls of {@code …Async} methods, too
 * ({@link ClientSettings.Builder#window}). On the client's event loop, and in fail-fast mode, they fail with
 * {@link WindowFullException} instead. An operation that a busy brick refuses waits in the client and is sent again. If
 * its deadline passes meanwhile, it fails with {@link OverloadedException}, and had no effect.
 *
 * <p>Cancelling the future of an operation gives the operation up: a request that was not sent to a brick is never
 * sent, and its room in the window is free. A write that has been sent may have taken effect, or may yet. Cancelling
 * {@link #getAllAsync} or {@link #putAllAsync} begins no more of their operations; operations under way end by
 * themselves.
 *
 * <pre>{@code
 * table.put("U+0041", "LATIN CAPITAL LETTER A");
 * String name = table.get("U+0041"); // null when there is none
 * boolean first = table.putIfAbsent("U+0042", "LATIN CAPITAL LETTER B", Duration.ofMinutes(10));
 * Versioned<String> read = table.getVersioned("U+0041");
 * boolean replaced = table.replaceIfVersion("U+0041", "A", read.version());
 * CompletableFuture<Map<String, String>> some = table.getAllAsync(List.of("U+0041", "U+0042"));
 * }</pre>
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public abstract sealed class Table<K, V> extends Updates<K, V> permits HashTable, RangeTable {
    Table(TableContexts<K, V> contexts) {
        super(contexts);
    }

    /** The name of the table. */
    public String name() {
        return contexts.first().table().name();
    }

    /** The columns of the table, as far as this client has heard; {@link Schema#NONE} for a table without a schema. */
    public Schema schema() {
        return contexts.first().table().schema();
    }

    // ---- reads

    /** The value of a key; null when there is none. */
    public @Nullable V get(K key) {
        TableContext<K, V> context = contexts.current();
        return context.await(context.get(key, null));
    }

    /** As {@link #get}. */
    public CompletableFuture<@Nullable V> getAsync(K key) {
        TableContext<K, V> context = contexts.current();
        return context.begin(context.get(key, null));
    }

    /** As {@link #get}, with a callback, which is a little cheaper than a future. */
    public void getAsync(K key, Callback<? super V> callback) {
        TableContext<K, V> context = contexts.current();
        context.call(context.get(key, callback));
    }

    /** The record of a key with its version and the time it has left to live; null when there is none. */
    public @Nullable Versioned<V> getVersioned(K key) {
        TableContext<K, V> context = contexts.current();
        return context.await(context.getVersioned(key));
    }

    /** As {@link #getVersioned}. */
    public CompletableFuture<@Nullable Versioned<V>> getVersionedAsync(K key) {
        TableContext<K, V> context = contexts.current();
        return context.begin(context.getVersioned(key));
    }

    /**
     * The time that a record has left to live, rounded up to milliseconds; null when there is no record.
     *
     * @return {@link Duration#ZERO} if the record does not expire
     */
    public @Nullable Duration timeToLive(K key) {
        TableContext<K, V> context = contexts.current();
        return context.await(context.getTimeToLive(key));
    }

    /** As {@link #timeToLive}. */
    public CompletableFuture<@Nullable Duration> timeToLiveAsync(K key) {
        TableContext<K, V> context = contexts.current();
        return context.begin(context.getTimeToLive(key));
    }

    /** The values of all keys that have one, in the order of the keys. Not atomic: each key is read by itself. */
    public Map<K, V> getAll(Collection<? extends K> keys) {
        return await(contexts.current(), context -> context.getAll(keys));
    }

    /** As {@link #getAll}. */
    public CompletableFuture<Map<K, V>> getAllAsync(Collection<? extends K> keys) {
        TableContext<K, V> context = contexts.current();
        return context.runtime().published(context.getAll(keys));
    }

    // ---- writes

    /** Gives a key a value, in place of the value it had. */
    public void put(K key, V value) {
        TableContext<K, V> context = contexts.current();
        context.await(context.put(key, value, null));
    }

    /** As {@link #put(Object, Object)}. */
    public CompletableFuture<Void> putAsync(K key, V value) {
        TableContext<K, V> context = contexts.current();
        return context.begin(context.put(key, value, null));
    }

    /** As {@link #put(Object, Object)}, with a callback, which is a little cheaper than a future. */
    public void putAsync(K key, V value, Callback<? super Void> callback) {
        TableContext<K, V> context = contexts.current();
        context.call(context.put(key, value, callback));
    }

    /**
     * Gives a key a value that lives for a time. Then the record is gone for every operation, and its memory is free.
     * The bricks that hold the record count the time. A record lives for the given time, and up to about 100 ms longer.
     *
     * <p>A write without a time to live gives the record the time to live of its table, by default none. Only
     * {@link #increment(Object, long)} leaves the time to live of an existing record as it is.
     *
     * @param timeToLive up to a hundred years; {@link Duration#ZERO}: the record does not expire, whatever the table
     *     says
     * @throws IllegalArgumentException if the time to live is negative or longer
     */
    public void put(K key, V value, Duration timeToLive) {
        TableContext<K, V> context = contexts.current();
        context.await(context.put(key, value, null).with(TableContext.ttl(timeToLive)));
    }

    /** As {@link #put(Object, Object, Duration)}. */
    public CompletableFuture<Void> putAsync(K key, V value, Duration timeToLive) {
        TableContext<K, V> context = contexts.current();
        return context.begin(context.put(key, value, null).with(TableContext.ttl(timeToLive)));
    }

    /** As {@link #put(Object, Object)}; returns the version of the record written. */
    public long putVersioned(K key, V value) {
        TableContext<K, V> context = contexts.current();
        return context.await(context.putVersioned(key, value));
    }

    /** As {@link #putVersioned(Object, Object)}. */
    public CompletableFuture<Long> putVersionedAsync(K key, V value) {
        TableContext<K, V> context = contexts.current();
        return context.begin(context.putVersioned(key, value));
    }

    /** As {@link #put(Object, Object, Duration)}; returns the version of the record written. */
    public long putVersioned(K key, V value, Duration timeToLive) {
        TableContext<K, V> context = contexts.current();
        return context.await(context.putVersioned(key, value).with(TableContext.ttl(timeToLive)));
    }

    /** As {@link #putVersioned(Object, Object, Duration)}. */
    public CompletableFuture<Long> putVersionedAsync(K key, V value, Duration timeToLive) {
        TableContext<K, V> context = contexts.current();
        return context.begin(context.putVersioned(key, value).with(TableContext.ttl(timeToLive)));
    }

    /**
     * Puts all records. Not atomic: each record is put by itself, in any order, a bounded number at a time. Puts that
     * busy bricks refuse begin again, until no put has succeeded for the timeout. After a failure no more puts are
     * begun; other records may have been put.
     */
    public void putAll(Map<? extends K, ? extends V> records) {
        await(contexts.current(), context -> context.putAll(records));
    }

    /** As {@link #putAll}. */
    public CompletableFuture<Void> putAllAsync(Map<? extends K, ? extends V> records) {
        TableContext<K, V> context = contexts.current();
        return context.runtime().published(context.putAll(records));
    }

    // ---- conditional writes

    /** Gives a key a value if it has none. Returns whether it had none. */
    public boolean putIfAbsent(K key, V value) {
        TableContext<K, V> context = contexts.current();
        return context.await(context.conditional(Opcode.PUT_IF_ABSENT, key, value));
    }

    /** As {@link #putIfAbsent(Object, Object)}. */
    public CompletableFuture<Boolean> putIfAbsentAsync(K key, V value) {
        TableContext<K, V> context = contexts.current();
        return context.begin(context.conditional(Opcode.PUT_IF_ABSENT, key, value));
    }

    /** As {@link #putIfAbsent(Object, Object)}, with a time to live as in {@link #put(Object, Object, Duration)}. */
    public boolean putIfAbsent(K key, V value, Duration timeToLive) {
        WriteOptions options = TableContext.ttl(timeToLive);
        TableContext<K, V> context = contexts.current();
        return context.await(
                context.conditional(Opcode.PUT_IF_ABSENT, key, value).with(options));
    }

    /** As {@link #putIfAbsent(Object, Object, Duration)}. */
    public CompletableFuture<Boolean> putIfAbsentAsync(K key, V value, Duration timeToLive) {
        WriteOptions options = TableContext.ttl(timeToLive);
        TableContext<K, V> context = contexts.current();
        return context.begin(
                context.conditional(Opcode.PUT_IF_ABSENT, key, value).with(options));
    }

    /** Gives a key another value if it has one. Returns whether it had one. */
    public boolean replace(K key, V value) {
        TableContext<K, V> context = contexts.current();
        return context.await(context.conditional(Opcode.REPLACE, key, value));
    }

    /** As {@link #replace(Object, Object)}. */
    public CompletableFuture<Boolean> replaceAsync(K key, V value) {
        TableContext<K, V> context = contexts.current();
        return context.begin(context.conditional(Opcode.REPLACE, key, value));
    }

    /** As {@link #replace(Object, Object)}, with a time to live as in {@link #put(Object, Object, Duration)}. */
    public boolean replace(K key, V value, Duration timeToLive) {
        TableContext<K, V> context = contexts.current();
        return context.await(context.conditional(Opcode.REPLACE, key, value).with(TableContext.ttl(timeToLive)));
    }

    /** As {@link #replace(Object, Object, Duration)}. */
    public CompletableFuture<Boolean> replaceAsync(K key, V value, Duration timeToLive) {
        WriteOptions options = TableContext.ttl(timeToLive);
        TableContext<K, V> context = contexts.current();
        return context.begin(context.conditional(Opcode.REPLACE, key, value).with(options));
    }

    /**
     * Gives a key another value if its record still has the version that was read. Returns whether it had. No two
     * values that a key ever had share a version, so of several clients that read a record, the client that writes
     * first wins.
     *
     * @param version from {@link #getVersioned} or {@link #putVersioned(Object, Object)}
     */
    public boolean replaceIfVersion(K key, V value, long version) {
        WriteOptions options = WriteOptions.ifVersion(version);
        TableContext<K, V> context = contexts.current();
        return context.await(context.conditional(Opcode.REPLACE, key, value).with(options));
    }

    /** As {@link #replaceIfVersion(Object, Object, long)}. */
    public CompletableFuture<Boolean> replaceIfVersionAsync(K key, V value, long version) {
        WriteOptions options = WriteOptions.ifVersion(version);
        TableContext<K, V> context = contexts.current();
        return context.begin(context.conditional(Opcode.REPLACE, key, value).with(options));
    }

    /**
     * As {@link #replaceIfVersion(Object, Object, long)}, with a time to live as in {@link #put(Object, Object,
     * Duration)}.
     */
    public boolean replaceIfVersion(K key, V value, long version, Duration timeToLive) {
        WriteOptions options = TableContext.ttl(version, timeToLive);
        TableContext<K, V> context = contexts.current();
        return context.await(context.conditional(Opcode.REPLACE, key, value).with(options));
    }

    /** As {@link #replaceIfVersion(Object, Object, long, Duration)}. */
    public CompletableFuture<Boolean> replaceIfVersionAsync(K key, V value, long version, Duration timeToLive) {
        WriteOptions options = TableContext.ttl(version, timeToLive);
        TableContext<K, V> context = contexts.current();
        return context.begin(context.conditional(Opcode.REPLACE, key, value).with(options));
    }

    /** Gives a key a value if it has the expected value. Returns whether it had. Values are compared by their bytes. */
    public boolean compareAndSet(K key, V expected, V value) {
        TableContext<K, V> context = contexts.current();
        return context.await(context.compareAndSet(key, expected, value));
    }

    /** As {@link #compareAndSet(Object, Object, Object)}. */
    public CompletableFuture<Boolean> compareAndSetAsync(K key, V expected, V value) {
        TableContext<K, V> context = contexts.current();
        return context.begin(context.compareAndSet(key, expected, value));
    }

    /**
     * As {@link #compareAndSet(Object, Object, Object)}, with a time to live as in {@link #put(Object, Object,
     * Duration)}.
     */
    public boolean compareAndSet(K key, V expected, V value, Duration timeToLive) {
        TableContext<K, V> context = contexts.current();
        return context.await(context.compareAndSet(key, expected, value).with(TableContext.ttl(timeToLive)));
    }

    /** As {@link #compareAndSet(Object, Object, Object, Duration)}. */
    public CompletableFuture<Boolean> compareAndSetAsync(K key, V expected, V value, Duration timeToLive) {
        TableContext<K, V> context = contexts.current();
        return context.begin(context.compareAndSet(key, expected, value).with(TableContext.ttl(timeToLive)));
    }

    /** Removes the record of a key. Returns whether there was one. */
    public boolean remove(K key) {
        TableContext<K, V> context = contexts.current();
        return context.await(context.conditional(Opcode.REMOVE, key));
    }

    /** As {@link #remove}. */
    public CompletableFuture<Boolean> removeAsync(K key) {
        TableContext<K, V> context = contexts.current();
        return context.begin(context.conditional(Opcode.REMOVE, key));
    }

    /** Removes the record of a key if it still has the version that was read. Returns whether it had. */
    public boolean removeIfVersion(K key, long version) {
        TableContext<K, V> context = contexts.current();
        return context.await(context.conditional(Opcode.REMOVE, key).with(WriteOptions.ifVersion(version)));
    }

    /** As {@link #removeIfVersion}. */
    public CompletableFuture<Boolean> removeIfVersionAsync(K key, long version) {
        TableContext<K, V> context = contexts.current();
        return context.begin(context.conditional(Opcode.REMOVE, key).with(WriteOptions.ifVersion(version)));
    }

    /**
     * Sets the time to live of a record, from now on; its value and version stay. Returns whether there is a record.
     *
     * @param timeToLive as in {@link #put(Object, Object, Duration)}
     */
    public boolean expire(K key, Duration timeToLive) {
        TableContext<K, V> context = contexts.current();
        return context.await(context.touch(key, timeToLive));
    }

    /** As {@link #expire}. */
    public CompletableFuture<Boolean> expireAsync(K key, Duration timeToLive) {
        TableContext<K, V> context = contexts.current();
        return context.begin(context.touch(key, timeToLive));
    }

    /** Removes the time to live of a record, so that the record does not expire. Returns whether there is a record. */
    public boolean persist(K key) {
        return expire(key, Duration.ZERO);
    }

    /** As {@link #persist}. */
    public CompletableFuture<Boolean> persistAsync(K key) {
        return expireAsync(key, Duration.ZERO);
    }

    // ---- counters

    /**
     * Adds to a counter; returns its new value. A counter is stored in the form that the codec of the values reads:
     * with {@link Codec#int64} as a number of eight bytes, with {@link Codec#utf8} as decimal text such as {@code 42}.
     * An absent counter counts from 0.
     *
     * @throws NotANumberException when the value is no such number, or the sum would exceed 64 bits; nothing is changed
     * @throws UnsupportedOperationException when the codec of the values is another one
     */
    public long increment(K key, long delta) {
        TableContext<K, V> context = contexts.current();
        return context.await(context.increment(key, delta, null));
    }

    /** As {@link #increment(Object, long)}. */
    public CompletableFuture<Long> incrementAsync(K key, long delta) {
        TableContext<K, V> context = contexts.current();
        return context.begin(context.increment(key, delta, null));
    }

    /**
     * As {@link #increment(Object, long)}, with a time to live from now on as in {@link #put(Object, Object,
     * Duration)}.
     */
    public long increment(K key, long delta, Duration timeToLive) {
        TableContext<K, V> context = contexts.current();
        return context.await(context.increment(key, delta, timeToLive));
    }

    /** As {@link #increment(Object, long, Duration)}. */
    public CompletableFuture<Long> incrementAsync(K key, long delta, Duration timeToLive) {
        TableContext<K, V> context = contexts.current();
        return context.begin(context.increment(key, delta, timeToLive));
    }

    // ---- all records

    /** The query of all records. */
    public abstract Query<K, V> scan();

    /**
     * The query of the records that pass a filter, which the bricks evaluate.
     *
     * @throws IllegalArgumentException when the filter is too large
     */
    public abstract Query<K, V> scan(Filter filter);

    /**
     * The number of records. The number is exact for records that exist throughout. Asks every partition, and fails as
     * a {@link Query} does.
     */
    public long size() {
        return await(contexts.current(), this::size);
    }

    /** As {@link #size()}. After the future is cancelled, the client sends no more requests. */
    public CompletableFuture<Long> sizeAsync() {
        TableContext<K, V> context = contexts.current();
        return context.runtime().published(size(context));
    }

    /**
     * Removes all records. Records that are put meanwhile may stay. If the call fails, as a {@link Query} does, some
     * records may be removed.
     */
    public void clear() {
        await(contexts.current(), this::clear);
    }

    /**
     * As {@link #clear()}. After the future is cancelled, the client sends no more requests; removed records stay
     * removed.
     */
    public CompletableFuture<Void> clearAsync() {
        TableContext<K, V> context = contexts.current();
        return context.runtime().published(clear(context));
    }

    abstract CompletableFuture<Long> size(TableContext<K, V> context);

    abstract CompletableFuture<Void> clear(TableContext<K, V> context);

    private interface Operation<K, V, T> {
        CompletableFuture<T> begin(TableContext<K, V> context);
    }

    private static <K, V, T> T await(TableContext<K, V> context, Operation<K, V, T> operation) {
        context.runtime().checkMayBlock();
        return ClientRuntime.await(operation.begin(context));
    }
}
