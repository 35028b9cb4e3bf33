package io.sdds.cli.command.record;

import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.connection.CommandClient;
import io.sdds.cli.format.Rows;
import io.sdds.cli.terminal.Hint;
import io.sdds.cli.terminal.Json;
import io.sdds.client.Table;
import io.sdds.core.protocol.Limits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(description = "Store a value under a key, in place of any old value.")
public final class PutCommand implements Callable<Integer> {
    private final CommandContext context;

    @Parameters(index = "0", paramLabel = "TABLE")
    private String table = "";

    @Parameters(index = "1", paramLabel = "KEY")
    private String key = "";

    @Parameters(
            index = "2..*",
            arity = "0..*",
            paramLabel = "VALUE|COLUMN=VALUE",
            description =
                    "Store VALUE. In a table with a schema store COLUMN=VALUE for each column, or a JSON object of"
                            + " columns. Columns that are left out have their default, or NULL. Not with --stdin.")
    private List<String> values = List.of();

    @Option(
            names = "--stdin",
            description = "Read the value from standard input, unchanged; with --hex, as hexadecimal digits.")
    private boolean stdin;

    @Option(
            names = "--ttl",
            paramLabel = "10m",
            description = "Set the time to live of the record; 0s: no limit. Default: that of the table.")
    private @Nullable Duration ttl;

    @Option(
            names = "--if-version",
            paramLabel = "N",
            description = "Replace the record only if it has this version. sdds get --json prints the version.")
    private @Nullable Long version;

    public PutCommand(CommandContext context) {
        this.context = context;
    }

    public PutCommand(CommandContext context, String table, String key, String value) {
        this.context = context;
        this.table = table;
        this.key = key;
        this.values = List.of(value);
    }

    @Override
    public Integer call() {
        List<String> given = given();
        RecordText.checkHex(context, key);
        byte[] read = stdin ? input() : new byte[0];
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("table", table);
        document.put("key", key);
        boolean written = true;
        try (CommandClient client = new CommandClient(context.addresses(), context.timeout())) {
            Table<byte[], byte[]> records = client.table(table);
            RecordText text = new RecordText(context, records);
            byte[] keyBytes = text.key(key);
            byte[] valueBytes = stdin ? text.input(keyBytes, read) : text.value(keyBytes, given);
            Rows rows = text.rows();
            if (rows == null) {
                document.put("value", context.text().json(valueBytes));
            } else {
                document.put("row", rows.document(keyBytes, valueBytes));
            }
            if (version == null) {
                document.put("version", client.await(connected -> put(records, keyBytes, valueBytes)));
            } else {
                long expected = version;
                written = client.await(connected -> replace(records, keyBytes, valueBytes, expected));
                document.put("written", written);
            }
        }
        if (context.json()) {
            Json.print(context.screen().out(), document);
        } else if (!written) {
            context.notice("sdds put: table '" + table + "' has no record of version " + version + " for key '" + key
                    + "'; read it again");
        }
        return written ? CommandFailure.OK : CommandFailure.FAILED;
    }

    private List<String> given() {
        if (stdin != values.isEmpty()) {
            throw CommandFailure.usage(
                    stdin
                            ? "VALUE and --stdin: use only one of them"
                            : "missing VALUE; add VALUE, or --stdin to read the value from standard input; see: "
                                    + Hint.sdds("put --help"));
        }
        return values;
    }

    /** Reads standard input up to a little more than the longest value, so that an endless input is refused. */
    private byte[] input() {
        int most = 2 * Limits.VALUE_BYTES_MAX + 2;
        try {
            return context.screen().in().readNBytes(most);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private CompletableFuture<Long> put(Table<byte[], byte[]> records, byte[] keyBytes, byte[] valueBytes) {
        return ttl == null
                ? records.putVersionedAsync(keyBytes, valueBytes)
                : records.putVersionedAsync(keyBytes, valueBytes, ttl);
    }

    private CompletableFuture<Boolean> replace(
            Table<byte[], byte[]> records, byte[] keyBytes, byte[] valueBytes, long expected) {
        return ttl == null
                ? records.replaceIfVersionAsync(keyBytes, valueBytes, expected)
                : records.replaceIfVersionAsync(keyBytes, valueBytes, expected, ttl);
    }
}
