package io.sdds.client;

import io.sdds.client.internal.TableContext;
import io.sdds.client.internal.TableContexts;
import java.util.concurrent.CompletableFuture;

/**
 * The writes of a {@link Table} that compute at the brick of the record: it reads the record, computes and writes in
 * one request, which takes effect once. The texts are expressions of the language of queries (docs/queries.md), in
 * which the record before stands for all names. They are compiled once. A record keeps its time to live, and the
 * columns without an assignment, also those that this client has not heard of.
 *
 * <pre>{@code
 * people.update(17L, "visits = visits + 1, city = 'Paris'");
 * people.updateIf(17L, "visits < 10", "visits = visits + 1");
 * people.removeIf(17L, "visits = 0 and _version = 42");
 * counters.update("a", "value = value || x'00'"); // a table without a schema has one column, value
 * }</pre>
 *
 * <p>The call itself throws {@link IllegalArgumentException}, whose message names the text and the position, when a
 * text cannot be compiled. {@link QueryException}: a value cannot be computed, or does not fit its column, which the
 * message names; nothing is changed. {@link UnavailableException}: also when a brick is of an earlier version.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public abstract sealed class Updates<K, V> permits Table {
    final TableContexts<K, V> contexts;

    Updates(TableContexts<K, V> contexts) {
        this.contexts = contexts;
    }

    /**
     * Gives columns of a record other values.
     *
     * @param assignments such as {@code visits = visits + 1, city = 'Paris'}
     * @return whether there is a record
     */
    public boolean update(K key, String assignments) {
        TableContext<K, V> context = contexts.current();
        return context.await(context.update(key, null, assignments));
    }

    /** As {@link #update}. */
    public CompletableFuture<Boolean> updateAsync(K key, String assignments) {
        TableContext<K, V> context = contexts.current();
        return context.begin(context.update(key, null, assignments));
    }

    /**
     * Gives columns of a record other values if a condition is true of the record before.
     *
     * @param condition such as {@code visits < 10}
     * @param assignments as of {@link #update}
     * @return whether there is a record of which the condition is true
     */
    public boolean updateIf(K key, String condition, String assignments) {
        TableContext<K, V> context = contexts.current();
        return context.await(context.update(key, condition, assignments));
    }

    /** As {@link #updateIf}. */
    public CompletableFuture<Boolean> updateIfAsync(K key, String condition, String assignments) {
        TableContext<K, V> context = contexts.current();
        return context.begin(context.update(key, condition, assignments));
    }

    /**
     * Removes the record of a key if a condition is true of it.
     *
     * @param condition as of {@link #updateIf}
     * @return whether there was a record of which the condition is true
     */
    public boolean removeIf(K key, String condition) {
        TableContext<K, V> context = contexts.current();
        return context.await(context.removeIf(key, condition));
    }

    /** As {@link #removeIf}. */
    public CompletableFuture<Boolean> removeIfAsync(K key, String condition) {
        TableContext<K, V> context = contexts.current();
        return context.begin(context.removeIf(key, condition));
    }
}
