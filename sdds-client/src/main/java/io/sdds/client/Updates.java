package io.sdds.client;

import io.sdds.client.internal.TableContext;
import io.sdds.client.internal.TableContexts;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The writes of a {@link Table} that compute at the brick of the record: it reads the record, computes and writes in
 * one request, which takes effect once. The texts are expressions of the language of queries (docs/queries.md), in
 * which the record before stands for all names. They are compiled once. A record keeps its time to live, and the
 * columns without an assignment, also those that this client has not heard of.
 *
 * <pre>{@code
 * people.update(17L, "visits = visits + 1, city = 'Paris'");
 * people.update(17L, "visits = visits + ?, city = ?", 3, city);
 * people.updateIf(17L, "visits < 10", "visits = visits + 1");
 * people.removeIf(17L, "visits = 0 and _version = 42");
 * counters.update("a", "value = value || x'00'"); // a table without a schema has one column, value
 * }</pre>
 *
 * <p>A question mark in a text stands for a value, which is an argument of the call: of one of the classes of
 * {@link Row}, or null. A value never becomes part of the text, so it needs no quotes and cannot change the meaning of
 * the text. A text with question marks is compiled at each call.
 *
 * <p>The call itself throws {@link IllegalArgumentException}, whose message names the text and the position, when a
 * text cannot be compiled, or has more or fewer question marks than there are values. {@link QueryException}: a value
 * cannot be computed, or does not fit its column, which the message names; nothing is changed.
 * {@link UnavailableException}: also when a brick does not know the version of the program.
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
     * @param values of the question marks
     * @return whether there is a record
     */
    public boolean update(K key, String assignments, @Nullable Object @Nullable ... values) {
        TableContext<K, V> context = contexts.current();
        return context.await(context.update(key, null, assignments, values));
    }

    /** As {@link #update}. */
    public CompletableFuture<Boolean> updateAsync(K key, String assignments, @Nullable Object @Nullable ... values) {
        TableContext<K, V> context = contexts.current();
        return context.begin(context.update(key, null, assignments, values));
    }

    /**
     * Gives columns of a record other values if a condition is true of the record before.
     *
     * @param condition such as {@code visits < 10}
     * @param assignments as of {@link #update}
     * @param values of the question marks of the condition, then of those of the assignments
     * @return whether there is a record of which the condition is true
     */
    public boolean updateIf(K key, String condition, String assignments, @Nullable Object @Nullable ... values) {
        TableContext<K, V> context = contexts.current();
        return context.await(context.update(key, condition, assignments, values));
    }

    /** As {@link #updateIf}. */
    public CompletableFuture<Boolean> updateIfAsync(
            K key, String condition, String assignments, @Nullable Object @Nullable ... values) {
        TableContext<K, V> context = contexts.current();
        return context.begin(context.update(key, condition, assignments, values));
    }

    /**
     * Removes the record of a key if a condition is true of it.
     *
     * @param condition as of {@link #updateIf}
     * @param values of the question marks
     * @return whether there was a record of which the condition is true
     */
    public boolean removeIf(K key, String condition, @Nullable Object @Nullable ... values) {
        TableContext<K, V> context = contexts.current();
        return context.await(context.removeIf(key, condition, values));
    }

    /** As {@link #removeIf}. */
    public CompletableFuture<Boolean> removeIfAsync(K key, String condition, @Nullable Object @Nullable ... values) {
        TableContext<K, V> context = contexts.current();
        return context.begin(context.removeIf(key, condition, values));
    }
}
