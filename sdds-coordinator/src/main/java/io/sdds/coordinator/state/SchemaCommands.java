package io.sdds.coordinator.state;

import io.sdds.coordinator.state.Result.Applied;
import io.sdds.coordinator.state.Result.Rejected;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.row.Schema;
import io.sdds.core.row.SchemaChange;
import org.jspecify.annotations.Nullable;

/** The schemas of new tables, and the command that changes a schema (docs/design/rows.md, rule 36). */
final class SchemaCommands {
    private final Cluster cluster;

    SchemaCommands(Cluster cluster) {
        this.cluster = cluster;
    }

    /** The fault of the schema of a new table, or null. */
    @Nullable
    Rejected creationFault(Schema schema) {
        String fault = SchemaChange.creationFault(schema);
        return fault == null ? roomFault(schema, Schema.NONE) : new Rejected(Refusal.BAD_REQUEST, fault);
    }

    /** Adds columns to the schema of a table, or drops columns. */
    Result alter(Table table, Command.AlterSchema command) {
        Schema before = table.definition().schema();
        Schema after = command.schema();
        if (before.equals(after)) {
            return new Applied(table.version()); // a repetition
        }
        String fault = SchemaChange.fault(before, after);
        if (fault != null) {
            return new Rejected(
                    Refusal.BAD_REQUEST, "table '" + table.definition().name() + "': " + fault);
        }
        Rejected room = roomFault(after, before);
        if (room != null) {
            return room;
        }
        table.redefine(table.definition().withSchema(after), ++cluster.version);
        return new Applied(cluster.version);
    }

    private @Nullable Rejected roomFault(Schema after, Schema before) {
        long bytes = SchemaChange.bytes(after) - SchemaChange.bytes(before);
        for (Table table : cluster.tables.values()) {
            bytes += SchemaChange.bytes(table.definition().schema());
        }
        return bytes > StateLimits.SCHEMAS_BYTES_MAX
                ? new Rejected(
                        Refusal.BAD_REQUEST,
                        "the schemas of all tables would take " + bytes + " bytes, and at most "
                                + StateLimits.SCHEMAS_BYTES_MAX + " are allowed")
                : null;
    }
}
