package io.sdds.cli.command;

import io.sdds.cli.format.Format;
import io.sdds.cli.format.RecordWriter;
import io.sdds.cli.format.Text;
import io.sdds.cli.quick.QuickClient;
import io.sdds.cli.terminal.Json;
import io.sdds.client.Filters;
import io.sdds.client.Scan;
import io.sdds.core.protocol.Filter;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        description = "Print the records of a table, or those that pass a filter, in no order: KEY TAB VALUE.",
        footer = {
            "",
            "A filter compares key or value with a text: =, prefix, contains; combined by and, or, not and parentheses.",
            "  sdds scan names --where \"value contains 'CAT' and not key prefix 'U+01'\"",
            "Bricks evaluate it next to the records.",
            "",
            "Options that all commands share: sdds help"
        })
final class ScanCommand implements Callable<Integer> {
    private final SddsCommand sdds;

    @Parameters(index = "0", paramLabel = "TABLE")
    private String table = "";

    @Option(names = "--where", paramLabel = "EXPR", description = "Only records that pass this filter.")
    private @Nullable String where;

    @Option(names = "--count", description = "Print how many there are, and nothing else.")
    private boolean count;

    ScanCommand(SddsCommand sdds) {
        this.sdds = sdds;
    }

    @Override
    public Integer call() throws IOException {
        Filter filter = where == null ? Filter.everything() : Filters.parse(where);
        try (QuickClient client = new QuickClient(sdds.addresses(), sdds.timeout())) {
            Scan<byte[], byte[]> scan = client.table(table).scan(filter);
            if (count) {
                printCount(client.awaitSteps(scan::countAsync));
            } else if (sdds.json()) {
                printDocument(client, scan);
            } else {
                printLines(client, scan);
            }
        }
        return CommandFailure.OK;
    }

    private void printCount(long records) {
        if (sdds.json()) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("table", table);
            document.put("count", records);
            Json.print(sdds.screen().out(), document);
        } else {
            sdds.screen().out().println(records);
        }
    }

    private void printLines(QuickClient client, Scan<byte[], byte[]> scan) throws IOException {
        PrintStream out = sdds.screen().out();
        RecordWriter writer = Format.TSV.writer(out, sdds.text());
        client.awaitSteps(() -> scan.forEachAsync((key, value) -> {
            write(writer, key, value);
            Printing.checkRead(out);
        }));
        writer.flush();
    }

    private static void write(RecordWriter writer, byte[] key, byte[] value) {
        try {
            writer.write(key, value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (IllegalArgumentException e) {
            throw CommandFailure.failed(String.valueOf(e.getMessage()), e);
        }
    }

    private void printDocument(QuickClient client, Scan<byte[], byte[]> scan) throws IOException {
        Text text = sdds.text();
        try (JsonGenerator json = Json.generator(sdds.screen().out())) {
            json.writeStartObject();
            json.writeStringField("table", table);
            json.writeArrayFieldStart("records");
            long[] records = {0};
            client.awaitSteps(() -> scan.forEachAsync((key, value) -> {
                writeObject(json, text, key, value);
                records[0]++;
            }));
            json.writeEndArray();
            json.writeNumberField("count", records[0]);
            json.writeEndObject();
            json.writeRaw('\n');
        }
    }

    private static void writeObject(JsonGenerator json, Text text, byte[] key, byte[] value) {
        try {
            String shownKey = text.print(key);
            String shownValue = text.print(value);
            json.writeStartObject();
            json.writeStringField("key", shownKey);
            json.writeStringField("value", shownValue);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (IllegalArgumentException e) {
            throw CommandFailure.failed(String.valueOf(e.getMessage()), e);
        }
    }
}
