package io.sdds.client;

import static io.sdds.client.Filters.key;
import static io.sdds.client.Filters.not;
import static io.sdds.client.Filters.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FilterParserTest {
    @Test
    void bindsNotTighterThanAndTighterThanOr() {
        assertThat(Filters.parse("value contains 'CAT' and not key prefix 'U+1F6' or key = 'x'"))
                .isEqualTo(value().contains("CAT")
                        .and(not(key().startsWith("U+1F6")))
                        .or(key().is("x")));
    }

    @Test
    void readsQuotesHexadecimalAndAnyCase() {
        assertThat(Filters.parse("VALUE Contains 'it''s'")).isEqualTo(value().contains("it's"));
        assertThat(Filters.parse("key=x'00fF'")).isEqualTo(key().is(new byte[] {0, (byte) 0xff}));
        assertThat(Filters.parse("((key prefix ''))")).isEqualTo(key().startsWith(""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "value contains 'CAT' and not key prefix 'U+1F6'",
                "not (key = 'a' or key = 'b') and value contains x'ff'",
                "true",
                "not (false)",
                "key = 'it''s'"
            })
    void readsWhatAFilterWrites(String text) {
        Filter filter = Filters.parse(text);
        assertThat(filter).hasToString(text);
        assertThat(Filters.parse(filter.toString())).isEqualTo(filter);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "value like 'x'       | filter, position 7: expected '=', 'prefix' or 'contains', found 'like'",
                "value contains CAT   | filter, position 16: expected a text in single quotes, found 'CAT'",
                "value contains 'CAT  | filter, position 16: the text that begins here has no closing quote",
                "key = 'a' key = 'b'  | filter, position 11: expected 'and', 'or' or the end, found 'key'",
                "(key = 'a'           | filter, position 11: expected ')', found the end",
                "key = x'0'           | filter, position 7: expected pairs of hexadecimal digits",
                "not                  | filter, position 4: expected 'key', 'value', 'not' or '(', found the end",
                "name = 'a'           | filter, position 1: expected 'key', 'value', 'not' or '(', found 'name'"
            })
    void namesThePositionAndWhatWasExpected(String text, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Filters.parse(text))
                .withMessage(message);
    }

    @Test
    void refusesWhatIsTooDeepWithoutRunningOutOfStack() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Filters.parse("(".repeat(100_000)))
                .withMessageContaining("deeper than");
        assertThatIllegalArgumentException().isThrownBy(() -> Filters.parse("not ".repeat(100_000) + "key = 'a'"));
    }
}
