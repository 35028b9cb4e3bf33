package io.sdds.bench.load;

/** Settings of a measurement of tables that are created and dropped. */
public record TableChangesSettings(
        @Setting("--table PREFIX: Set the prefix of the table names. The command drops the tables.")
        String table,

        @Setting("--rounds N: Set the number of tables that are created and dropped one after the other.")
        int rounds,

        @Setting("--at-once N: Set the number of tables that are created and dropped at once.")
        int atOnce) {
    private static final TableChangesSettings DEFAULTS = new TableChangesSettings("bench-tables", 200, 1000);

    public static TableChangesSettings defaults() {
        return DEFAULTS;
    }
}
