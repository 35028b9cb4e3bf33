package io.sdds.sql.statement;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StatementKindTest {
    @Test
    void theFirstWordIsBehindBlanksAndComments() {
        assertThat(StatementKind.of(" -- update\n /* delete\n */\tUpsert into t")
                        .isUpsert())
                .isTrue();
        assertThat(StatementKind.of("/**/delete from t").isChange()).isTrue();
        assertThat(StatementKind.of("insert").isInsert()).isTrue();
        assertThat(StatementKind.of("updated").isChange()).isFalse();
        assertThat(StatementKind.of("").word()).isEmpty();
        assertThat(StatementKind.of("/* update").word()).isEmpty();
    }

    @Test
    void whatIsExplainedIsNotExecuted() {
        StatementKind kind = StatementKind.of("explain /* it */ plan\nfor -- now\nupdate t set n = 1");
        assertThat(kind.isExplained()).isTrue();
        assertThat(kind.isChange()).isTrue();
        assertThat(StatementKind.of("update t set n = 1").isExplained()).isFalse();
        assertThat(StatementKind.of("explain plan without implementation as json for upsert into t")
                        .isUpsert())
                .isTrue();
        assertThat(StatementKind.of("explain update").word()).isEqualTo("EXPLAIN");
    }

    @Test
    void manyBlanksAndCommentsAreSkipped() {
        assertThat(StatementKind.of("-- x\n ".repeat(100_000) + "DELETE").isChange())
                .isTrue();
    }
}
