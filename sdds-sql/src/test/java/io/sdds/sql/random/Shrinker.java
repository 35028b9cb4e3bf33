package io.sdds.sql.random;

import io.sdds.sql.random.Generator.Drawn;
import io.sdds.sql.random.Part.Constant;
import io.sdds.sql.random.Part.Node;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Makes a statement shorter while it keeps a property. A node gives way to a smaller node of its kind that stands in
 * it, an optional node to nothing, and a parameter to a constant.
 */
final class Shrinker {
    /** Of one statement; each attempt runs a statement on both databases. */
    private static final int ATTEMPTS_MAX = 500;

    /** A constant is simpler than a parameter, though it may be longer. */
    private static final int PARAMETER_LENGTH = 60;

    private int attempts;

    /** What a statement must still do. */
    interface Property {
        boolean holds(Statement statement) throws SQLException;
    }

    static Statement shrink(Drawn drawn, Property property) throws SQLException {
        return new Shrinker().shortest(drawn, property).statement();
    }

    private Drawn shortest(Drawn drawn, Property property) throws SQLException {
        Drawn best = drawn;
        boolean isShorter = true;
        while (isShorter) {
            isShorter = false;
            for (Part candidate : replacements(best.tree())) {
                Drawn shorter = drawn.with((Node) candidate);
                if (length(shorter) >= length(best)) {
                    continue;
                }
                if (attempts++ == ATTEMPTS_MAX) {
                    return best;
                }
                if (property.holds(shorter.statement())) {
                    best = shorter;
                    isShorter = true;
                    break;
                }
            }
        }
        return best;
    }

    private static int length(Drawn of) {
        Statement statement = of.statement();
        return statement.text().length()
                + PARAMETER_LENGTH * statement.parameters().size();
    }

    /** The tree with one change each, large changes first. */
    private static List<Part> replacements(Part part) {
        List<Part> all = new ArrayList<>();
        if (part instanceof Constant constant && constant.style() != Part.Style.LITERAL) {
            all.add(constant.asLiteral());
        }
        if (!(part instanceof Node node)) {
            return all;
        }
        if (node.isOptional() && !node.parts().isEmpty()) {
            all.add(new Node(node.kind(), false, List.of()));
        }
        if (node.kind() != null) {
            collect(node, node.kind(), all);
        }
        if (node.kind() instanceof SqlType type && !(node.parts().get(0) instanceof Constant)) {
            all.add(Part.node(type, new Constant(type, type.value(new SplittableRandom(1)), Part.Style.LITERAL)));
        }
        for (int k = 0; k < node.parts().size(); k++) {
            for (Part child : replacements(node.parts().get(k))) {
                List<Part> parts = new ArrayList<>(node.parts());
                parts.set(k, child);
                all.add(new Node(node.kind(), node.isOptional(), List.copyOf(parts)));
            }
        }
        return all;
    }

    /** Nodes of a kind that stand in a node, the outer ones first. */
    private static void collect(Node of, Object kind, List<Part> into) {
        for (Part part : of.parts()) {
            if (part instanceof Node node) {
                if (kind.equals(node.kind())) {
                    into.add(node);
                }
                collect(node, kind, into);
            }
        }
    }
}
