package io.sdds.client.internal.query;

import io.sdds.client.internal.query.lang.Assignment;
import io.sdds.client.internal.query.lang.BoundText;
import io.sdds.client.internal.query.lang.ExpressionParser;
import io.sdds.core.row.Schema;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The programs of the updates of a table, compiled once from their texts. Thread-safe. */
public final class UpdatePrograms {
    /** Texts that are made for each call, with their constants in them, must not fill the memory. */
    private static final int KEPT_MAX = 256;

    /**
     * The texts of an update.
     *
     * @param condition null: none
     * @param assignments null: the record is removed
     */
    private record Texts(
            @Nullable BoundText condition, @Nullable BoundText assignments) {
        /** Whether other calls can have the same program. */
        boolean areWithoutValues() {
            return (condition == null || condition.values().isEmpty())
                    && (assignments == null || assignments.values().isEmpty());
        }
    }

    private final Map<Texts, UpdateTree> kept = new ConcurrentHashMap<>();

    /**
     * The encoded program that gives columns values.
     *
     * @param condition null: none
     * @param values of the question marks of the condition, then of those of the assignments
     * @throws IllegalArgumentException with one line that names the text, the position in it and what is wrong
     */
    public byte[] update(
            Schema schema, @Nullable String condition, String assignments, @Nullable Object @Nullable ... values) {
        if (condition == null) {
            return program(schema, null, BoundText.of(assignments, values));
        }
        BoundText.Pair texts = BoundText.pair(UpdateTree.IF, condition, assignments, values);
        return program(schema, texts.first(), texts.second());
    }

    /** The encoded program that removes records; otherwise like {@link #update}. */
    public byte[] remove(Schema schema, String condition, @Nullable Object @Nullable ... values) {
        return program(schema, BoundText.of(condition, values), null);
    }

    private byte[] program(Schema schema, @Nullable BoundText condition, @Nullable BoundText assignments) {
        Texts texts = new Texts(condition, assignments);
        UpdateTree known = kept.get(texts);
        if (known != null) {
            return known.program(schema);
        }
        UpdateTree update = new UpdateTree(
                condition == null ? List.of() : List.of(ExpressionParser.expression(UpdateTree.IF, condition)),
                parsed(assignments));
        byte[] compiled = update.program(schema);
        if (texts.areWithoutValues()) {
            keep(texts, update);
        }
        return compiled;
    }

    private void keep(Texts texts, UpdateTree update) {
        if (kept.size() >= KEPT_MAX) {
            kept.clear();
        }
        kept.put(texts, update);
    }

    /** @param assignments null: there are none */
    static List<Assignment> parsed(@Nullable BoundText assignments) {
        return assignments == null ? List.of() : ExpressionParser.assignments(UpdateTree.SET, assignments);
    }
}
