package io.sdds.cli.command.record;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.format.Format;
import io.sdds.cli.format.Rows;
import io.sdds.cli.quick.QuickClient;
import io.sdds.cli.terminal.Json;
import io.sdds.client.Query;
import io.sdds.client.Table;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prints the records of a query, or their number, on stdout: as lines or as a document. */
final class QueryOutput {
    private QueryOutput() {}

    static void checkLimit(long limit) {
        if (limit < 0) {
            throw CommandFailure.usage("--limit: " + limit + " is negative");
        }
    }

    static void print(CommandContext sdds, QuickClient client, Table<byte[], byte[]> table, Query<byte[], byte[]> query)
            throws IOException {
        if (sdds.json()) {
            printDocument(sdds, client, table, query);
        } else {
            printLines(sdds, client, table, query);
        }
    }

    static void printCount(CommandContext sdds, QuickClient client, String table, Query<byte[], byte[]> query)
            throws IOException {
        printCount(sdds, table, client.awaitSteps(query::countAsync));
    }

    static void printCount(CommandContext sdds, String table, long records) throws IOException {
        if (sdds.json()) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("table", table);
            document.put("count", records);
            Json.print(sdds.screen().out(), document);
        } else {
            sdds.screen().out().println(records);
        }
    }

    private static void printLines(
            CommandContext sdds, QuickClient client, Table<byte[], byte[]> table, Query<byte[], byte[]> scan)
            throws IOException {
        Rows rows = new RecordText(sdds, table).rows();
        try (RecordOutput out = RecordOutput.lines(sdds.screen().out(), Format.TSV, sdds.text(), rows)) {
            client.awaitSteps(() -> scan.forEachAsync(out::write));
        }
    }

    private static void printDocument(
            CommandContext sdds, QuickClient client, Table<byte[], byte[]> table, Query<byte[], byte[]> scan)
            throws IOException {
        Rows rows = new RecordText(sdds, table).rows();
        sdds.documentBegun();
        try (JsonGenerator json = Json.generator(sdds.screen().out())) {
            json.writeStartObject();
            json.writeStringField("table", table.name());
            json.writeArrayFieldStart("records");
            RecordOutput out = RecordOutput.elements(json, sdds.screen().out(), sdds.text(), rows);
            @Nullable RuntimeException failure = null;
            try {
                client.awaitSteps(() -> scan.forEachAsync(out::write));
            } catch (RuntimeException e) {
                failure = e;
            }
            json.writeEndArray();
            json.writeNumberField("count", out.records());
            if (failure != null) {
                json.writeStringField("error", String.valueOf(failure.getMessage()));
            }
            json.writeEndObject();
            json.writeRaw('\n');
            if (failure != null) {
                throw failure;
            }
        }
    }
}
