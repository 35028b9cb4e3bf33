package io.sdds.cli.command;

import io.sdds.cli.quick.QuickClient;
import io.sdds.cli.terminal.Hint;
import io.sdds.cli.terminal.Json;
import io.sdds.client.Table;
import io.sdds.core.protocol.Limits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(description = "Store a value under a key, in place of any old value.")
final class PutCommand implements Callable<Integer> {
    private final SddsCommand sdds;

    @Parameters(index = "0", paramLabel = "TABLE")
    private String table = "";

    @Parameters(index = "1", paramLabel = "KEY")
    private String key = "";

    @Parameters(index = "2", arity = "0..1", paramLabel = "VALUE", description = "Store VALUE. Not with --stdin.")
    private @Nullable String value;

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

    PutCommand(SddsCommand sdds) {
        this.sdds = sdds;
    }

    PutCommand(SddsCommand sdds, String table, String key, String value) {
        this.sdds = sdds;
        this.table = table;
        this.key = key;
        this.value = value;
    }

    @Override
    public Integer call() {
        if (ttl != null) {
            TableText.checkTtl(ttl);
        }
        byte[] keyBytes = sdds.text().parse(key);
        byte[] valueBytes = valueBytes();
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("table", table);
        document.put("key", key);
        document.put("value", sdds.text().json(valueBytes));
        boolean written = true;
        try (QuickClient client = new QuickClient(sdds.addresses(), sdds.timeout())) {
            Table<byte[], byte[]> records = client.table(table);
            if (version == null) {
                document.put("version", client.await(connected -> put(records, keyBytes, valueBytes)));
            } else {
                long expected = version;
                written = client.await(connected -> replace(records, keyBytes, valueBytes, expected));
                document.put("written", written);
            }
        }
        if (sdds.json()) {
            Json.print(sdds.screen().out(), document);
        } else if (!written) {
            sdds.notice("sdds put: table '" + table + "' has no record of version " + version + " for key '" + key
                    + "'; read it again");
        }
        return written ? CommandFailure.OK : CommandFailure.FAILED;
    }

    private byte[] valueBytes() {
        String given = value;
        if (stdin == (given != null)) {
            throw CommandFailure.usage(
                    stdin
                            ? "VALUE and --stdin: use only one of them"
                            : "missing VALUE; add VALUE, or --stdin to read the value from standard input; see: "
                                    + Hint.sdds("put --help"));
        }
        if (given != null) {
            return sdds.text().parse(given);
        }
        byte[] read = input();
        return sdds.text().hex() ? sdds.text().parse(new String(read, StandardCharsets.ISO_8859_1).strip()) : read;
    }

    /** Reads standard input up to a little more than the longest value, so that an endless input is refused. */
    private byte[] input() {
        int most = 2 * Limits.VALUE_BYTES_MAX + 2;
        try {
            return sdds.screen().in().readNBytes(most);
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
