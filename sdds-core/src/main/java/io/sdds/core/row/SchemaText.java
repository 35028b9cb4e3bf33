package io.sdds.core.row;

import io.sdds.core.row.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The text of a schema: {@code NAME TYPE [key] [not null] [default V], ...}.
 *
 * <p>Types: boolean, integer or int, bigint, double, decimal(p,s), varchar or varchar(n), varbinary or varbinary(n),
 * date, time, timestamp, uuid. A name that is no word stands in double quotes. V is a literal: {@code 'text'},
 * {@code x'00ff'}, {@code -42}, {@code 1.5}, {@code true}, {@code date '2026-01-31'} or just {@code '2026-01-31'}, or
 * {@code null}. Words are read without regard to case.
 *
 * <p>Errors are {@link IllegalArgumentException}: one line with the position, from 1 on.
 */
public final class SchemaText {
    /** The types without their lengths, in the order in which a message lists them. */
    private static final List<String> TYPES = List.of(
            "boolean",
            "integer",
            "int",
            "bigint",
            "double",
            "decimal",
            "varchar",
            "varbinary",
            "date",
            "time",
            "timestamp",
            "uuid");

    private final TokenReader in;

    private SchemaText(String text) {
        this.in = new TokenReader("schema", text);
    }

    /** The schema of a text, version 1. */
    public static Schema parse(String text) {
        SchemaText parser = new SchemaText(text);
        List<Column> columns = new ArrayList<>();
        do {
            Token name = parser.in.peek();
            Column column = parser.column();
            for (Column other : columns) {
                if (other.name().equalsIgnoreCase(column.name())) {
                    throw parser.in.error(name.at(), "column '" + column.name() + "' is there twice");
                }
            }
            columns.add(column);
        } while (parser.in.accept(","));
        parser.in.expectEnd("',' or the end");
        return Schema.of(columns);
    }

    /** One column, for {@link Schema#add}. */
    public static Column parseColumn(String text) {
        SchemaText parser = new SchemaText(text);
        Column column = parser.column();
        parser.in.expectEnd("the end");
        return column;
    }

    /** One type, such as {@code decimal(10,2)}. */
    public static ValueType parseType(String text) {
        SchemaText parser = new SchemaText(text);
        ValueType type = parser.type();
        parser.in.expectEnd("the end");
        return type;
    }

    /** The text of a schema without dropped columns, which {@link #parse} reads. */
    public static String print(Schema schema) {
        return schema.liveColumns().stream().map(SchemaText::print).collect(Collectors.joining(", "));
    }

    /** The text of a column. */
    public static String print(Column column) {
        StringBuilder text = new StringBuilder(name(column.name())).append(' ').append(column.type());
        if (column.key()) {
            return text.append(" key").toString();
        }
        if (column.notNull()) {
            text.append(" not null");
        }
        if (column.hasDefault()) {
            Object value = Values.decode(column.type(), column.defaultValue());
            text.append(" default ").append(ValueText.literal(column.type(), value));
        }
        return text.toString();
    }

    /** A name as the language writes it: in double quotes unless it is a word. */
    public static String name(String name) {
        return TextScanner.isWord(name) ? name : '"' + name.replace("\"", "\"\"") + '"';
    }

    // ---- a column

    private Column column() {
        Token name = in.take();
        if (name.kind() != Kind.WORD && name.kind() != Kind.NAME) {
            throw in.expected("the name of a column", name);
        }
        Token typeAt = in.peek();
        ValueType type = type();
        boolean key = false;
        boolean notNull = false;
        byte[] defaultValue = null;
        boolean defaultGiven = false;
        Token at = in.peek();
        while (at.kind() == Kind.WORD) {
            if (!key && in.accept("key")) {
                key = true;
            } else if (!notNull && in.accept("not")) {
                in.expect("null");
                notNull = true;
            } else if (!defaultGiven && in.accept("default")) {
                defaultGiven = true;
                defaultValue = defaultOf(type, name.content());
            } else {
                throw in.error(
                        at.at(),
                        "expected 'key', 'not null', 'default', ',' or the end, found " + at.shown()
                                + NearNames.hint(at.content(), List.of("key", "not null", "default")));
            }
            at = in.peek();
        }
        if (key && defaultGiven) {
            throw in.error(name.at(), "column '" + name.content() + "' is part of the key and can't have a default");
        }
        Column column = new Column(
                name.content(),
                type,
                key,
                key || notNull,
                defaultValue != null,
                defaultValue == null ? new byte[0] : defaultValue,
                false);
        String problem = SchemaRules.typeProblem(type);
        if (problem != null) {
            throw in.error(typeAt.at(), "type " + type + ": " + problem);
        }
        return column;
    }

