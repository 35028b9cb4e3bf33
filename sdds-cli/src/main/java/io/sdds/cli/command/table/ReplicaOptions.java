package io.sdds.cli.command.table;

import io.sdds.cli.command.base.CommandFailure;
import io.sdds.client.TableOptions;
import io.sdds.core.model.Parity;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the copies or the parity of each partition, and for the initial number of partitions. */
public final class ReplicaOptions {
    @Option(
            names = "--replicas",
            paramLabel = "N",
            description = "Set the copies of each partition, 1 to 5. Default: 1.")
    private @Nullable Integer replicas;

    @Option(
            names = "--min-copies",
            paramLabel = "N",
            description = "Refuse writes while a partition has fewer copies. Default: 1.")
    private @Nullable Integer minCopies;

    @Option(
            names = "--parity",
            paramLabel = "M,K|M,auto",
            converter = ParityName.class,
            description =
                    "Keep K parity partitions (1 to 4) for each M partitions (2, 4, 8 or 16) instead of copies. Needs"
                            + " M + K bricks. The table survives the loss of any K bricks. With M,auto K begins with 1"
                            + " and is raised as the table grows. Default: no parity.")
    private Parity parity = Parity.NONE;

    @Option(
            names = "--min-parities",
            paramLabel = "N",
            description = "Refuse writes while a group of partitions has fewer parities, 0 to K. Default: 1, or 0 with"
                    + " a single parity.")
    private @Nullable Integer minParities;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            description =
                    "Set the initial and least number of partitions of a hash table, 1 to 512. With --parity M,K the"
                            + " number is rounded up to a multiple of M, and the table keeps it. A range table begins"
                            + " with one partition."
                            + " Default: ${DEFAULT-VALUE}.")
    private int partitions = 1;

    private int replicas() {
        return replicas == null ? 1 : replicas;
    }

    private int minCopies() {
        return minCopies == null ? 1 : minCopies;
    }

    /** Applies the options to a table. */
    public TableOptions of(TableOptions options) {
        if (!parity.isNone() && (replicas != null || minCopies != null)) {
            throw CommandFailure.usage("--parity: a table has parity or copies; leave out "
                    + (replicas == null ? "--min-copies" : "--replicas"));
        }
        if (parity.isNone() && minParities != null) {
            throw CommandFailure.usage("--min-parities: give --parity, too");
        }
        try {
            TableOptions checked = options.withReplicas(replicas())
                    .withMinCopies(minCopies())
                    .withPartitions(partitions)
                    .withParity(parity);
            return minParities == null ? checked : checked.withMinParities(minParities);
        } catch (IllegalArgumentException e) {
            throw CommandFailure.usage("--replicas, --min-copies, --partitions, --min-parities: " + e.getMessage(), e);
        }
    }
}
