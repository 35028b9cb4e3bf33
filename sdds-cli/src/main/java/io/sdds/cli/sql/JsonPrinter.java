package io.sdds.cli.sql;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sdds.cli.terminal.Json;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.List;

/** Prints results as one JSON document: an object for one statement, an array of objects for several statements. */
final class JsonPrinter implements ResultPrinter {
    private final JsonGenerator json;
    private final boolean isArray;
    private List<String> columns = List.of();
    private boolean isOpen;

    JsonPrinter(PrintStream out, boolean isArray) {
        this.json = Json.generator(out);
        this.isArray = isArray;
        if (isArray) {
            write(json::writeStartArray);
        }
    }

    private interface Writing {
        void run() throws IOException;
    }

    private static void write(Writing writing) {
        try {
            writing.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void begin(ResultCells cells) {
        columns = cells.uniqueLabels();
        isOpen = true;
        write(() -> {
            json.writeStartObject();
            json.writeFieldName("columns");
            Json.write(json, columns);
            json.writeArrayFieldStart("rows");
        });
    }

    @Override
    public void row(ResultCells cells) throws SQLException {
        Object[] values = new Object[columns.size()];
        for (int k = 0; k < values.length; k++) {
            values[k] = cells.json(k);
        }
        write(() -> {
            json.writeStartObject();
            for (int k = 0; k < values.length; k++) {
                json.writeFieldName(columns.get(k));
                Json.write(json, values[k]);
            }
            json.writeEndObject();
        });
    }

    /** The object stays open, because a failure may follow. */
    @Override
    public void end(long rows) {
        write(() -> {
            json.writeEndArray();
            json.writeNumberField("count", rows);
        });
    }

    @Override
    public void updated(long rows) {
        isOpen = true;
        write(() -> {
            json.writeStartObject();
            json.writeNumberField("updated", rows);
        });
    }

    @Override
    public void failed(SqlStatement statement, SqlFailure failure) {
        write(() -> {
            if (!isOpen) {
                json.writeStartObject();
            }
            isOpen = true;
            json.writeStringField("error", failure.line());
            json.writeStringField("sql_state", failure.state());
            json.writeNumberField("line", statement.line());
            json.writeNumberField("exit_code", failure.exitCode());
        });
    }

    @Override
    public void endStatement() {
        if (isOpen) {
            isOpen = false;
            write(json::writeEndObject);
        }
    }

    @Override
    public void close() {
        write(() -> {
            endStatement();
            if (isArray) {
                json.writeEndArray();
            }
            json.writeRaw('\n');
            json.close();
        });
    }
}
