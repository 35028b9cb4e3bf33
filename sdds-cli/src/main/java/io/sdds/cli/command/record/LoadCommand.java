package io.sdds.cli.command.record;

import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.command.base.Errors;
import io.sdds.cli.command.table.TableText;
import io.sdds.cli.connection.CommandClient;
import io.sdds.cli.format.Format;
import io.sdds.cli.format.RecordReader;
import io.sdds.cli.format.RecordReader.Entry;
import io.sdds.cli.format.RecordReader.Item;
import io.sdds.cli.format.RecordReader.Refused;
import io.sdds.cli.format.Rows;
import io.sdds.cli.format.SchemaSample;
import io.sdds.cli.load.Pipeline;
import io.sdds.cli.load.RefusedLines;
import io.sdds.cli.terminal.Hint;
import io.sdds.cli.terminal.Json;
import io.sdds.cli.terminal.Numbers;
import io.sdds.cli.terminal.Progress;
import io.sdds.client.ClientSettings;
import io.sdds.client.Codec;
import io.sdds.client.NoSuchTableException;
import io.sdds.client.SddsClient;
import io.sdds.client.Table;
import io.sdds.core.row.Schema;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        description = "Put the records of a file into a table.",
        footer = {
            "",
            "  tsv     KEY TAB VALUE; \\t \\n \\r \\\\ for these characters, \\xff for bytes",
            "  csv     with a header; the key is the column 'key', else the first column",
            "  ndjson  one JSON object a line; the key is the field 'key'",
            "In csv and ndjson the value is the other column, or a JSON object of several other columns.",
            "Into a table with a schema, a line of tsv has all columns in their order and \\N for NULL; a csv header"
                    + " and the fields of ndjson name columns; an empty csv cell is NULL.",
            "--infer looks at the first 10,000 rows. Types: boolean, integer, bigint, decimal, double, date, time,"
                + " timestamp, uuid, else varchar; numbers such as 007 are varchar. Columns may be NULL, but for the"
                + " key.",
            "The command skips invalid lines, reports the first 20, counts the others, and exits with code 1."
        })
public final class LoadCommand implements Callable<Integer> {
    private static final int REFUSALS_IN_DOCUMENT_MAX = 1000;

    private final CommandContext context;

    @Parameters(index = "0", paramLabel = "TABLE")
    private String table = "";

    @Parameters(index = "1", paramLabel = "FILE", description = "Read FILE; - reads stdin.")
    private String file = "";

    @Option(
            names = "--format",
            paramLabel = "tsv|csv|ndjson",
            description = "Set the format. Default: by the file name, else tsv.")
    private @Nullable Format format;

    @Option(
            names = "--key",
            paramLabel = "COLUMN",
            description =
                    "Name the column of the key; in tsv, 1 or 2. With --infer, one or several columns with commas."
                            + " Default: key, else the first; with --infer, the first with unique values.")
    private @Nullable String key;

    @Option(
            names = "--header",
            description = "The first line of tsv names columns of the table's schema. That of csv always does.")
    private boolean header;

    @Mixin
    private InferOptions infer = new InferOptions();

    private long beganNanos;
    private final RefusedLines refused = new RefusedLines();
    private final List<Map<String, Object>> refusals = new ArrayList<>();

