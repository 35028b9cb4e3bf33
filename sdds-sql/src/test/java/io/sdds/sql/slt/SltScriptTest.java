package io.sdds.sql.slt;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sql.slt.SltScript.Command;
import io.sdds.sql.slt.SltScript.Question;
import io.sdds.sql.slt.SltScript.Step;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reading scripts of sqllogictest, and comparing what they expect. */
class SltScriptTest {
    @Test
    void readsStatementsAndQueries() {
        List<Step> steps = SltScript.steps("select1.test");
        assertThat(steps).filteredOn(Command.class::isInstance).hasSize(31);
        assertThat(steps).filteredOn(Question.class::isInstance).hasSize(1000);
        assertThat(SltScript.names()).hasSize(622);
        Question first = (Question) steps.get(31);
        assertThat(first.sql())
                .isEqualTo("SELECT CASE WHEN c>(SELECT avg(c) FROM t1) THEN a*2 ELSE b*10 END\n  FROM t1\n ORDER BY 1");
        assertThat(first.expected()).containsExactly("30 values hashing to 3c13dee48d9356ae19af2515e05e6b54");
    }

    @Test
    void leavesOutWhatIsForOtherDatabases() {
        assertThat(SltScript.steps("random/expr/slt_good_8.test"))
                .extracting(Step::sql)
                .noneMatch(sql -> sql.contains(" DIV "));
        assertThat(SltScript.steps("evidence/in1.test"))
                .as("without 'halt' of others and empty lists of SQLite")
                .isNotEmpty()
                .extracting(Step::sql)
                .noneMatch(sql -> sql.contains("IN ()"));
    }

    @Test
    void comparesValuesAndHashes() {
        assertThat(SltValues.areExpected(List.of("1", "2"), query("1", "2"))).isTrue();
        assertThat(SltValues.areExpected(List.of("2", "1"), query("1", "2"))).isFalse();
        Question hashed = query("2 values hashing to 6ddb4095eb719e2a9f0a3f95677d24e0");
        assertThat(SltValues.areExpected(List.of("1", "2"), hashed)).isTrue();
        assertThat(SltValues.areExpected(List.of("2", "1"), hashed)).isFalse();
        assertThat(SltValues.areExpected(List.of("1"), hashed)).isFalse();
    }

    private static Question query(String... expected) {
        return new Question("SELECT 1", 1, "I", "nosort", List.of(expected));
    }
}
