package io.sdds.cli.command;

import io.sdds.cli.quick.QuickClient;
import io.sdds.cli.terminal.Json;
import io.sdds.client.Table;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(description = "Remove the record of a key.")
final class DeleteCommand implements Callable<Integer> {
    private final SddsCommand sdds;

    @Parameters(index = "0", paramLabel = "TABLE")
    private String table = "";

    @Parameters(index = "1", paramLabel = "KEY")
    private String key = "";

    @Option(
            names = "--if-version",
            paramLabel = "N",
            description = "Remove the record only if it has this version. sdds get --json prints the version.")
    private @Nullable Long version;

    DeleteCommand(SddsCommand sdds) {
        this.sdds = sdds;
    }

    DeleteCommand(SddsCommand sdds, String table, String key) {
        this.sdds = sdds;
        this.table = table;
        this.key = key;
    }

    @Override
    public Integer call() {
        RecordText.checkHex(sdds, key);
        boolean removed;
        try (QuickClient client = new QuickClient(sdds.addresses(), sdds.timeout())) {
            Table<byte[], byte[]> records = client.table(table);
            byte[] keyBytes = new RecordText(sdds, records).key(key);
            Long expected = version;
            removed = client.await(connected -> expected == null
                    ? records.removeAsync(keyBytes)
                    : records.removeIfVersionAsync(keyBytes, expected));
        }
        if (sdds.json()) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("table", table);
            document.put("key", key);
            document.put("removed", removed);
            Json.print(sdds.screen().out(), document);
        } else if (!removed) {
            sdds.notice("sdds delete: no record in table '" + table + "' has key '" + key + "'"
                    + (version == null ? "" : " in version " + version));
        }
        return removed ? CommandFailure.OK : CommandFailure.FAILED;
    }
}
