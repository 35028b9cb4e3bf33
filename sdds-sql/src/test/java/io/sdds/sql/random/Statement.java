package io.sdds.sql.random;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A statement as a database gets it.
 *
 * @param text its text, in the dialect of SDDS
 * @param parameters what its question marks stand for
 * @param isOrdered whether the rows of its result have one order
 * @param changed the table that it changes; null if it is a query
 */
record Statement(
        String text,
        List<Part.Constant> parameters,
        boolean isOrdered,
        @Nullable String changed) {
    static Statement of(Part tree, boolean isOrdered, @Nullable String changed) {
        StringBuilder text = new StringBuilder();
        List<Part.Constant> parameters = new ArrayList<>();
        print(tree, text, parameters);
        return new Statement(text.toString(), List.copyOf(parameters), isOrdered, changed);
    }

    /** Whether a table is joined to another one, so that the form of a join can be told. */
    boolean hasJoin() {
        return changed == null && text.contains(" JOIN ");
    }

    /** The query with a form of joins in its first SELECT. */
    Statement withJoins(String form) {
        return new Statement(
                text.replaceFirst("SELECT ", "SELECT /*+ SDDS_JOIN(" + form + ") */ "), parameters, isOrdered, changed);
    }

    private static void print(Part part, StringBuilder text, List<Part.Constant> parameters) {
        switch (part) {
            case Part.Text words -> text.append(words.text());
            case Part.Node node -> node.parts().forEach(child -> print(child, text, parameters));
            case Part.Constant constant -> {
                switch (constant.style()) {
                    case LITERAL -> text.append(constant.type().constant(constant.value()));
                    case PARAMETER -> text.append("?");
                    case CAST_PARAMETER ->
                        text.append("CAST(? AS ")
                                .append(constant.type().declaration)
                                .append(")");
                }
                if (constant.style() != Part.Style.LITERAL) {
                    parameters.add(constant);
                }
            }
        }
    }

    @Override
    public String toString() {
        List<String> values = parameters.stream()
                .map(parameter -> parameter.type().constant(parameter.value()))
                .toList();
        return values.isEmpty() ? text : text + " -- " + String.join(", ", values);
    }
}
