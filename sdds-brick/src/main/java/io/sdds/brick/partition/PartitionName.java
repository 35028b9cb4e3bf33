package io.sdds.brick.partition;

/** Names a partition by its table and number. */
public record PartitionName(int table, int partition) {}
