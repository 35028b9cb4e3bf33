package io.sdds.client;

import io.sdds.client.internal.TableContext;
import io.sdds.core.model.Parity;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.row.SchemaChange;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks the options of a table, before the client sends them to a coordinator. */
final class TableOptionFaults {
    private TableOptionFaults() {}

    /**
     * The first fault of some options; null if there is none.
     *
     * @throws IllegalArgumentException if the time to live is negative or too long
     */
    static @Nullable String first(TableOptions options) {
        TableContext.ttlMillis(options.timeToLive());
        return Stream.<Supplier<@Nullable String>>of(
                        () -> ofCapacity(options),
                        options.split()::fault,
                        () -> TableDefinition.replicasFault(options.replicas(), options.minCopies()),
                        () -> ofParity(options.parity()),
                        () -> options.parity().copiesFault(options.replicas(), options.minCopies()),
                        () -> ofPartitions(options.partitions()),
                        () -> SchemaChange.fault(options.schema()))
                .flatMap(fault -> Stream.ofNullable(fault.get()))
                .findFirst()
                .orElse(null);
    }

    private static @Nullable String ofCapacity(TableOptions options) {
        long records = options.capacityRecords();
        long bytes = options.capacityBytes();
        return records >= 0 && bytes >= 0 && (records > 0 || bytes > 0)
                ? null
                : "capacity of " + records + " records and " + bytes + " bytes: one must be positive, none negative";
    }

    private static @Nullable String ofParity(Parity parity) {
        if (parity.isNone()) {
            return parity.minAsked() == Parity.MIN_BY_DEFAULT
                    ? null
                    : "writes with at least " + parity.minAsked() + " parities: the table has no parity";
        }
        return parity.auto() ? Parity.fault(parity.columns(), parity.parities()) : parity.fault();
    }

    private static @Nullable String ofPartitions(int partitions) {
        return partitions >= 1 && partitions <= TableDefinition.PARTITIONS_FIRST_MAX
                ? null
                : partitions + " partitions: 1 to " + TableDefinition.PARTITIONS_FIRST_MAX + " are allowed";
    }
}
