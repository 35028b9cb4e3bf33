package io.sdds.client.internal.query;

import io.sdds.client.internal.query.lang.Assignment;
import io.sdds.client.internal.query.lang.BoundText;
import io.sdds.client.internal.query.lang.ExpressionParser;
import io.sdds.client.internal.query.lang.ProgramBuilder;
import io.sdds.client.internal.query.lang.Scope;
import io.sdds.core.query.Output;
import io.sdds.core.query.ProgramCodec;
import io.sdds.core.row.Schema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The programs of the updates of a table, compiled once from their texts. Thread-safe. */
public final class UpdatePrograms {
    private static final String IF = "if";
    private static final String SET = "set";

    /** Texts that are made for each call, with their constants in them, must not fill the memory. */
    private static final int KEPT_MAX = 256;

    /**
     * The texts of an update.
     *
     * @param condition null: none
     * @param assignments null: the record is removed
     */
    private record Texts(
            long schemaVersion,
            @Nullable BoundText condition,
            @Nullable BoundText assignments) {
        /** Whether other calls can have the same program. */
        boolean areWithoutValues() {
            return (condition == null || condition.values().isEmpty())
                    && (assignments == null || assignments.values().isEmpty());
        }
    }

    private final Map<Texts, byte[]> kept = new ConcurrentHashMap<>();

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
        BoundText.Pair texts = BoundText.pair(IF, condition, assignments, values);
        return program(schema, texts.first(), texts.second());
    }

    /** The encoded program that removes records; otherwise like {@link #update}. */
    public byte[] remove(Schema schema, String condition, @Nullable Object @Nullable ... values) {
        return program(schema, BoundText.of(condition, values), null);
    }

    private byte[] program(Schema schema, @Nullable BoundText condition, @Nullable BoundText assignments) {
        Texts texts = new Texts(schema.version(), condition, assignments);
        byte[] known = kept.get(texts);
        if (known != null) {
            return known;
        }
        byte[] compiled = compile(schema, condition, assignments);
        if (texts.areWithoutValues()) {
            keep(texts, compiled);
        }
        return compiled;
    }

    private void keep(Texts texts, byte[] compiled) {
        if (kept.size() >= KEPT_MAX) {
            kept.clear();
        }
        kept.put(texts, compiled);
    }

    private static byte[] compile(Schema schema, @Nullable BoundText condition, @Nullable BoundText assignments) {
        ProgramBuilder builder = new ProgramBuilder(Scope.of(schema));
        int filter = condition == null ? -1 : builder.addCondition(IF, ExpressionParser.expression(IF, condition));
        return encoded(builder, filter, schema, assignments);
    }

    /**
     * The program that changes the records that pass.
     *
     * @param filter number of the instruction of the condition; -1: there is none
     * @param assignments null: the records are removed
     */
    static byte[] encoded(ProgramBuilder builder, int filter, Schema schema, @Nullable BoundText assignments) {
        Output output = assignments == null ? new Output.Remove() : write(builder, schema, assignments);
        return ProgramCodec.encode(builder.build(filter, output));
    }

    private static Output write(ProgramBuilder builder, Schema schema, BoundText text) {
        List<Output.Assignment> assignments = new ArrayList<>();
        Set<Integer> assigned = new HashSet<>();
        for (Assignment assignment : ExpressionParser.assignments(SET, text)) {
            Output.Assignment added = builder.addAssignment(SET, assignment, schema);
            if (!assigned.add(added.column())) {
                throw new IllegalArgumentException(SET + ", position "
                        + (assignment.column().at() + 1) + ": '"
                        + assignment.column().name() + "' gets a value twice");
            }
            assignments.add(added);
        }
        return new Output.Write(assignments);
    }
}
