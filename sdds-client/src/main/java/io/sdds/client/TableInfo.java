package io.sdds.client;

import io.sdds.core.model.TableKind;

/**
 * A table as the leading coordinator sees it. Loads are as old as the bricks' last heartbeats.
 *
 * @param id the number of the table, never used again
 * @param name the name of the table
 * @param kind whether it is a hash table or a range table
 * @param options the options that the table was created with
 * @param partitions partitions that it has now
 * @param records records that it holds
 * @param bytes bytes of these records
 * @param lostPartitions partitions whose only memory is gone
 */
public record TableInfo(
        int id,
        String name,
        TableKind kind,
        TableOptions options,
        int partitions,
        long records,
        long bytes,
        int lostPartitions) {}
