package io.sdds.client.internal.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.netty.buffer.Unpooled;
import io.sdds.client.internal.query.lang.Expression;
import io.sdds.client.internal.query.lang.FilterParser;
import io.sdds.core.protocol.Limits;
import io.sdds.core.query.Program;
import io.sdds.core.query.ProgramCodec;
import io.sdds.core.query.RowEvaluator;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FilterProgramTest {
    private static boolean passes(String filter) {
        Program program = ProgramCodec.decode(Unpooled.wrappedBuffer(FilterProgram.encode(FilterParser.parse(filter))));
        return new RowEvaluator(program).add(bytes("U+1F431"), bytes("CAT's FACE"), 1);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Expression key(String text) {
        return Expression.test("_key", "=", bytes(text));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "value contains 'CAT'                                      | true",
                "value contains 'DOG'                                      | false",
                "value = 'CAT''s FACE' and key prefix 'U+'                 | true",
                "value = 'CAT' or key prefix 'V'                           | false",
                "not (value prefix 'DOG' or key = 'U+1F430') and not false | true",
                "key = x'552b3146343331'                                   | true",
                "true                                                      | true",
                "not true                                                  | false"
            })
    void theProgramMeansWhatTheTextSays(String filter, boolean expected) {
        assertThat(passes(filter)).isEqualTo(expected);
    }

    @Test
    void theLargestFiltersFit() {
        List<Expression> many = new ArrayList<>();
        for (int k = 1; k < Limits.FILTER_PARTS_MAX; k++) {
            many.add(key("k" + k));
        }
        assertThat(FilterProgram.encode(Expression.joined("or", many))).hasSizeLessThan(Limits.FILTER_BYTES_MAX);
        FilterProgram.encode(key("x".repeat(Limits.FILTER_BYTES_MAX - 100)));
    }

    @Test
    void refusesWhatIsTooLarge() {
        List<Expression> many = new ArrayList<>();
        for (int k = 0; k < Limits.FILTER_PARTS_MAX; k++) {
            many.add(key("k" + k));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FilterProgram.encode(Expression.joined("and", many)))
                .withMessage("filter of more than 256 parts");
        Expression deep = key("k");
        for (int k = 0; k < 100_000; k++) {
            deep = Expression.joined("and", List.of(deep, key("k")));
        }
        Expression deepest = deep;
        assertThatIllegalArgumentException().isThrownBy(() -> FilterProgram.encode(deepest));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FilterProgram.encode(key("x".repeat(Limits.FILTER_BYTES_MAX))));
    }
}
