package io.sdds.sql.run;

import java.util.List;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.jspecify.annotations.Nullable;

/** Gives rows of constants. Code that the engine generates calls this class, so that it is public. */
public final class ConstantRun {
    private final List<@Nullable Object[]> rows;

    public ConstantRun(List<@Nullable Object[]> rows) {
        this.rows = rows;
    }

    /** The rows, each an {@code Object[]} of the engine's values. */
    public Enumerable<@Nullable Object[]> rows() {
        return Linq4j.asEnumerable(rows);
    }

    /** The values of the one column of the rows. */
    public Enumerable<@Nullable Object> values() {
        return rows().select(row -> row[0]);
    }
}
