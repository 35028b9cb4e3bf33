package io.sdds.client.internal.query.lang;

import io.sdds.core.row.Token;
import io.sdds.core.row.TokenReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A text of the language, and the values of its question marks in their order. A value is of one of the classes of
 * {@link io.sdds.client.Row}, or null. It never becomes part of the text.
 */
public record BoundText(String text, List<@Nullable Object> values) {
    static final String MARK = "?";

    public BoundText {
        List<@Nullable Object> copies = new ArrayList<>(values);
        copies.replaceAll(value -> value instanceof byte[] bytes ? bytes.clone() : value);
        values = Collections.unmodifiableList(copies);
    }

    /** @param values null: one value, which is null */
    public static BoundText of(String text, @Nullable Object @Nullable ... values) {
        return new BoundText(text, values == null ? Collections.singletonList(null) : Arrays.asList(values));
    }

    /**
     * Two texts that share values: the first has as many as it has question marks, the second has the others.
     *
     * @param what for errors: which text the first is
     */
    public static Pair pair(String what, String first, String second, @Nullable Object @Nullable ... values) {
        List<@Nullable Object> all = of(second, values).values;
        int marks = Math.min(marks(what, first), all.size());
        return new Pair(
                new BoundText(first, all.subList(0, marks)), new BoundText(second, all.subList(marks, all.size())));
    }

    /** Two texts. */
    public record Pair(BoundText first, BoundText second) {}

    private static int marks(String what, String text) {
        TokenReader tokens = new TokenReader(what, text);
        int marks = 0;
        for (Token token = tokens.take(); token.kind() != Token.Kind.END; token = tokens.take()) {
            marks += token.is(MARK) ? 1 : 0;
        }
        return marks;
    }
}
