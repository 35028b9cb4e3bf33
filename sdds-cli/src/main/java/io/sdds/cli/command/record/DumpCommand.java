package io.sdds.cli.command.record;

import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.connection.CommandClient;
import io.sdds.cli.format.Format;
import io.sdds.cli.format.Rows;
import io.sdds.cli.terminal.Numbers;
import io.sdds.cli.terminal.Progress;
import io.sdds.client.Table;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        description = "Write all records of a table in a format that load reads.",
        footer = {
            "",
            "The file appears, or replaces the old file of this name, only when all records are written.",
            "Of a table with a schema the file has the columns; in csv NULL and the empty text are the same cell.",
            "With --hex it has keys and values."
        })
public final class DumpCommand implements Callable<Integer> {
    private final CommandContext context;

    @Parameters(index = "0", paramLabel = "TABLE")
    private String table = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "FILE",
            description = "Write to FILE. Default, and -: stdout.")
    private String file = "-";

    @Option(
            names = "--format",
            paramLabel = "tsv|csv|ndjson",
            description = "Set the format. Default: by the file name, else tsv.")
    private @Nullable Format format;

    public DumpCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        boolean toStdout = file.equals("-");
        if (toStdout && context.json()) {
            throw CommandFailure.usage(
                    "--json prints a report, not the records: name a file for the records, or use --format ndjson");
        }
        try (CommandClient client = new CommandClient(context.addresses(), context.timeout())) {
            Table<byte[], byte[]> records = client.table(table);
            if (toStdout) {
                write(client, records, context.screen().out(), false);
            } else {
                writeFile(client, records);
            }
        }
        return CommandFailure.OK;
    }

    private void writeFile(CommandClient client, Table<byte[], byte[]> records) throws IOException {
        Path whole = Path.of(file);
        Path unfinished = whole.resolveSibling(whole.getFileName() + ".unfinished");
        long beganNanos = System.nanoTime();
        long count;
        try {
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(unfinished))) {
                count = write(client, records, out, true);
            }
            Files.move(unfinished, whole, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(unfinished);
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("table", table);
        document.put("file", file);
        document.put("records", count);
        context.result(
                "dumped " + Numbers.plural(count, "record") + " to " + file + " in "
                        + Numbers.duration(System.nanoTime() - beganNanos),
                document);
    }

    private long write(CommandClient client, Table<byte[], byte[]> records, OutputStream out, boolean withProgress)
            throws IOException {
        Format chosen = format == null ? Format.of(file) : format;
        boolean drawn = withProgress && context.screen().errIsTerminal();
        long total = drawn ? client.awaitSteps(records::sizeAsync) : 0;
        Rows rows = new RecordText(context, records).rows();
        try (RecordOutput output = RecordOutput.lines(out, chosen, context.text(), rows);
                Progress progress = new Progress(context.screen(), "dump " + table, total, System::nanoTime)) {
            client.awaitSteps(() -> records.scan().forEachAsync((key, value) -> {
                output.write(key, value);
                if (drawn) {
                    progress.at(output.records(), output.records());
                }
            }));
            return output.records();
        }
    }
}
