package io.sdds.client.internal.query;

import io.sdds.client.internal.query.lang.Assignment;
import io.sdds.client.internal.query.lang.Expression;
import io.sdds.client.internal.query.lang.ProgramBuilder;
import io.sdds.client.internal.query.lang.Scope;
import io.sdds.core.query.Output;
import io.sdds.core.query.ProgramCodec;
import io.sdds.core.row.Schema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An update of the records that meet conditions. Without parameters it is compiled once. Thread-safe. */
public final class UpdateTree {
    static final String IF = "if";
    static final String SET = "set";

    private final String what;
    private final List<Expression> conditions;
    private final List<Assignment> assignments;
    private volatile @Nullable Compiled last;

    private record Compiled(long schemaVersion, byte[] program) {}

    /** @param assignments empty: the records are removed */
    public UpdateTree(List<Expression> conditions, List<Assignment> assignments) {
        this(IF, conditions, assignments);
    }

    /** @param what for errors: the text that the conditions stand in */
    UpdateTree(String what, List<Expression> conditions, List<Assignment> assignments) {
        this.what = what;
        this.conditions = conditions;
        this.assignments = assignments;
    }

    public List<Expression> conditions() {
        return conditions;
    }

    public List<Assignment> assignments() {
        return assignments;
    }

    /** The encoded program with values in the places of parameters. */
    public Attempt<byte[]> program(Schema schema, Function<Expression.Parameter, Expression> values) {
        boolean hasParameters = conditions.stream().anyMatch(each -> each.has(Expression.Parameter.class))
                || assignments.stream().anyMatch(each -> each.value().has(Expression.Parameter.class));
        return Attempt.of(() -> (hasParameters ? with(values) : this).program(schema));
    }

    private UpdateTree with(Function<Expression.Parameter, Expression> values) {
        return new UpdateTree(
                what,
                conditions.stream().map(each -> each.with(values)).toList(),
                assignments.stream()
                        .map(each -> new Assignment(each.column(), each.value().with(values)))
                        .toList());
    }

    /** The encoded program. */
    byte[] program(Schema schema) {
        Compiled known = last;
        if (known == null || known.schemaVersion() != schema.version()) {
            known = new Compiled(schema.version(), compiled(schema));
            last = known;
        }
        return known.program();
    }

    private byte[] compiled(Schema schema) {
        ProgramBuilder builder = new ProgramBuilder(Scope.of(schema));
        int filter = conditions.isEmpty() ? -1 : builder.addCondition(what, Expression.joined("and", conditions));
        Output output = assignments.isEmpty() ? new Output.Remove() : write(builder, schema);
        return ProgramCodec.encode(builder.build(filter, output));
    }

    private Output write(ProgramBuilder builder, Schema schema) {
        List<Output.Assignment> written = new ArrayList<>();
        Set<Integer> assigned = new HashSet<>();
        for (Assignment assignment : assignments) {
            Output.Assignment added = builder.addAssignment(SET, assignment, schema);
            if (!assigned.add(added.column())) {
                throw builder.error(
                        assignment.column(), "'" + assignment.column().name() + "' gets a value twice");
            }
            written.add(added);
        }
        return new Output.Write(written);
    }
}
