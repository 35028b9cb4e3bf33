package io.sdds.cli.command.record;

import io.sdds.cli.command.base.CommandFailure;
import io.sdds.client.internal.query.lang.BoundText;
import io.sdds.client.internal.query.lang.ExpressionParser;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Values of the parameters, which are question marks in conditions and assignments. */
final class ParameterOptions {
    @Option(
            names = "--param",
            paramLabel = "TEXT",
            description = "Set the value of the next ? in the condition, then in --set; repeat the option for each ?."
                    + " A value is a text and needs no quotes; for a number write cast(? as bigint).")
    private List<String> values = new ArrayList<>();

    /** The values in the order of the question marks. */
    Object[] values() {
        return values.toArray();
    }

    /** The condition with its values, and the assignments with the others. */
    BoundText.Pair bound(String option, String condition, String assignments) {
        return BoundText.pair(option, condition, assignments, values());
    }

    /**
     * Checks the syntax of a condition that has all parameters, before there is a table.
     *
     * @param condition null: there is none, so there must be no values
     * @throws IllegalArgumentException that names the text and the position in it
     */
    void check(String option, @Nullable String condition) {
        if (condition != null) {
            ExpressionParser.expression(option, BoundText.of(condition, values()));
        } else if (!values.isEmpty()) {
            throw CommandFailure.usage("--param: there is no " + option + " with a ? that the value stands for");
        }
    }
}
