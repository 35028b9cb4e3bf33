package io.sdds.sql.statement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TokensTest {
    private static List<String> tokens(String sql) {
        List<String> tokens = new ArrayList<>();
        Tokens all = new Tokens(sql);
        while (all.next()) {
            tokens.add(all.text());
        }
        return tokens;
    }

    @Test
    void blanksAndCommentsArePassedOver() {
        assertThat(tokens(" -- update\n /* delete\n */\tUpsert/**/into t--")).containsExactly("Upsert", "into", "t");
        assertThat(tokens("-- x\n ".repeat(100_000) + "DELETE")).containsExactly("DELETE");
        assertThat(tokens("")).isEmpty();
    }

    @Test
    void whatIsInQuotesIsOneToken() {
        assertThat(tokens("a='it''s -- (' || \"b\"\"/*\"-1.5"))
                .containsExactly("a", "=", "'it''s -- ('", "||", "\"b\"\"/*\"", "-", "1.5");
    }

    @Test
    void whatHasNoEndGoesOnToTheEnd() {
        for (String sql : List.of("x 'it''s; (", "x \"a\"\"", "x /* y")) {
            Tokens tokens = new Tokens(sql);
            tokens.next();
            assertThat(tokens.unclosed()).isEmpty();
            tokens.next();
            assertThat(tokens.unclosed()).isNotEmpty();
            assertThat(tokens.next()).isFalse();
        }
    }

    @Test
    void aStatementThatIsExplainedBeginsBehindTheExplanation() {
        String sql = "explain /* it */ plan without implementation as json\nfor -- now\nupsert into t";
        Tokens tokens = Tokens.ofStatement(sql);
        assertThat(tokens.is("UPSERT")).isTrue();
        assertThat(tokens.begin()).isEqualTo(sql.indexOf("upsert"));
        assertThat(Tokens.ofStatement("updated").is("UPDATE")).isFalse();
        assertThat(Tokens.ofStatement("explain update").text()).isEmpty();
    }
}
