package io.sdds.cli.command.record;

import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.connection.CommandClient;
import io.sdds.cli.format.Rows;
import io.sdds.cli.terminal.Json;
import io.sdds.client.Table;
import io.sdds.client.Versioned;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        description = "Print the value of a key.",
        footer = {
            "",
            "Prints a value that is not UTF-8 text with escapes: \\x and two digits for",
            "a byte, \\t \\n \\r \\\\ for these characters. --raw and --hex print any value exactly.",
            "Of a table with a schema it prints all columns with tabs between them, and \\N for NULL.",
            "The values of several key columns have commas between them.",
        })
public final class GetCommand implements Callable<Integer> {
    private final CommandContext context;

    @Parameters(index = "0", paramLabel = "TABLE")
    private String table = "";

    @Parameters(index = "1", paramLabel = "KEY")
    private String key = "";

    @Option(names = "--raw", description = "Print only the bytes of the value, without an end of line.")
    private boolean raw;

    public GetCommand(CommandContext context) {
        this.context = context;
    }

    public GetCommand(CommandContext context, String table, String key) {
        this.context = context;
        this.table = table;
        this.key = key;
    }

    @Override
    public Integer call() {
        if (raw && context.json()) {
            throw CommandFailure.usage("--raw prints bytes, --json prints a document: use only one of them");
        }
        RecordText.checkHex(context, key);
        byte[] wanted;
        Versioned<byte[]> record;
        Rows rows;
        try (CommandClient client = new CommandClient(context.addresses(), context.timeout())) {
            Table<byte[], byte[]> records = client.table(table);
            RecordText text = new RecordText(context, records);
            rows = text.rows();
            wanted = text.key(key);
            record = client.await(connected -> records.getVersionedAsync(wanted));
        }
        byte[] value = record == null ? null : record.value();
        if (context.json()) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("table", table);
            document.put("key", key);
            if (rows == null) {
                document.put("value", value == null ? null : context.text().json(value));
            } else {
                document.put("row", value == null ? null : rows.document(wanted, value));
            }
            document.put("version", record == null ? null : record.version());
            boolean expires = record != null && !record.timeToLive().isZero();
            document.put("ttl_ms", expires ? record.timeToLive().toMillis() : null);
            Json.print(context.screen().out(), document);
        } else if (value != null && raw) {
            context.screen().out().writeBytes(value);
        } else if (value != null) {
            context.screen().out().println(rows == null ? context.shown(value) : rows.line(wanted, value));
        } else {
            context.notice("sdds get: no record in table '" + table + "' has key '" + key + "'");
        }
        return value == null ? CommandFailure.FAILED : CommandFailure.OK;
    }
}
