package io.sdds.brick.partition;

/** Which partition of which table. */
public record PartitionName(int table, int partition) {}
