package io.sdds.cli.command.record;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.connection.CommandClient;
import io.sdds.cli.format.RowCells;
import io.sdds.cli.terminal.AlignedRows;
import io.sdds.cli.terminal.Json;
import io.sdds.cli.terminal.OutputClosedException;
import io.sdds.client.Row;
import io.sdds.client.RowQuery;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Prints the rows of a query on stdout: on a terminal in columns with headings, else as lines with tabs, or as a
 * document.
 */
final class RowOutput {
    private static final int CHECK_EVERY_ROWS = 4096;

    private final CommandContext context;
    private final CommandClient client;
    private final RowQuery<Row> query;
    private final RowCells cells;
    private final PrintStream out;
    private final List<String> columns;
    private long rows;

    private RowOutput(CommandContext context, CommandClient client, RowQuery<Row> query) {
        this.context = context;
        this.client = client;
        this.query = query;
        this.cells = new RowCells(context.text());
        this.out = context.screen().out();
        this.columns = query.columns();
    }

    static void print(CommandContext context, CommandClient client, String table, RowQuery<Row> query)
            throws IOException {
        RowOutput output = new RowOutput(context, client, query);
        if (context.json()) {
            output.printDocument(table);
        } else if (context.screen().outIsTerminal()) {
            output.printAligned();
        } else {
            output.run(row -> output.out.println(String.join("\t", output.texts(row))));
        }
    }

    private void run(Consumer<Row> consumer) {
        client.awaitSteps(() -> query.forEachAsync(row -> {
            consumer.accept(row);
            if (++rows % CHECK_EVERY_ROWS == 0) {
                OutputClosedException.check(out);
            }
        }));
    }

    private List<String> texts(Row row) {
        return IntStream.range(0, columns.size())
                .mapToObj(column -> cells.cell(row, column))
                .toList();
    }

    private void printAligned() {
        AlignedRows aligned = new AlignedRows(out, columns);
        try {
            run(row -> {
                for (int k = 0; k < columns.size(); k++) {
                    if (row.get(k) instanceof Number) {
                        aligned.alignRight(k);
                    }
                }
                aligned.row(texts(row));
            });
        } finally {
            aligned.finish();
        }
    }

    private void printDocument(String table) throws IOException {
        context.documentBegun();
        try (JsonGenerator json = Json.generator(out)) {
            json.writeStartObject();
            json.writeStringField("table", table);
            json.writeFieldName("columns");
            Json.write(json, columns);
            json.writeArrayFieldStart("rows");
            @Nullable RuntimeException failure = null;
            try {
                run(row -> writeRow(json, row));
            } catch (RuntimeException e) {
                failure = e;
            }
            json.writeEndArray();
            json.writeNumberField("count", rows);
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

    private void writeRow(JsonGenerator json, Row row) {
        try {
            json.writeStartObject();
            for (int k = 0; k < columns.size(); k++) {
                json.writeFieldName(columns.get(k));
                Json.write(json, cells.json(row, k));
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
