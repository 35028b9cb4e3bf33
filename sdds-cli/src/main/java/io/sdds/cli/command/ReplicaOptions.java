package io.sdds.cli.command;

import io.sdds.client.TableOptions;
import picocli.CommandLine.Option;

/** How many bricks hold each partition, and how many partitions a table begins with. */
final class ReplicaOptions {
    @Option(
            names = "--replicas",
            paramLabel = "N",
            description = "Bricks that hold a copy of each partition: 1 to 5. Default: ${DEFAULT-VALUE}.")
    private int replicas = 1;

    @Option(
            names = "--min-copies",
            paramLabel = "N",
            description = "Writes are refused while a partition has fewer copies. Default: ${DEFAULT-VALUE}.")
    private int minCopies = 1;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            description =
                    "Partitions that a hash table begins with, and never has fewer: 1 to 512; a range table begins"
                            + " with one. Default: ${DEFAULT-VALUE}.")
    private int partitions = 1;

    /** As they can be said again; nothing where they say nothing. */
    String asTyped() {
        return (replicas > 1 ? " --replicas " + replicas : "")
                + (minCopies > 1 ? " --min-copies " + minCopies : "")
                + (partitions > 1 ? " --partitions " + partitions : "");
    }

    /** The same table, as the options say. */
    TableOptions of(TableOptions options) {
        try {
            return options.withReplicas(replicas).withMinCopies(minCopies).withPartitions(partitions);
        } catch (IllegalArgumentException e) {
            throw CommandFailure.usage("--replicas, --min-copies, --partitions: " + e.getMessage(), e);
        }
    }
}
