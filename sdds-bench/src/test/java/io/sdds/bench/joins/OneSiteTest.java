package io.sdds.bench.joins;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class OneSiteTest {
    @Test
    void packetsFindTheCouplesOfANestedLoop() {
        List<Person> persons = Person.some(300, 20);
        Couples expected = new NestedLoop(persons).couples();
        assertThat(expected.count()).isGreaterThan(300);
        try (OneSite site = new OneSite(persons)) {
            assertThat(site.couples(1, true)).isEqualTo(expected);
            assertThat(site.couples(50, false)).isEqualTo(expected);
            assertThat(site.couples(1_000, true)).isEqualTo(expected);
        }
    }

    @Test
    void databasesWithoutIndexesJoinByANestedLoop() {
        List<Person> persons = Person.some(300, 20);
        Couples expected = new NestedLoop(persons).couples();
        for (JdbcJoin.Local database : JdbcJoin.Local.values()) {
            try (JdbcJoin loop = JdbcJoin.nestedLoop(database, persons);
                    JdbcJoin indexed = JdbcJoin.indexed(database, persons)) {
                assertThat(loop.couples()).as(database.toString()).isEqualTo(expected);
                assertThat(indexed.counted()).as(database.toString()).isEqualTo(loop.counted());
                assertThat(indexed.isNestedLoop(database))
                        .as(database.toString())
                        .isFalse();
            }
        }
    }
}
