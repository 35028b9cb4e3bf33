package io.sdds.cli.command.table;

import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.connection.CommandClient;
import io.sdds.client.ClusterStatus;
import io.sdds.client.TableInfo;
import io.sdds.core.row.SchemaText;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that add a column to the schema of a table, or drop a column. */
final class ColumnOptions {
    @Option(
            names = "--add-column",
            paramLabel = "'COLUMN TYPE [not null] [default V]'",
            description = "Add a column behind the others. Rows that are there have the default, or NULL.")
    private @Nullable String added;

    @Option(
            names = "--drop-column",
            paramLabel = "COLUMN",
            description = "Drop a column that is not part of the key. Rows are not rewritten, and its name is free.")
    private @Nullable String dropped;

    /** Number of these options that are given. */
    int given() {
        return (added == null ? 0 : 1) + (dropped == null ? 0 : 1);
    }

    /** Adds or drops the column, and returns the table after that. */
    TableInfo alter(CommandContext context, String table) {
        check();
        try (CommandClient client = new CommandClient(context.addresses(), context.timeout())) {
            TableText.named(table, status(client));
            String column = added;
            String name = dropped == null ? "" : dropped;
            client.await(connected ->
                    column == null ? connected.dropColumnAsync(table, name) : connected.addColumnAsync(table, column));
            return TableText.named(table, status(client));
        } catch (IllegalArgumentException e) {
            throw CommandFailure.failed(String.valueOf(e.getMessage()), e);
        }
    }

    private void check() {
        if (added != null) {
            try {
                SchemaText.parseColumn(added);
            } catch (IllegalArgumentException e) {
                throw CommandFailure.usage("--add-column: " + e.getMessage(), e);
            }
        }
    }

    private static ClusterStatus status(CommandClient client) {
        return client.await(connected -> connected.statusAsync(false));
    }
}
