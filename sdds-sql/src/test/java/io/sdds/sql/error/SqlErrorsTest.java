package io.sdds.sql.error;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.client.MemoryFullException;
import io.sdds.client.OverloadedException;
import io.sdds.client.QueryException;
import io.sdds.client.SddsException;
import io.sdds.client.TimeoutException;
import io.sdds.client.UnavailableException;
import java.sql.SQLTimeoutException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SqlErrorsTest {
    @Test
    void failuresOfTheClientHaveTheStatesThatPoolsAndRetriesKnow() {
        Map<SddsException, String> states = Map.of(
                new UnavailableException("x", false), "08006",
                new TimeoutException("x", true), "HYT00",
                new OverloadedException("x", false), "HYT00",
                new MemoryFullException("x", false), "53200",
                new QueryException("division by zero at key 1"), "22012",
                new QueryException("a number is out of range at key 1"), "22003",
                new QueryException("a value does not fit its column, at key 1"), "22000");
        states.forEach((failure, state) -> {
            Throwable wrapped = new IllegalStateException("of the engine", failure);
            assertThat(SqlErrors.translated(wrapped).getSQLState())
                    .as(failure.toString())
                    .isEqualTo(state);
        });
        assertThat((Object) SqlErrors.translated(new TimeoutException("x", true)))
                .isInstanceOf(SQLTimeoutException.class);
    }
}
