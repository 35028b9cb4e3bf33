package io.sdds.cli.command.record;

import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.connection.CommandClient;
import io.sdds.client.Query;
import io.sdds.client.Row;
import io.sdds.client.RowQuery;
import io.sdds.client.internal.query.lang.ExpressionParser;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of commands that print what bricks compute of records. */
final class RowOptions {
    @Option(
            names = "--select",
            paramLabel = "EXPRS",
            description = "Print these columns: expressions with commas, each with a name behind 'as' if you like.")
    private @Nullable String select;

    @Option(
            names = "--group-by",
            paramLabel = "EXPRS",
            description = "Print one row for each group of records with equal values; see --select for its columns.")
    private @Nullable String groupBy;

    @Option(
            names = "--order-by",
            paramLabel = "EXPRS",
            description = "Print the rows in this order: expressions, each with asc or desc if you like.")
    private @Nullable String orderBy;

    /** Whether rows are wanted, and not records. */
    boolean wantRows() {
        return select != null || groupBy != null || orderBy != null;
    }

    /**
     * Checks the syntax of the texts before there is a table.
     *
     * @throws IllegalArgumentException that names the text and the position in it
     */
    void check() {
        if (select != null) {
            ExpressionParser.selectList("--select", select);
        }
        if (groupBy != null) {
            ExpressionParser.selectList("--group-by", groupBy);
        }
        if (orderBy != null) {
            ExpressionParser.orderList("--order-by", orderBy);
        }
    }

    /** Prints rows, or their number. */
    void print(CommandContext context, CommandClient client, String table, RowQuery<Row> query, boolean count)
            throws IOException {
        if (count) {
            QueryOutput.printCount(context, table, client.awaitSteps(query::countAsync));
        } else {
            RowOutput.print(context, client, table, query);
        }
    }

    /** The query for the rows of some records. */
    RowQuery<Row> rows(Query<byte[], byte[]> records, long limit) {
        RowQuery<Row> rows = records.rows().limit(limit);
        rows = select == null ? rows : rows.select(select);
        rows = groupBy == null ? rows : rows.groupBy(groupBy);
        return orderBy == null ? rows : rows.orderBy(orderBy);
    }
}