    public LoadCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        infer.check(context);
        Format chosen = format == null ? Format.of(file) : format;
        if (header && chosen == Format.NDJSON) {
            throw CommandFailure.usage("--header: each line of ndjson names its columns");
        }
        try (InputStream in =
                file.equals("-") ? new LeftOpen(context.screen().in()) : Files.newInputStream(Path.of(file))) {
            return infer.isWanted() ? inferred(in, chosen) : load(in, chosen, null);
        }
    }

    private int inferred(InputStream in, Format chosen) throws IOException {
        TableText.checkName(table);
        byte[] begin = in.readNBytes(SchemaSample.BYTES_MAX);
        Schema schema;
        try {
            schema = infer.show(context, table, SchemaSample.of(chosen, header, begin), key);
        } catch (IllegalArgumentException e) {
            throw CommandFailure.failed(file + ": " + e.getMessage(), e);
        }
        if (infer.isShownOnly(context)) {
            return CommandFailure.OK;
        }
        infer.requireConsent(context, table, schema);
        return load(new SequenceInputStream(new ByteArrayInputStream(begin), in), chosen, schema);
    }

    /** @param schema of the table that is to be created; null if the table is there */
    private int load(InputStream in, Format chosen, @Nullable Schema schema) throws IOException {
        // Fails at once if no process listens. The real client would retry until its timeout.
        new CommandClient(context.addresses(), context.timeout()).close();
        ClientSettings settings = ClientSettings.builder()
                .name("sdds load")
                .timeout(context.timeout())
                .build();
        try (SddsClient client = SddsClient.connect(context.addresses(), settings)) {
            if (schema != null) {
                infer.create(client, table, schema);
            }
            Table<byte[], byte[]> records = opened(client);
            return load(reader(in, chosen, new RecordText(context, records).rows()), records);
        }
    }

    private Table<byte[], byte[]> opened(SddsClient client) {
        try {
            return client.table(table, Codec.bytes(), Codec.bytes());
        } catch (NoSuchTableException e) {
            throw CommandFailure.failed(
                    e.getMessage() + "; create it with " + Hint.sdds("table create")
                            + ", or from the file with --infer",
                    e);
        }
    }

    /** @param rows of a table with a schema, else null */
    private RecordReader reader(InputStream in, Format chosen, @Nullable Rows rows) {
        if (rows != null && key != null && !rows.isKey(key)) {
            throw CommandFailure.usage(
                    "--key: the key of table '" + table + "' is " + rows.keyNames() + ", not " + key);
        }
        if (rows == null && header && chosen == Format.TSV) {
            throw CommandFailure.usage("--header: table '" + table + "' has no columns; create it with --schema");
        }
        try {
            return rows == null ? chosen.reader(in, context.text(), key) : rows.reader(chosen, header, in);
        } catch (IllegalArgumentException e) {
            throw CommandFailure.usage("--key: " + e.getMessage(), e);
        }
    }

    /** Does not close its stream, because the command must not close standard input. */
    private static final class LeftOpen extends FilterInputStream {
        LeftOpen(InputStream in) {
            super(in);
        }

        @Override
        public void close() {
            // left open
        }
    }

    private int load(RecordReader reader, Table<byte[], byte[]> records) throws IOException {
        beganNanos = System.nanoTime();
        long bytes = file.equals("-") ? 0 : Files.size(Path.of(file));
        Pipeline pipeline = new Pipeline(records);
        try (Progress progress = new Progress(context.screen(), "load " + table, bytes, System::nanoTime)
                .onInterrupt(() -> interrupted(pipeline))) {
            try {
                for (Item item = reader.next(); item != null && !pipeline.isBroken(); item = reader.next()) {
                    switch (item) {
                        case Entry entry -> pipeline.put(entry);
                        case Refused line -> refuse(progress, line);
                    }
                    refuseAll(progress, pipeline);
                    progress.at(reader.bytesRead(), pipeline.loaded());
                }
            } finally {
                pipeline.awaitAll();
            }
            refuseAll(progress, pipeline);
            refused.summary().forEach(line -> progress.note(file + ": " + line));
        }
        throwIfBroken(pipeline);
        return finish(pipeline.loaded());
    }

    private static String interrupted(Pipeline pipeline) {
        return "sdds load: interrupted; " + Numbers.plural(pipeline.loaded(), "record") + " were stored, and up to "
                + Numbers.count(Pipeline.OUTSTANDING_MAX) + " more may have been; loading the file again is safe";
    }

    private void throwIfBroken(Pipeline pipeline) {
        Pipeline.Broken broken = pipeline.broken();
        if (broken == null) {
            return;
        }
        CommandFailure failure = Errors.known(broken.failure());
        String line = file + ":" + broken.line() + ": "
                + (failure == null ? broken.failure().getMessage() : failure.line()) + "; "
                + Numbers.plural(pipeline.loaded(), "record") + " were stored; loading the file again is safe";
        throw failure != null && failure.exitCode() == CommandFailure.UNREACHABLE
                ? CommandFailure.unreachable(line, broken.failure())
                : CommandFailure.failed(line, broken.failure());
    }

    private void refuseAll(Progress progress, Pipeline pipeline) {
        for (Refused line = pipeline.nextRefusal(); line != null; line = pipeline.nextRefusal()) {
            refuse(progress, line);
        }
    }

    private void refuse(Progress progress, Refused line) {
        if (refused.add(line)) {
            progress.note(file + ":" + line.line() + ": " + line.reason());
        }
        if (context.json() && refusals.size() < REFUSALS_IN_DOCUMENT_MAX) {
            Map<String, Object> refusal = new LinkedHashMap<>();
            refusal.put("line", line.line());
            refusal.put("reason", line.reason());
            refusals.add(refusal);
        }
    }

    private int finish(long loaded) {
        long nanos = System.nanoTime() - beganNanos;
        double seconds = Math.max(1e-9, nanos / 1e9);
        if (context.json()) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("table", table);
            document.put("file", file);
            document.put("loaded", loaded);
            document.put("refused", refused.count());
            document.put("refusals", refusals);
            document.put("seconds", Math.round(seconds * 1000) / 1000.0);
            Json.print(context.screen().out(), document);
        } else {
            context.screen()
                    .out()
                    .println("loaded " + Numbers.plural(loaded, "record") + " into " + table + " in "
                            + Numbers.duration(nanos) + " (" + Numbers.count(Math.round(loaded / seconds)) + "/s)"
                            + (refused.count() == 0
                                    ? ""
                                    : "; refused " + Numbers.plural(refused.count(), "line") + ", see above"));
        }
        return refused.count() == 0 ? CommandFailure.OK : CommandFailure.FAILED;
    }
}
