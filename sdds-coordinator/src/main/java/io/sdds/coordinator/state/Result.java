package io.sdds.coordinator.state;

import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.TableMap;

/** The result of a command. */
public sealed interface Result {

    /** The command changed nothing, for a reason. */
    record Rejected(Refusal reason, String text) implements Result {

        /** The state that the command was decided on has changed. */
        static Rejected stale(String text) {
            return new Rejected(Refusal.NOT_READY, text);
        }

        static Rejected noSuchTable(int table) {
            return new Rejected(Refusal.NO_SUCH_TABLE, "table " + table + " does not exist");
        }

        static Rejected noSuchMigration(long id) {
            return stale("no migration has number " + id);
        }

        static Rejected tooManyPartitions() {
            return new Rejected(
                    Refusal.BAD_REQUEST,
                    "a cluster has at most " + StateLimits.PARTITIONS_MAX + " partitions in all tables");
        }
    }

    /** The command was applied, at this map version. */
    record Applied(long version) implements Result {}

    /** The brick as the map has it from now on. */
    record Registered(BrickInfo self) implements Result {}

    record TableCreated(TableMap table) implements Result {}

    record MigrationBegun(MigrationOrder order) implements Result {}

    record SessionOpened(long session) implements Result {}
}
