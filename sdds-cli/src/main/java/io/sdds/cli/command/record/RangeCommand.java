package io.sdds.cli.command.record;

import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.connection.CommandClient;
import io.sdds.client.Range;
import io.sdds.client.RangeTable;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        description = "Print records of a range table in the order of their keys.",
        footer = {
            "",
            "Prints KEY TAB VALUE, with \\t \\n \\r \\\\ for these characters, and \\x and two",
            "digits for a byte that is not part of UTF-8 text. FROM and TO are part of the range.",
            "FROM must not be above TO, even with --reverse, which turns the order, not the bounds."
        })
public final class RangeCommand implements Callable<Integer> {
    private final CommandContext context;

    @Parameters(index = "0", paramLabel = "TABLE")
    private String table = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "FROM",
            description = "Begin at this key. Default: the first key.")
    private @Nullable String from;

    @Parameters(index = "2", arity = "0..1", paramLabel = "TO", description = "End at this key. Default: the last key.")
    private @Nullable String to;

    @Option(names = "--reverse", description = "Print records from high to low keys.")
    private boolean reverse;

    @Option(names = "--limit", paramLabel = "N", description = "Print at most N records or rows.")
    private long limit = Long.MAX_VALUE;

    @Option(
            names = "--prefix",
            paramLabel = "P",
            description = "Print only records whose key has this prefix. Not with FROM or TO.")
    private @Nullable String prefix;

    @Option(
            names = "--where",
            paramLabel = "EXPR",
            description = "Print only records that meet this condition; see sdds help scan.")
    private @Nullable String where;

    @Mixin
    private ParameterOptions parameters = new ParameterOptions();

    @Mixin
    private RowOptions rows = new RowOptions();

    @Option(names = "--count", description = "Print only the number of records or rows.")
    private boolean count;

    public RangeCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        QueryOutput.checkLimit(limit);
        parameters.check("--where", where);
        rows.check();
        if (prefix != null && from != null) {
            throw CommandFailure.usage("--prefix replaces FROM and TO: use one or the other");
        }
        try (CommandClient client = new CommandClient(context.addresses(), context.timeout())) {
            print(client);
        }
        return CommandFailure.OK;
    }

    private void print(CommandClient client) throws IOException {
        RangeTable<byte[], byte[]> records = client.rangeTable(table);
        RecordText text = new RecordText(context, records);
        byte[] low = from == null ? null : text.key(from);
        byte[] high = to == null ? null : text.key(to);
        if (low != null && high != null && Arrays.compareUnsigned(low, high) > 0) {
            throw CommandFailure.usage(
                    "FROM '" + from + "' is above TO '" + to + "'; --reverse turns the order, not the bounds");
        }
        Range<byte[], byte[]> range = range(records, text, low, high).limit(limit);
        range = where == null ? range : range.where(where, parameters.values());
        range = reverse ? range.descending() : range;
        if (rows.wantRows()) {
            rows.print(context, client, table, rows.rows(range, limit), count);
        } else if (count) {
            QueryOutput.printCount(context, client, table, range);
        } else {
            QueryOutput.print(context, client, records, range);
        }
    }

    private Range<byte[], byte[]> range(
            RangeTable<byte[], byte[]> records, RecordText text, byte @Nullable [] low, byte @Nullable [] high) {
        if (prefix != null) {
            return records.prefix(text.prefix(prefix));
        }
        if (low == null) {
            return records.range();
        }
        return high == null ? records.from(low, true) : records.range(low, high);
    }
}
