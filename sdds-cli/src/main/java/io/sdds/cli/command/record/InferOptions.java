package io.sdds.cli.command.record;

import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.command.table.SchemaOutput;
import io.sdds.cli.format.SchemaSample;
import io.sdds.cli.terminal.Hint;
import io.sdds.cli.terminal.Json;
import io.sdds.cli.terminal.Numbers;
import io.sdds.cli.terminal.Question;
import io.sdds.client.Codec;
import io.sdds.client.SddsClient;
import io.sdds.client.TableExistsException;
import io.sdds.client.TableOptions;
import io.sdds.core.row.Schema;
import io.sdds.core.row.SchemaText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of a load that infers the schema of a new table from the file. */
final class InferOptions {
    @Option(
            names = "--infer",
            description = "Show a schema for the file, and with your consent create TABLE with it and load the file."
                    + " Without a terminal, print the command that creates TABLE, and load nothing.")
    private boolean infer;

    @Option(names = "--yes", description = "With --infer: create TABLE and load the file without a question.")
    private boolean yes;

    /** Whether a schema is wanted. */
    boolean isWanted() {
        return infer;
    }

    /** Refuses options that do not go together. */
    void check(CommandContext context) {
        if (yes && !infer) {
            throw CommandFailure.usage("--yes: nothing is asked without --infer");
        }
        if (infer && context.text().hex()) {
            throw CommandFailure.usage("--infer: typed columns are no hexadecimal digits; leave out --hex");
        }
    }

    /** Whether the schema is only shown, and no cluster is needed. */
    boolean isShownOnly(CommandContext context) {
        return infer && !yes && !isAsked(context);
    }

    private boolean isAsked(CommandContext context) {
        return !yes && !context.json() && Question.canBeAsked(context.screen());
    }

    /**
     * Infers the schema, and shows it.
     *
     * @param key the columns of the key with commas between them; null: the first column with unique values
     * @throws IllegalArgumentException if the rows and the key make no schema
     */
    Schema show(CommandContext context, String table, SchemaSample sample, @Nullable String key) {
        List<String> keys = key == null ? List.of() : List.of(key.split(","));
        Schema schema = sample.schema(keys);
        warn(context, sample, keys);
        if (isShownOnly(context)) {
            print(context, table, schema, sample.rows());
        } else if (!context.json()) {
            context.screen()
                    .err()
                    .println("columns, by the first " + Numbers.plural(sample.rows(), "row") + " of the file:");
            SchemaOutput.lines(schema).forEach(line -> context.screen().err().println("  " + line));
        }
        return schema;
    }

    private static void warn(CommandContext context, SchemaSample sample, List<String> keys) {
        if (sample.isHeaderLikely()) {
            context.screen().err().println("the first line looks like names of columns: add --header if it is");
        }
        long distinct = keys.size() == 1 ? sample.distinct(keys.get(0)) : sample.rows();
        if (distinct < sample.rows()) {
            context.screen()
                    .err()
                    .println("the first " + Numbers.plural(sample.rows(), "row") + " have only "
                            + Numbers.plural(distinct, "key") + "; of rows with one key the last one stays");
        }
    }

    private static void print(CommandContext context, String table, Schema schema, long rows) {
        String command = command(table, schema);
        if (context.json()) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("table", table);
            document.put("schema", SchemaText.print(schema));
            SchemaOutput.put(document, schema);
            document.put("rows_sampled", rows);
            document.put("command", command);
            Json.print(context.screen().out(), document);
        } else {
            context.screen().out().println(command);
            context.screen().out().flush();
            context.screen()
                    .err()
                    .println("inferred from the first " + Numbers.plural(rows, "row")
                            + "; nothing is created or loaded; add --yes for both");
        }
    }

    private static String command(String table, Schema schema) {
        return Hint.sdds("table create " + table + " --schema '"
                + SchemaText.print(schema).replace("'", "'\\''") + "'");
    }

    /** Returns if the user agrees, or is not asked. */
    void requireConsent(CommandContext context, String table, Schema schema) {
        if (isAsked(context)
                && !Question.isAnsweredYes(
                        context.screen(), "Create table " + table + " with these columns, and load the file?")) {
            throw CommandFailure.failed("nothing was created or loaded; for other columns, run "
                    + command(table, schema) + " with your changes, and load without --infer");
        }
    }

    /** Creates the table. */
    void create(SddsClient client, String table, Schema schema) {
        try {
            TableOptions options = TableOptions.defaults().withSchema(SchemaText.print(schema));
            client.createHashTable(table, options, Codec.bytes(), Codec.bytes());
        } catch (TableExistsException e) {
            throw CommandFailure.failed(e.getMessage() + "; to load into it, leave out --infer", e);
        }
    }
}
