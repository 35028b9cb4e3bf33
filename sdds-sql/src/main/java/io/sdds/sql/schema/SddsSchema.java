package io.sdds.sql.schema;

import com.google.common.collect.Maps;
import com.google.common.collect.Multimap;
import io.sdds.sql.run.BatchWrite;
import io.sdds.sql.run.KeyRead;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.calcite.schema.Function;
import org.apache.calcite.schema.Table;
import org.apache.calcite.schema.impl.AbstractSchema;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a cluster as a schema of SQL, for one connection: what all connections of a client share
 * ({@link ClusterTables}), and the statement that the connection prepares.
 */
public final class SddsSchema extends AbstractSchema {
    /** The name of the one schema. */
    public static final String NAME = "sdds";

    private final Supplier<ClusterTables> shared;
    private boolean showsRowIds;
    private Planned planned = Planned.NOTHING;

    /** @param shared is asked by the first statement, because the client may still be connecting before */
    public SddsSchema(Supplier<ClusterTables> shared) {
        this.shared = shared;
    }

    /** What all connections of the client share. */
    public ClusterTables shared() {
        return shared.get();
    }

    /** Whether the statement that is planned sees the hidden keys of tables. */
    public void showRowIds(boolean shown) {
        showsRowIds = shown;
    }

    /**
     * What a plan is about.
     *
     * @param write that a batch can run; null: each statement of a batch is run by itself
     * @param read that a prepared statement runs without the engine; null: the engine runs the statement
     */
    public record Planned(
            List<SddsTable> tables,
            @Nullable BatchWrite write,
            @Nullable KeyRead read) {
        public static final Planned NOTHING = new Planned(List.of(), null);

        public Planned(List<SddsTable> tables, @Nullable BatchWrite write) {
            this(tables, write, null);
        }

        /** Whether bricks may get the values of parameters inside of programs. */
        public boolean shipsInPrograms() {
            return write == null ? read == null : write.shipsInPrograms();
        }
    }

    /** The plan of the statement that was prepared last. */
    public Planned planned() {
        return planned;
    }

    public void planned(Planned plan) {
        planned = plan;
    }

    /** The table of a name in any case; null: there is no such table. */
    @Nullable
    public SddsTable table(String name) {
        String found = find(name);
        return found == null ? null : (SddsTable) getTableMap().get(found);
    }

    /** The name of a table as it was created, of one in any case; null: there is no such table. */
    @Nullable
    public String find(String name) {
        Map<String, Table> known = getTableMap();
        if (known.containsKey(name)) {
            return name;
        }
        return known.keySet().stream()
                .filter(name::equalsIgnoreCase)
                .findFirst()
                .orElse(null);
    }

    @Override
    protected Multimap<String, Function> getFunctionMultimap() {
        return Functions.ALL;
    }

    @Override
    public Map<String, Table> getTableMap() {
        Map<String, Table> tables = shared().tables();
        return showsRowIds ? Maps.transformValues(tables, table -> ((SddsTable) table).withRowId()) : tables;
    }
}
