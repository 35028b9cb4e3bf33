package io.sdds.cli.command;

import io.sdds.cli.format.Text;
import io.sdds.cli.quick.QuickClient;
import io.sdds.cli.terminal.Json;
import io.sdds.client.HashTable;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(description = "Give a key a value, in place of the one it had.")
final class PutCommand implements Callable<Integer> {
    private final SddsCommand sdds;

    @Parameters(index = "0", paramLabel = "TABLE")
    private String table = "";

    @Parameters(index = "1", paramLabel = "KEY")
    private String key = "";

    @Parameters(index = "2", paramLabel = "VALUE")
    private String value = "";

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
        Text text = sdds.text();
        byte[] keyBytes = text.parse(key);
        byte[] valueBytes = text.parse(value);
        try (QuickClient client = new QuickClient(sdds.addresses(), sdds.timeout())) {
            HashTable<byte[], byte[]> records = client.table(table);
            client.await(connected -> records.putAsync(keyBytes, valueBytes));
        }
        if (sdds.json()) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("table", table);
            document.put("key", key);
            document.put("value", value);
            Json.print(sdds.screen().out(), document);
        }
        return CommandFailure.OK;
    }
}
