package io.sdds.client.internal.query;

import io.sdds.client.Versioned;
import io.sdds.client.internal.ClientRuntime;
import io.sdds.client.internal.TableContext;
import io.sdds.client.internal.query.lang.BoundText;
import io.sdds.client.internal.query.lang.Expression;
import io.sdds.client.internal.query.lang.ExpressionParser;
import io.sdds.client.internal.routing.KeyBounds;
import io.sdds.client.internal.routing.RoutedTable;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.row.Schema;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a query asks for: the records of a table, their keys, or the records with their versions, that pass a filter.
 *
 * @param part the part of each record that is asked for, as requests encode it
 * @param reader makes the values of entries
 * @param filter null: every record passes
 * @param where conditions that the records must meet, too
 * @param program with conditions: what bricks answer with; else null
 * @param encoded this program, else the filter as requests carry it; empty: every record passes
 * @param limit the largest number of records to give
 */
public record QuerySpec<K, V>(
        TableContext<K, ?> context,
        byte part,
        ValueReader<V> reader,
        @Nullable Expression filter,
        List<Expression> where,
        @Nullable CompiledQuery program,
        byte[] encoded,
        long limit) {
    private static final byte[] NOTHING = new byte[0];

    public QuerySpec {
        if (limit < 0) {
            throw new IllegalArgumentException("limit " + limit);
        }
    }

    /** A query of all records of a table. */
    public static <K, V> QuerySpec<K, V> all(TableContext<K, V> context) {
        return new QuerySpec<>(
                context,
                RequestFrame.SCAN_RECORDS,
                ValueReader.of(context.values()),
                null,
                List.of(),
                null,
                NOTHING,
                Long.MAX_VALUE);
    }

    private <X> QuerySpec<K, X> with(
            byte asked, ValueReader<X> values, @Nullable Expression passing, List<Expression> conditions) {
        if (asked == RequestFrame.SCAN_VERSIONED && !conditions.isEmpty()) {
            throw new IllegalStateException(
                    "a query for versions has no condition given as text: use a Filter, or select _version");
        }
        CompiledQuery compiled = conditions.isEmpty()
                ? null
                : QueryCompiler.records(schema(), passing, conditions, asked == RequestFrame.SCAN_RECORDS);
        byte[] carried =
                compiled != null ? compiled.encoded() : passing == null ? NOTHING : FilterProgram.encode(passing);
        return new QuerySpec<>(context, asked, values, passing, conditions, compiled, carried, limit);
    }

    /**
     * The same query with another filter.
     *
     * @throws IllegalArgumentException when the filter is too large
     */
    public QuerySpec<K, V> withFilter(Expression condition) {
        return with(part, reader, condition, where);
    }

    /**
     * The same query with one more condition.
     *
     * @throws IllegalArgumentException when the text is no condition
     * @throws IllegalStateException when the query asks for versions
     */
    public QuerySpec<K, V> withCondition(BoundText text) {
        List<Expression> more = new ArrayList<>(where);
        more.add(ExpressionParser.expression(QueryCompiler.WHERE, text));
        return with(part, reader, filter, List.copyOf(more));
    }

    public QuerySpec<K, V> withLimit(long records) {
        return new QuerySpec<>(context, part, reader, filter, where, program, encoded, records);
    }

    @SuppressWarnings("NullAway") // the entries of a query for keys have null values of type Void
    public QuerySpec<K, Void> keysOnly() {
        return with(RequestFrame.SCAN_KEYS, (value, version, left) -> null, filter, where);
    }

    /**
     * The same query for records with their versions.
     *
     * @throws IllegalStateException unless the query asks for records without versions, and has no conditions
     */
    public QuerySpec<K, Versioned<V>> versioned() {
        if (part != RequestFrame.SCAN_RECORDS) {
            throw new IllegalStateException(
                    part == RequestFrame.SCAN_KEYS
                            ? "a query for keys alone has no versions"
                            : "the query already asks for versions");
        }
        return with(RequestFrame.SCAN_VERSIONED, reader.versioned(), filter, where);
    }

    ClientRuntime runtime() {
        return context.runtime();
    }

    RoutedTable table() {
        return context.table();
    }

    /** The columns of the table. */
    Schema schema() {
        return table().schema();
    }

    long timeoutNanos() {
        return context.timeoutNanos();
    }

    /** Ascending bounds of the keys of records that can pass. */
    KeyBounds keys() {
        return program == null ? QueryCompiler.keys(schema(), filter) : program.keys();
    }

    /** What requests ask for. */
    byte what() {
        return program == null ? part : RequestFrame.SCAN_PROGRAM;
    }

    /**
     * The records of an answer in the format of a SCAN's reply.
     *
     * @param hasRecords whether the client has to evaluate the program for the records of the answer
     */
    byte[] recordsOf(byte[] answer, boolean hasRecords) {
        if (program == null) {
            return answer;
        }
        List<List<byte @Nullable []>> tuples = new Tuples(schema(), program.program()).of(answer, hasRecords);
        int bytes = 0;
        for (List<byte @Nullable []> tuple : tuples) {
            bytes += ReplyFrame.SCAN_RECORD_HEADER + bytes(tuple, 0).length + bytes(tuple, 1).length;
        }
        ByteBuffer records = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        for (List<byte @Nullable []> tuple : tuples) {
            byte[] key = bytes(tuple, 0);
            byte[] value = bytes(tuple, 1);
            records.putShort((short) key.length).putInt(value.length).put(key).put(value);
        }
        return records.array();
    }

    private static byte[] bytes(List<byte @Nullable []> tuple, int column) {
        byte[] stored = column < tuple.size() ? tuple.get(column) : null;
        return stored == null ? NOTHING : stored;
    }

    Records<K, V> records(byte[] block) {
        return new Records<>(block, part, schema(), context.keys(), reader);
    }
}
