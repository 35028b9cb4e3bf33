package io.sdds.sql.random;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A part of a statement's tree. Its text is that of its leaves, one behind the other. */
sealed interface Part {
    /** Words of SQL. */
    record Text(String text) implements Part {}

    /** A constant, or a parameter in its place. */
    record Constant(SqlType type, @Nullable Object value, Style style) implements Part {
        /** The same value as a constant. */
        Constant asLiteral() {
            return new Constant(type, value, Style.LITERAL);
        }
    }

    /** How the value of a constant reaches the database. */
    enum Style {
        LITERAL,
        /** A question mark whose neighbours tell its type. */
        PARAMETER,
        /** A question mark in a cast, where nothing else tells its type. */
        CAST_PARAMETER
    }

    /**
     * Parts that belong together.
     *
     * @param kind nodes of one kind can stand for each other: a {@link SqlType} of expressions, a list of types of
     *     queries; null if nothing can stand for the node
     * @param isOptional whether a statement without the node is still one
     */
    record Node(@Nullable Object kind, boolean isOptional, List<Part> parts) implements Part {
        /** The kind of the type that the expression has. */
        SqlType type() {
            if (kind instanceof SqlType type) {
                return type;
            }
            throw new IllegalStateException("not an expression: " + this);
        }

        @Override
        public String toString() {
            return Statement.of(this, false, null).text();
        }
    }

    /** A node of texts and parts. */
    static Node node(@Nullable Object kind, Object... parts) {
        return new Node(kind, false, list(parts));
    }

    /** A node that may be left out. */
    static Node optional(Object... parts) {
        return new Node(null, true, list(parts));
    }

    /** Parts with a text between them. */
    static Node joined(String between, List<? extends Part> parts) {
        List<Object> all = new ArrayList<>();
        for (Part part : parts) {
            if (!all.isEmpty()) {
                all.add(between);
            }
            all.add(part);
        }
        return node(null, all.toArray());
    }

    private static List<Part> list(Object... parts) {
        List<Part> list = new ArrayList<>();
        for (Object part : parts) {
            list.add(part instanceof Part of ? of : new Text((String) part));
        }
        return List.copyOf(list);
    }
}
