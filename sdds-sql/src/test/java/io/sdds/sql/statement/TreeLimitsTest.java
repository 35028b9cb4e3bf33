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
    }

    @Test
    void callsThatTheValidatorCopiesAreNotNestedDeeply() {
        String nested = "NULLIF(".repeat(11) + "n" + ", 1)".repeat(11);
        assertThatItIsTooLarge("SELECT " + nested + " FROM cells");
    }
}
