package io.sdds.cli.command.record;

import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.connection.CommandClient;
import io.sdds.client.Query;
import io.sdds.client.Range;
import io.sdds.client.Scan;
import io.sdds.client.Table;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        description = "Print all records of a table, or the records that pass a filter.",
        footer = {
            "",
            "Prints KEY TAB VALUE, for a hash table in no order, with \\t \\n \\r \\\\ for these characters,",
            "and \\x and two digits for a byte that is not part of UTF-8 text.",
            "Of a table with a schema it prints all columns with tabs between them, and \\N for NULL.",
            "The bricks evaluate --where, --select and --group-by next to the records. The language is that of SQL"
                + " expressions, and has the infix words contains and prefix; key and value are the bytes of a record"
                + " without a schema.",
            "  sdds scan names --where \"value contains 'CAT' and not key prefix 'U+01'\"",
            "  sdds scan names --group-by \"substring(key, 1, 5) as block\" --select \"block, count(*) as n\"",
            "Rows come in columns with headings on a terminal, else with tabs between them, and \\N for NULL."
        })
public final class ScanCommand implements Callable<Integer> {
    private final CommandContext context;

    @Parameters(index = "0", paramLabel = "TABLE")
    private String table = "";

    @Option(names = "--where", paramLabel = "EXPR", description = "Print only records that meet this condition.")
    private @Nullable String where;

    @Mixin
    private ParameterOptions parameters = new ParameterOptions();

    @Mixin
    private RowOptions rows = new RowOptions();

    @Option(names = "--limit", paramLabel = "N", description = "Print at most N records or rows.")
    private long limit = Long.MAX_VALUE;

    @Option(names = "--count", description = "Print only the number of records or rows.")
    private boolean count;

    public ScanCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        QueryOutput.checkLimit(limit);
        parameters.check("--where", where);
        rows.check();
        try (CommandClient client = new CommandClient(context.addresses(), context.timeout())) {
            Table<byte[], byte[]> records = client.table(table);
            Query<byte[], byte[]> scan = selected(records.scan());
            if (rows.wantRows()) {
                rows.print(context, client, table, rows.rows(scan, limit), count);
            } else if (count) {
                QueryOutput.printCount(context, client, table, scan);
            } else {
                QueryOutput.print(context, client, records, scan);
            }
        }
        return CommandFailure.OK;
    }

    private Query<byte[], byte[]> selected(Query<byte[], byte[]> all) {
        return switch (all) {
            case Scan<byte[], byte[]> scan ->
                (where == null ? scan : scan.where(where, parameters.values())).limit(limit);
            case Range<byte[], byte[]> range ->
                (where == null ? range : range.where(where, parameters.values())).limit(limit);
            default -> throw new IllegalStateException("a query that is neither a scan nor a range");
        };
    }
}
