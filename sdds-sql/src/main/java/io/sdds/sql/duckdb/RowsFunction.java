package io.sdds.sql.duckdb;

import io.sdds.core.row.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.duckdb.DuckDBDataChunkWriter;
import org.duckdb.DuckDBTableFunction;
import org.duckdb.DuckDBTableFunctionBindInfo;
import org.duckdb.DuckDBTableFunctionCallInfo;
import org.duckdb.DuckDBTableFunctionInitInfo;
import org.jspecify.annotations.Nullable;

/**
 * The table function {@code sdds_rows(number)}: the rows of a source that a statement has lent. DuckDB asks for the
 * columns that the statement reads, and for no others.
 */
final class RowsFunction implements DuckDBTableFunction<RowSource, RowsFunction.Reading, Object> {
    static final String NAME = "sdds_rows";

    /**
     * A reading of a source by one run of a statement.
     *
     * @param columns that are read, in the order of the vectors; null: one that nobody reads
     */
    record Reading(List<@Nullable Column> columns, RowReader reader) {}

    private final Map<Long, RowSource> lent = new ConcurrentHashMap<>();
    private final AtomicLong last = new AtomicLong();

    /** Lends a source to a statement under a number. */
    long lend(RowSource source) {
        long number = last.incrementAndGet();
        lent.put(number, source);
        return number;
    }

    void takeBack(long number) {
        lent.remove(number);
    }

    @Override
    public RowSource bind(DuckDBTableFunctionBindInfo info) throws Exception {
        RowSource source = lent.get(info.getParameter(0).getLong());
        if (source == null) {
            throw new IllegalStateException("the statement is over");
        }
        for (Column column : source.columns()) {
            CarriedType.declare(column, info);
        }
        info.setCardinality(source.rows(), false);
        return source;
    }

    @Override
    public Reading init(DuckDBTableFunctionInitInfo info) throws Exception {
        info.setMaxThreads(1);
        RowSource source = info.getBindData();
        List<Integer> read = new ArrayList<>();
        List<@Nullable Column> columns = new ArrayList<>();
        for (long k = 0; k < info.getColumnCount(); k++) {
            long column = info.getColumnIndex(k);
            boolean isRead = column >= 0 && column < source.columns().size();
            columns.add(isRead ? source.columns().get((int) column) : null);
            if (isRead) {
                read.add((int) column);
            }
        }
        return new Reading(columns, source.read(read));
    }

    @Override
    public long apply(DuckDBTableFunctionCallInfo call, DuckDBDataChunkWriter out) throws Exception {
        Reading reading = call.getInitData();
        RowVectors vectors = new RowVectors(reading.columns(), out);
        reading.reader().next(vectors);
        return vectors.end();
    }
}
