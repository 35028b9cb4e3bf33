package io.sdds.cli.command;

import io.sdds.client.TableOptions;
import picocli.CommandLine.Option;

/** Options for the copies of each partition and for the initial number of partitions. */
final class ReplicaOptions {
    @Option(
            names = "--replicas",
            paramLabel = "N",
            description = "Set the copies of each partition, 1 to 5. Default: ${DEFAULT-VALUE}.")
    private int replicas = 1;

    @Option(
            names = "--min-copies",
            paramLabel = "N",
            description = "Refuse writes while a partition has fewer copies. Default: ${DEFAULT-VALUE}.")
    private int minCopies = 1;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            description =
                    "Set the initial and least number of partitions of a hash table, 1 to 512. A range table begins"
                            + " with one partition. Default: ${DEFAULT-VALUE}.")
    private int partitions = 1;

    /** The options as command line arguments, without options that have their default. */
    String asTyped() {
        return (replicas > 1 ? " --replicas " + replicas : "")
                + (minCopies > 1 ? " --min-copies " + minCopies : "")
                + (partitions > 1 ? " --partitions " + partitions : "");
    }

    /** Applies the options to a table. */
    TableOptions of(TableOptions options) {
        try {
            return options.withReplicas(replicas).withMinCopies(minCopies).withPartitions(partitions);
        } catch (IllegalArgumentException e) {
            throw CommandFailure.usage("--replicas, --min-copies, --partitions: " + e.getMessage(), e);
        }
    }
}
