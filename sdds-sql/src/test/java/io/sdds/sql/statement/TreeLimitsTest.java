package io.sdds.sql.statement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import org.junit.jupiter.api.Test;

class TreeLimitsTest {
    private static String chain(int joins) {
        StringBuilder query = new StringBuilder("SELECT t0.n FROM cells t0");
        for (int k = 1; k <= joins; k++) {
            query.append(" LEFT JOIN cells t" + k + " ON t" + k + ".id = t" + (k - 1) + ".id");
        }
        return query.toString();
    }

    private static void assertThatItIsTooLarge(String query) {
        StatementEnd end = catchThrowableOfType(StatementEnd.class, () -> Grammar.parse(query));
        assertThat(SqlErrors.translated(end).getSQLState()).isEqualTo("54000");
    }

    @Test
    void moreThanAHundredJoinsOfABlockAreRefused() {
        assertThatCode(() -> Grammar.parse(chain(100))).doesNotThrowAnyException();
        assertThatItIsTooLarge(chain(101));
    }

    @Test
    void subqueriesOfABlockCountAsJoins() {
        assertThatItIsTooLarge("SELECT 1" + ", (SELECT n FROM cells)".repeat(101) + " FROM cells");
        assertThatItIsTooLarge(
                chain(90) + " WHERE 1 IN (SELECT n FROM cells)" + " AND EXISTS (SELECT 1 FROM cells)".repeat(10));
    }

    @Test
    void moreThan32SubqueriesInExpressionsOfABlockAreRefused() {
        String subquery = ", (SELECT MAX(n) FROM cells x WHERE x.n > t.n)";
        assertThatCode(() -> Grammar.parse("SELECT 1" + subquery.repeat(32) + " FROM cells t"))
                .doesNotThrowAnyException();
        assertThatItIsTooLarge("SELECT 1" + subquery.repeat(33) + " FROM cells t");
    }

    @Test
    void moreThan200JoinsOfAStatementAreRefused() {
        String blocks = "SELECT * FROM (" + chain(99) + ") a JOIN (" + chain(99) + ") b ON a.n = b.n";
        assertThatCode(() -> Grammar.parse(blocks)).doesNotThrowAnyException();
        assertThatItIsTooLarge(blocks + " JOIN (" + chain(2) + ") c ON a.n = c.n");
    }

    @Test
    void callsThatTheValidatorCopiesAreNotNestedDeeply() {
        String nested = "NULLIF(".repeat(11) + "n" + ", 1)".repeat(11);
        assertThatItIsTooLarge("SELECT " + nested + " FROM cells");
    }
}
