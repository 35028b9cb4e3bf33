package io.sdds.cli.command;

import io.sdds.cli.format.Format;
import io.sdds.cli.format.RecordReader;
import io.sdds.cli.format.RecordReader.Entry;
import io.sdds.cli.format.RecordReader.Item;
import io.sdds.cli.format.RecordReader.Refused;
import io.sdds.cli.format.Rows;
import io.sdds.cli.load.Pipeline;
import io.sdds.cli.load.RefusedLines;
import io.sdds.cli.quick.QuickClient;
import io.sdds.cli.terminal.Json;
import io.sdds.cli.terminal.Numbers;
import io.sdds.cli.terminal.Progress;
import io.sdds.client.ClientSettings;
import io.sdds.client.Codec;
import io.sdds.client.SddsClient;
import io.sdds.client.Table;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        description = "Put the records of a file into a table.",
        footer = {
            "",
            "  tsv     KEY TAB VALUE, no header; \\t \\n \\r \\\\ for these characters, \\xff for bytes",
            "  csv     with a header; the key is the column 'key', else the first column",
            "  ndjson  one JSON object a line; the key is the field 'key'",
            "In csv and ndjson the value is the other column, or a JSON object of several other columns.",
            "Into a table with a schema, a line of tsv has all columns in their order and \\N for",
            "NULL; a csv header and the fields of ndjson name columns; an empty csv cell is NULL.",
            "The command skips invalid lines, reports the first 20, counts the others, and exits with",
            "code 1."
        })
final class LoadCommand implements Callable<Integer> {
    private static final int REFUSALS_IN_DOCUMENT_MAX = 1000;

    private final SddsCommand sdds;

    @Parameters(index = "0", paramLabel = "TABLE")
    private String table = "";

    @Parameters(index = "1", paramLabel = "FILE", description = "Read FILE; - reads stdin.")
    private String file = "";

    @Option(
            names = "--format",
            paramLabel = "tsv|csv|ndjson",
            description = "Set the format. Default: by the file name, else tsv.")
    private @Nullable Format format;

    @Option(names = "--key", paramLabel = "COLUMN", description = "Name the column of the key; in tsv, 1 or 2.")
    private @Nullable String key;

    private long beganNanos;
    private final RefusedLines refused = new RefusedLines();
    private final List<Map<String, Object>> refusals = new ArrayList<>();

    LoadCommand(SddsCommand sdds) {
        this.sdds = sdds;
    }

    @Override
    public Integer call() throws IOException {
        try (InputStream in = file.equals("-") ? new LeftOpen(System.in) : Files.newInputStream(Path.of(file))) {
            // Fails at once if no process listens. The real client would retry until its timeout.
            new QuickClient(sdds.addresses(), sdds.timeout()).close();
            ClientSettings settings = ClientSettings.builder()
                    .name("sdds load")
                    .timeout(sdds.timeout())
                    .build();
            try (SddsClient client = SddsClient.connect(sdds.addresses(), settings)) {
                Table<byte[], byte[]> records = client.table(table, Codec.bytes(), Codec.bytes());
                return load(reader(in, new RecordText(sdds, records).rows()), records);
            }
        }
    }

    /** @param rows of a table with a schema, else null */
    private RecordReader reader(InputStream in, @Nullable Rows rows) {
        Format chosen = format == null ? Format.of(file) : format;
        if (rows != null && key != null) {
            throw CommandFailure.usage("--key: the schema of table '" + table + "' names the columns of the key");
        }
        try {
            return rows == null ? chosen.reader(in, sdds.text(), key) : rows.reader(chosen, in);
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
        try (Progress progress = new Progress(sdds.screen(), "load " + table, bytes, System::nanoTime)) {
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
        if (sdds.json() && refusals.size() < REFUSALS_IN_DOCUMENT_MAX) {
            Map<String, Object> refusal = new LinkedHashMap<>();
            refusal.put("line", line.line());
            refusal.put("reason", line.reason());
            refusals.add(refusal);
        }
    }

    private int finish(long loaded) {
        long nanos = System.nanoTime() - beganNanos;
        double seconds = Math.max(1e-9, nanos / 1e9);
        if (sdds.json()) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("table", table);
            document.put("file", file);
            document.put("loaded", loaded);
            document.put("refused", refused.count());
            document.put("refusals", refusals);
            document.put("seconds", Math.round(seconds * 1000) / 1000.0);
            Json.print(sdds.screen().out(), document);
        } else {
            sdds.screen()
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
