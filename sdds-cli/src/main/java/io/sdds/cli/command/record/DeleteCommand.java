package io.sdds.cli.command.record;

import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.connection.CommandClient;
import io.sdds.cli.terminal.Json;
import io.sdds.client.Table;
import io.sdds.client.internal.query.lang.BoundText;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        description = "Remove the record of a key, or many records.",
        footer = {
            "",
            "  sdds delete people 17 --if \"visits = 0\"",
            "  sdds delete people --where \"visits = 0\"",
            "The brick of a record tests and removes it in one step; sdds help scan tells the language. A record"
                    + " that another client changes meanwhile is removed if it still meets --where, else it counts as"
                    + " skipped."
        })
public final class DeleteCommand implements Callable<Integer> {
    private final CommandContext context;

    @Parameters(index = "0", paramLabel = "TABLE")
    private String table = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "KEY", description = "Remove the record of this key.")
    private @Nullable String key;

    @Option(
            names = "--if-version",
            paramLabel = "N",
            description = "Remove the record only if it has this version. sdds get --json prints the version.")
    private @Nullable Long version;

    @Option(
            names = "--if",
            paramLabel = "EXPR",
            description = "Remove the record of KEY only if it meets this condition.")
    private @Nullable String condition;

    @Option(
            names = "--where",
            paramLabel = "EXPR",
            description = "Remove all records that meet this condition. Not with KEY.")
    private @Nullable String where;

    @Mixin
    private ParameterOptions parameters = new ParameterOptions();

    public DeleteCommand(CommandContext context) {
        this.context = context;
    }

    public DeleteCommand(CommandContext context, String table, String key) {
        this.context = context;
        this.table = table;
        this.key = key;
    }

    @Override
    public Integer call() {
        UpdateCommand.checkChoice("delete", key, condition, where);
        parameters.check(where == null ? "--if" : "--where", where == null ? condition : where);
        if (version != null && (condition != null || where != null)) {
            throw CommandFailure.usage("--if-version: use it alone, or _version = N in the condition");
        }
        if (key != null) {
            RecordText.checkHex(context, key);
        }
        try (CommandClient client = new CommandClient(context.addresses(), context.timeout())) {
            if (where != null) {
                new ManyRecords(context, client, table, BoundText.of(where, parameters.values()))
                        .change("removed", (records, progress) -> records.removeAsync(progress));
                return CommandFailure.OK;
            }
            return one(client, String.valueOf(key));
        }
    }

    private int one(CommandClient client, String wanted) {
        Table<byte[], byte[]> records = client.table(table);
        byte[] keyBytes = new RecordText(context, records).key(wanted);
        boolean removed = client.await(connected -> remove(records, keyBytes));
        if (context.json()) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("table", table);
            document.put("key", wanted);
            document.put("removed", removed);
            Json.print(context.screen().out(), document);
        } else if (!removed) {
            context.notice("sdds delete: " + UpdateCommand.none(table, wanted, condition)
                    + (version == null ? "" : " in version " + version));
        }
        return removed ? CommandFailure.OK : CommandFailure.FAILED;
    }

    private CompletableFuture<Boolean> remove(Table<byte[], byte[]> records, byte[] keyBytes) {
        if (condition != null) {
            return records.removeIfAsync(keyBytes, condition, parameters.values());
        }
        return version == null ? records.removeAsync(keyBytes) : records.removeIfVersionAsync(keyBytes, version);
    }
}