    private ValueType type() {
        Token word = in.take();
        String name = word.lower();
        if (word.kind() != Kind.WORD) {
            throw in.expected("a type (" + String.join(", ", TYPES) + ")", word);
        }
        if (!TYPES.contains(name)) {
            throw in.error(word.at(), "unknown type '" + word.content() + "'" + typeHint(name));
        }
        return switch (name) {
            case "decimal" -> decimal();
            case "varchar" -> new ValueType(ValueType.Kind.VARCHAR, length(), 0);
            case "varbinary" -> new ValueType(ValueType.Kind.VARBINARY, length(), 0);
            case "int" -> ValueType.INTEGER;
            default -> new ValueType(ValueType.Kind.valueOf(name.toUpperCase(Locale.ROOT)), 0, 0);
        };
    }

    private static String typeHint(String name) {
        String known = ofOtherLanguage(name);
        String hint = known.isEmpty() ? NearNames.hint(name, TYPES) : "; did you mean '" + known + "'?";
        return hint.isEmpty() ? "; the types are " + String.join(", ", TYPES) : hint;
    }

    private static String ofOtherLanguage(String name) {
        return switch (name) {
            case "bool" -> "boolean";
            case "long" -> "bigint";
            case "smallint" -> "integer";
            case "float", "real" -> "double";
            case "numeric" -> "decimal";
            case "string", "text", "char" -> "varchar";
            case "bytes", "bytea", "blob", "binary" -> "varbinary";
            case "datetime" -> "timestamp";
            default -> "";
        };
    }

    private ValueType decimal() {
        Token at = in.peek();
        if (!in.accept("(")) {
            throw in.expected("'(' and the digits, as in decimal(10,2)", at);
        }
        int precision = number();
        int scale = in.accept(",") ? number() : 0;
        in.expect(")");
        ValueType type = ValueType.decimal(precision, scale);
        String problem = SchemaRules.typeProblem(type);
        if (problem != null) {
            throw in.error(at.at(), type + " needs " + problem);
        }
        return type;
    }

    /** The length in parentheses; 0 if there is none. */
    private int length() {
        if (!in.accept("(")) {
            return 0;
        }
        Token at = in.peek();
        int length = number();
        if (length == 0) {
            throw in.error(at.at(), "a length of 0");
        }
        in.expect(")");
        return length;
    }

    private int number() {
        Token token = in.take();
        try {
            return Integer.parseInt(token.content());
        } catch (NumberFormatException e) {
            throw in.expected("a whole number", token);
        }
    }

    // ---- a default

    /** The bytes of a literal; null for NULL. */
    private byte @Nullable [] defaultOf(ValueType type, String column) {
        Token at = in.peek();
        if (in.accept("null")) {
            return null;
        }
        String text = literal(type);
        try {
            return Values.encode(type, ValueText.parse(type, text, column), column);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(in.error(at.at(), e.getMessage()).getMessage(), e);
        }
    }

    /** The plain text of a literal that a column of the type may have as its default. */
    private String literal(ValueType type) {
        Token token = in.take();
        ValueType.Kind kind = type.kind();
        switch (token.kind()) {
            case NUMBER -> {
                if (isNumber(kind)) {
                    return token.content();
                }
            }
            case SIGN -> {
                if (isNumber(kind)
                        && (token.is("-") || token.is("+"))
                        && in.peek().kind() == Kind.NUMBER) {
                    return token.is("-") ? "-" + in.take().content() : in.take().content();
                }
            }
            case TEXT -> {
                if (!isWholeNumber(kind) && kind != ValueType.Kind.BOOLEAN && kind != ValueType.Kind.VARBINARY) {
                    return token.content();
                }
            }
            case BYTES -> {
                if (kind == ValueType.Kind.VARBINARY) {
                    return token.lower();
                }
            }
            case WORD -> {
                if (kind == ValueType.Kind.BOOLEAN && (token.is("true") || token.is("false"))) {
                    return token.content();
                }
                if (token.is(type.toString()) && in.peek().kind() == Kind.TEXT) {
                    return in.take().content();
                }
            }
            case NAME, END -> {}
        }
        throw in.expected("a default of " + type + " such as " + example(kind), token);
    }

    private static boolean isNumber(ValueType.Kind kind) {
        return isWholeNumber(kind) || kind == ValueType.Kind.DOUBLE;
    }

    /** And decimal numbers: what is no text in any case. */
    private static boolean isWholeNumber(ValueType.Kind kind) {
        return kind == ValueType.Kind.INTEGER || kind == ValueType.Kind.BIGINT || kind == ValueType.Kind.DECIMAL;
    }

    private static String example(ValueType.Kind kind) {
        return switch (kind) {
            case BOOLEAN -> "true";
            case INTEGER, BIGINT -> "42";
            case DOUBLE -> "1.5";
            case DECIMAL -> "1.50";
            case DATE -> "'2026-01-31'";
            case TIME -> "'10:15:30'";
            case TIMESTAMP -> "'2026-01-31 10:15:30'";
            case UUID -> "'00000000-0000-0000-0000-000000000000'";
            case VARBINARY -> "x'00ff'";
            case VARCHAR, UNKNOWN -> "'text'";
        };
    }
}
