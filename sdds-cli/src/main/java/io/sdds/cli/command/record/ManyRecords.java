package io.sdds.cli.command.record;

import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.connection.CommandClient;
import io.sdds.cli.terminal.Json;
import io.sdds.cli.terminal.Numbers;
import io.sdds.cli.terminal.Progress;
import io.sdds.client.ChangeCount;
import io.sdds.client.Query;
import io.sdds.client.Range;
import io.sdds.client.Scan;
import io.sdds.client.internal.query.lang.BoundText;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The records that meet a condition, for commands that change them. */
final class ManyRecords {
    private final CommandContext context;
    private final CommandClient client;
    private final String table;
    private final Query<byte[], byte[]> records;

    ManyRecords(CommandContext context, CommandClient client, String table, BoundText where) {
        this.context = context;
        this.client = client;
        this.table = table;
        this.records = meeting(client.table(table).scan(), where);
    }

    private static Query<byte[], byte[]> meeting(Query<byte[], byte[]> all, BoundText where) {
        return switch (all) {
            case Scan<byte[], byte[]> scan ->
                scan.where(where.text(), where.values().toArray());
            case Range<byte[], byte[]> range ->
                range.where(where.text(), where.values().toArray());
            default -> throw new IllegalStateException("a query that is neither a scan nor a range");
        };
    }

    /** Begins the change of the records of a query. */
    interface Change {
        CompletableFuture<ChangeCount> begin(Query<byte[], byte[]> records, Consumer<? super ChangeCount> progress);
    }

    /**
     * Changes the records, with a progress bar on a terminal, and prints how many there were.
     *
     * @param done what is done to records: "updated", "removed"
     */
    void change(String done, Change change) {
        boolean isShown = context.screen().errIsTerminal();
        long total = isShown ? client.awaitSteps(records::countAsync) : 0;
        ChangeCount count;
        try (Progress progress = new Progress(context.screen(), table, total, System::nanoTime)) {
            count = client.awaitSteps(() -> change.begin(records, now -> {
                long seen = now.changed() + now.skipped();
                progress.at(seen, seen);
            }));
        }
        print(done, count);
    }

    private void print(String done, ChangeCount count) {
        if (context.json()) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("table", table);
            document.put(done, count.changed());
            document.put("skipped", count.skipped());
            Json.print(context.screen().out(), document);
            return;
        }
        String skipped = count.skipped() == 0
                ? ""
                : "; skipped " + Numbers.count(count.skipped()) + ", which changed meanwhile and do not meet --where";
        String records = count.changed() == 1 ? " record" : " records";
        context.screen().out().println(done + " " + Numbers.count(count.changed()) + records + skipped);
    }
}
