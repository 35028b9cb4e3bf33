package io.sdds.core.model;

/**
 * A table and its number of partitions. The places of the partitions come in address blocks.
 *
 * @param partitions M, the number of existing partitions; of a range table a number above all their numbers. A hash
 *     table with parity may have further columns, which are idle; a range table counts them
 * @param version the map version of the last change to this record or to any of the table's blocks
 */
public record TableMap(TableDefinition definition, int partitions, long version) {

    /** This record at a later map version, at which it has not changed. */
    public TableMap asOf(long mapVersion) {
        return new TableMap(definition, partitions, mapVersion);
    }
}
