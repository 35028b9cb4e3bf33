package io.sdds.coordinator.control.request;

import io.sdds.coordinator.control.base.ControlContext;
import io.sdds.coordinator.control.base.Request;
import io.sdds.coordinator.control.member.PendingMapAcks;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.Result;
import io.sdds.coordinator.state.Result.Rejected;
import io.sdds.core.control.ControlMessage.AlterSchema;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableMap;
import io.sdds.core.protocol.IndexRecord;
import io.sdds.core.row.Schema;
import io.sdds.core.row.SchemaChange;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the schemas of new tables, and changes the schemas of tables when a client asks for it (docs/design/rows.md,
 * rule 36).
 */
public final class SchemaAlterations {
    private static final Logger log = LoggerFactory.getLogger(SchemaAlterations.class);

    private final ControlContext our;
    private final PendingMapAcks pendingMapAcks;

    public SchemaAlterations(ControlContext our, PendingMapAcks pendingMapAcks) {
        this.our = our;
        this.pendingMapAcks = pendingMapAcks;
    }

    /** The reason why no table can be created with a schema now, or null. */
    @Nullable
    Rejected creationFault(Schema schema) {
        if (!schema.exists()) {
            return null;
        }
        String fault = SchemaChange.creationFault(schema);
        return fault == null ? null : new Rejected(Refusal.BAD_REQUEST, fault);
    }

    public void alter(Request request, AlterSchema message) {
        TableMap map = our.state().table(message.name());
        if (map == null) {
            request.refuse(Refusal.NO_SUCH_TABLE, "table '" + message.name() + "' does not exist");
            return;
        }
        TableDefinition table = map.definition();
        Rejected fault = fault(table, message);
        if (fault != null) {
            request.refuse(fault);
        } else if (table.schema().equals(message.schema())) {
            pendingMapAcks.add(request, map.version()); // a repetition
        } else {
            our.log()
                    .propose(
                            new Command.AlterSchema(table.id(), message.schema()),
                            result -> altered(request, table, result));
        }
    }

    private @Nullable Rejected fault(TableDefinition table, AlterSchema message) {
        if (table.name().startsWith(IndexRecord.OWN_NAMES)) {
            return new Rejected(Refusal.BAD_REQUEST, "table '" + table.name() + "' is the cluster's own");
        }
        if (table.id() != message.table()) {
            return new Rejected(
                    Refusal.NO_SUCH_TABLE,
                    "table '" + table.name() + "' is another one by now, created after the one to change was gone");
        }
        boolean isRepetition = table.schema().equals(message.schema());
        String fault = isRepetition ? null : SchemaChange.fault(table.schema(), message.schema());
        return fault == null ? null : new Rejected(Refusal.BAD_REQUEST, "table '" + table.name() + "': " + fault);
    }

    private void altered(Request request, TableDefinition before, Result result) {
        switch (result) {
            case Result.Applied(long version) -> {
                log.info(
                        "table {} has version {} of its schema from now on",
                        before.name(),
                        before.schema().version() + 1);
                pendingMapAcks.add(request, version);
            }
            case Rejected rejected -> request.refuse(rejected);
            default -> throw new IllegalStateException("a change of a schema gave " + result);
        }
    }
}
