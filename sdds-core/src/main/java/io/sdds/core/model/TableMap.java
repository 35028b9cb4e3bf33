package io.sdds.core.model;

/**
 * A table and how far it has grown; its places come in address blocks.
 *
 * @param partitions M, the number of partitions that exist; of a range table all their numbers are below it
 * @param version the map version of the last change to this record or to any of the table's blocks
 */
public record TableMap(TableDefinition definition, int partitions, long version) {

    /** The same, known to be so at a map version at or behind its last change. */
    public TableMap asOf(long mapVersion) {
        return new TableMap(definition, partitions, mapVersion);
    }
}
