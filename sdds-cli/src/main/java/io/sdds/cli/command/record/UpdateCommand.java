package io.sdds.cli.command.record;

import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.connection.CommandClient;
import io.sdds.cli.terminal.Hint;
import io.sdds.cli.terminal.Json;
import io.sdds.client.Table;
import io.sdds.client.internal.query.lang.BoundText;
import io.sdds.client.internal.query.lang.ExpressionParser;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        description = "Compute new values of columns, of one record or of many.",
        footer = {
            "",
            "The brick of a record reads it, computes and writes in one step. All expressions see the record"
                    + " before. A table without a schema has one column, value. sdds help scan tells the language.",
            "  sdds update people 17 --set \"visits = visits + 1, city = 'Paris'\"",
            "  sdds update people 17 --if \"visits < 10\" --set \"visits = visits + 1\"",
            "  sdds update people --where \"city = 'Paris'\" --set \"visits = 0\"",
            "  sdds update people 17 --set \"city = ?\" --param \"$CITY\"",
            "Each record that meets --where is updated once, by itself. A record that another client changes"
                    + " meanwhile is updated if it still meets --where, else it counts as skipped."
        })
public final class UpdateCommand implements Callable<Integer> {
    private final CommandContext context;

    @Parameters(index = "0", paramLabel = "TABLE")
    private String table = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "KEY", description = "Update the record of this key.")
    private @Nullable String key;

    @Option(
            names = "--set",
            paramLabel = "COLUMN=EXPR",
            required = true,
            description = "Give columns these values: assignments with commas between them.")
    private String assignments = "";

    @Option(
            names = "--if",
            paramLabel = "EXPR",
            description = "Update the record of KEY only if it meets this condition.")
    private @Nullable String condition;

    @Option(
            names = "--where",
            paramLabel = "EXPR",
            description = "Update all records that meet this condition. Not with KEY.")
    private @Nullable String where;

    @Mixin
    private ParameterOptions parameters = new ParameterOptions();

    public UpdateCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        checkChoice("update", key, condition, where);
        BoundText.Pair texts = checked();
        try (CommandClient client = new CommandClient(context.addresses(), context.timeout())) {
            if (where != null) {
                Object[] values = texts.second().values().toArray();
                new ManyRecords(context, client, table, texts.first())
                        .change("updated", (records, progress) -> records.updateAsync(progress, assignments, values));
                return CommandFailure.OK;
            }
            return one(client, String.valueOf(key));
        }
    }

    /** The condition, if there is one, and the assignments. */
    private BoundText.Pair checked() {
        String option = where == null ? "--if" : "--where";
        String test = where == null ? condition : where;
        BoundText.Pair texts = parameters.bound(option, test == null ? "" : test, assignments);
        if (test != null) {
            ExpressionParser.expression(option, texts.first());
        }
        ExpressionParser.assignments("--set", texts.second());
        return texts;
    }

    private int one(CommandClient client, String wanted) {
        Table<byte[], byte[]> records = client.table(table);
        byte[] keyBytes = new RecordText(context, records).key(wanted);
        String test = condition;
        boolean updated = client.await(connected -> test == null
                ? records.updateAsync(keyBytes, assignments, parameters.values())
                : records.updateIfAsync(keyBytes, test, assignments, parameters.values()));
        if (context.json()) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("table", table);
            document.put("key", wanted);
            document.put("updated", updated);
            Json.print(context.screen().out(), document);
        } else if (!updated) {
            context.notice("sdds update: " + none(table, wanted, test));
        }
        return updated ? CommandFailure.OK : CommandFailure.FAILED;
    }

    /** Says that there is no record to change. */
    static String none(String table, String key, @Nullable String condition) {
        return "no record in table '" + table + "' has key '" + key + "'"
                + (condition == null ? "" : " and meets --if");
    }

    /** Checks that a command names either a key or a condition. */
    static void checkChoice(String command, @Nullable String key, @Nullable String test, @Nullable String where) {
        if (key == null && where == null) {
            throw CommandFailure.usage("missing KEY; add KEY, or --where for all records that meet a condition; see: "
                    + Hint.sdds(command + " --help"));
        }
        if (key != null && where != null) {
            throw CommandFailure.usage("KEY and --where: use only one of them; --if tests the record of KEY");
        }
        if (test != null && where != null) {
            throw CommandFailure.usage("--if is for one KEY: put the condition into --where");
        }
    }
}
