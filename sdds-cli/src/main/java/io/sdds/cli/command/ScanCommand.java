package io.sdds.cli.command;

import io.sdds.cli.quick.QuickClient;
import io.sdds.client.Filter;
import io.sdds.client.Filters;
import io.sdds.client.Query;
import io.sdds.client.Range;
import io.sdds.client.Scan;
import io.sdds.client.Table;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        description = "Print all records of a table, or the records that pass a filter.",
        footer = {
            "",
            "Prints KEY TAB VALUE, for a hash table in no order, with \\t \\n \\r \\\\ for these characters,",
            "and \\x and two digits for a byte that is not part of UTF-8 text.",
            "Of a table with a schema it prints all columns with tabs between them, and \\N for NULL.",
            "A filter compares key or value with a text by =, prefix or contains. Combine filters with and, or, not and"
                    + " parentheses.",
            "  sdds scan names --where \"value contains 'CAT' and not key prefix 'U+01'\"",
            "The bricks evaluate the filter."
        })
final class ScanCommand implements Callable<Integer> {
    private final SddsCommand sdds;

    @Parameters(index = "0", paramLabel = "TABLE")
    private String table = "";

    @Option(names = "--where", paramLabel = "EXPR", description = "Print only records that pass this filter.")
    private @Nullable String where;

    @Option(names = "--limit", paramLabel = "N", description = "Print at most N records.")
    private long limit = Long.MAX_VALUE;

    @Option(names = "--count", description = "Print only the number of records.")
    private boolean count;

    ScanCommand(SddsCommand sdds) {
        this.sdds = sdds;
    }

    @Override
    public Integer call() throws IOException {
        QueryOutput.checkLimit(limit);
        Filter filter = where == null ? Filter.everything() : Filters.parse(where);
        try (QuickClient client = new QuickClient(sdds.addresses(), sdds.timeout())) {
            Table<byte[], byte[]> records = client.table(table);
            Query<byte[], byte[]> scan = limited(records.scan(filter));
            if (count) {
                QueryOutput.printCount(sdds, client, table, scan);
            } else {
                QueryOutput.print(sdds, client, records, scan);
            }
        }
        return CommandFailure.OK;
    }

    private Query<byte[], byte[]> limited(Query<byte[], byte[]> all) {
        return switch (all) {
            case Scan<byte[], byte[]> scan -> scan.limit(limit);
            case Range<byte[], byte[]> range -> range.limit(limit);
            default -> throw new IllegalStateException("a query that is neither a scan nor a range");
        };
    }
}
