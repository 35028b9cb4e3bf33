package io.sdds.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import io.sdds.sql.run.ModifyRun;
import io.sdds.sql.schema.SddsTable;
import java.sql.SQLException;
import java.util.List;
import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.linq4j.QueryProvider;
import org.apache.calcite.schema.SchemaPlus;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** UPDATE and DELETE that the client computes, while another client changes the row between reading and writing. */
class RacesTest {
    private static SqlCluster sql;
    private static SddsTable table;

    @BeforeAll
    static void start() throws SQLException {
        sql = new SqlCluster();
        sql.update("CREATE TABLE races (id INTEGER PRIMARY KEY, n INTEGER)");
        table = java.util.Objects.requireNonNull(sql.session().schema().table("races"));
    }

    @AfterAll
    static void stop() throws SQLException {
        sql.close();
    }

    /** A context without parameters, cancel and timeout. */
    private static final DataContext CONTEXT = new DataContext() {
        @Override
        public @Nullable SchemaPlus getRootSchema() {
            return null;
        }

        @Override
        public JavaTypeFactory getTypeFactory() {
            throw new UnsupportedOperationException();
        }

        @Override
        public QueryProvider getQueryProvider() {
            throw new UnsupportedOperationException();
        }

        @Override
        public @Nullable Object get(String name) {
            return null;
        }
    };

    /**
     * The rows that a statement reads: the row 1 with 100 more as the value that it is to have. Another client adds one
     * as soon as the row was read, so many times.
     */
    private static Enumerable<Object[]> readBeforeChanges(int changes) {
        return new AbstractEnumerable<>() {
            private int left = changes;

            @Override
            public Enumerator<Object[]> enumerator() {
                try {
                    int n = Integer.parseInt(
                            sql.rows("SELECT n FROM races WHERE id = 1").get(0));
                    if (left-- > 0) {
                        sql.update("UPDATE races SET n = n + 1 WHERE id = 1");
                    }
                    return Linq4j.singletonEnumerator(new Object[] {1, n, n + 100});
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            }
        };
    }

    private static long written(ModifyRun.Kind kind, int changes) throws SQLException {
        sql.update("UPSERT INTO races VALUES (1, 0), (2, 0)");
        ModifyRun run = new ModifyRun(table, kind, List.of(1), null, false);
        return (Long) run.write(readBeforeChanges(changes), CONTEXT).single();
    }

    @Test
    void nineLostRacesAreRunAgain() throws SQLException {
        assertThat(written(ModifyRun.Kind.UPDATE, 9)).isEqualTo(1);
        assertThat(sql.rows("SELECT n FROM races ORDER BY id")).containsExactly("109", "0");
        assertThat(written(ModifyRun.Kind.DELETE, 9)).isEqualTo(1);
        assertThat(sql.rows("SELECT id FROM races")).containsExactly("2");
    }

    @Test
    void tenLostRacesEndTheStatement() throws SQLException {
        for (ModifyRun.Kind kind : List.of(ModifyRun.Kind.UPDATE, ModifyRun.Kind.DELETE)) {
            StatementEnd end = catchThrowableOfType(StatementEnd.class, () -> written(kind, 10));
            SQLException failure = SqlErrors.translated(end);
            assertThat(failure.getSQLState()).isEqualTo("40001");
            assertThat(failure.getMessage())
                    .isEqualTo(
                            "other clients changed 1 rows 10 times between reading and writing; 0 rows were written");
            assertThat(sql.rows("SELECT n FROM races ORDER BY id")).containsExactly("10", "0");
        }
    }
}
