package io.sdds.cli.command.record;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.connection.CommandClient;
import io.sdds.cli.format.Format;
import io.sdds.cli.format.Rows;
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

    static void print(
            CommandContext context, CommandClient client, Table<byte[], byte[]> table, Query<byte[], byte[]> query)
            throws IOException {
        if (context.json()) {
            printDocument(context, client, table, query);
        } else {
            printLines(context, client, table, query);
        }
    }

    static void printCount(CommandContext context, CommandClient client, String table, Query<byte[], byte[]> query)
            throws IOException {
        printCount(context, table, client.awaitSteps(query::countAsync));
    }

    static void printCount(CommandContext context, String table, long records) throws IOException {
        if (context.json()) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("table", table);
            document.put("count", records);
            Json.print(context.screen().out(), document);
        } else {
            context.screen().out().println(records);
        }
    }

    private static void printLines(
            CommandContext context, CommandClient client, Table<byte[], byte[]> table, Query<byte[], byte[]> scan)
            throws IOException {
        Rows rows = new RecordText(context, table).rows();
        try (RecordOutput out = RecordOutput.lines(context.screen().out(), Format.TSV, context.text(), rows)) {
            client.awaitSteps(() -> scan.forEachAsync(out::write));
        }
    }

    private static void printDocument(
            CommandContext context, CommandClient client, Table<byte[], byte[]> table, Query<byte[], byte[]> scan)
            throws IOException {
        Rows rows = new RecordText(context, table).rows();
        context.documentBegun();
        try (JsonGenerator json = Json.generator(context.screen().out())) {
            json.writeStartObject();
            json.writeStringField("table", table.name());
            json.writeArrayFieldStart("records");
            RecordOutput out = RecordOutput.elements(json, context.screen().out(), context.text(), rows);
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
