package io.sdds.core.row;

import io.sdds.core.row.TextScanner.Token;
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

    private final List<Token> tokens;
    private int next;

    private SchemaText(String text) {
        this.tokens = TextScanner.scan(text);
    }

    /** The schema of a text, version 1. */
    public static Schema parse(String text) {
        SchemaText parser = new SchemaText(text);
        List<Column> columns = new ArrayList<>();
        do {
            Token name = parser.peek();
            Column column = parser.column();
            for (Column other : columns) {
                if (other.name().equalsIgnoreCase(column.name())) {
                    throw error(name.at(), "column '" + column.name() + "' is there twice");
                }
            }
            columns.add(column);
        } while (parser.accept(","));
        parser.expectEnd("',' or the end");
        return Schema.of(columns);
    }

    /** One column, for {@link Schema#add}. */
    public static Column parseColumn(String text) {
        SchemaText parser = new SchemaText(text);
        Column column = parser.column();
        parser.expectEnd("the end");
        return column;
    }

    /** One type, such as {@code decimal(10,2)}. */
    public static ValueType parseType(String text) {
        SchemaText parser = new SchemaText(text);
        ValueType type = parser.type();
        parser.expectEnd("the end");
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
        List<Token> tokens = TextScanner.scan(name.replace('"', ' ').replace('\'', ' '));
        boolean word = tokens.get(0).kind() == TextScanner.Kind.WORD
                && tokens.get(0).text().equals(name);
        return word ? name : '"' + name.replace("\"", "\"\"") + '"';
    }

    // ---- a column

    private Column column() {
        Token name = take();
        if (name.kind() != TextScanner.Kind.WORD && name.kind() != TextScanner.Kind.NAME) {
            throw expected("the name of a column", name);
        }
        Token typeAt = peek();
        ValueType type = type();
        boolean key = false;
        boolean notNull = false;
        byte[] defaultValue = null;
        boolean defaultGiven = false;
        Token at = peek();
        while (at.kind() == TextScanner.Kind.WORD) {
            if (!key && accept("key")) {
                key = true;
            } else if (!notNull && accept("not")) {
                expect("null");
                notNull = true;
            } else if (!defaultGiven && accept("default")) {
                defaultGiven = true;
                defaultValue = defaultOf(type, name.text());
            } else {
                throw error(
                        at.at(),
                        "expected 'key', 'not null', 'default', ',' or the end, found " + at.shown()
                                + NearNames.hint(at.text(), List.of("key", "not null", "default")));
            }
            at = peek();
        }
        if (key && defaultGiven) {
            throw error(name.at(), "column '" + name.text() + "' is part of the key and can't have a default");
        }
        Column column = new Column(
                name.text(),
                type,
                key,
                key || notNull,
                defaultValue != null,
                defaultValue == null ? new byte[0] : defaultValue,
                false);
        String problem = SchemaRules.typeProblem(type);
        if (problem != null) {
            throw error(typeAt.at(), "type " + type + ": " + problem);
        }
        return column;
    }

    private ValueType type() {
        Token word = take();
        String name = word.text().toLowerCase(Locale.ROOT);
        if (word.kind() != TextScanner.Kind.WORD) {
            throw expected("a type (" + String.join(", ", TYPES) + ")", word);
        }
        if (!TYPES.contains(name)) {
            throw error(word.at(), "unknown type '" + word.text() + "'" + typeHint(name));
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
        Token at = peek();
        if (!accept("(")) {
            throw expected("'(' and the digits, as in decimal(10,2)", at);
        }
        int precision = number();
        int scale = accept(",") ? number() : 0;
        expect(")");
        ValueType type = ValueType.decimal(precision, scale);
        String problem = SchemaRules.typeProblem(type);
        if (problem != null) {
            throw error(at.at(), type + " needs " + problem);
        }
        return type;
    }

    /** The length in parentheses; 0 if there is none. */
    private int length() {
        if (!accept("(")) {
            return 0;
        }
        Token at = peek();
        int length = number();
        if (length == 0) {
            throw error(at.at(), "a length of 0");
        }
        expect(")");
        return length;
    }

    private int number() {
        Token token = take();
        try {
            return Integer.parseInt(token.text());
        } catch (NumberFormatException e) {
            throw expected("a whole number", token);
        }
    }

    // ---- a default

    /** The bytes of a literal; null for NULL. */
    private byte @Nullable [] defaultOf(ValueType type, String column) {
        Token at = peek();
        if (accept("null")) {
            return null;
        }
        String text = literal(type);
        try {
            return Values.encode(type, ValueText.parse(type, text, column), column);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(error(at.at(), e.getMessage()).getMessage(), e);
        }
    }

    /** The plain text of a literal that a column of the type may have as its default. */
    private String literal(ValueType type) {
        Token token = take();
        ValueType.Kind kind = type.kind();
        switch (token.kind()) {
            case NUMBER -> {
                if (isNumber(kind)) {
                    return token.text();
                }
            }
            case SIGN -> {
                if (isNumber(kind) && (token.is("-") || token.is("+")) && peek().kind() == TextScanner.Kind.NUMBER) {
                    return token.is("-") ? "-" + take().text() : take().text();
                }
            }
            case TEXT -> {
                if (!isWholeNumber(kind) && kind != ValueType.Kind.BOOLEAN && kind != ValueType.Kind.VARBINARY) {
                    return token.text();
                }
            }
            case BYTES -> {
                if (kind == ValueType.Kind.VARBINARY) {
                    return token.text();
                }
            }
            case WORD -> {
                if (kind == ValueType.Kind.BOOLEAN && (token.is("true") || token.is("false"))) {
                    return token.text();
                }
                if (token.is(type.toString()) && peek().kind() == TextScanner.Kind.TEXT) {
                    return take().text();
                }
            }
            case NAME, END -> {}
        }
        throw expected("a default of " + type + " such as " + example(kind), token);
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

    // ---- tokens

    private Token peek() {
        return tokens.get(next);
    }

    private Token take() {
        Token token = tokens.get(next);
        if (token.kind() != TextScanner.Kind.END) {
            next++;
        }
        return token;
    }

    private boolean accept(String word) {
        if (!peek().is(word)) {
            return false;
        }
        next++;
        return true;
    }

    private void expect(String word) {
        Token token = peek();
        if (!accept(word)) {
            throw expected("'" + word + "'", token);
        }
    }

    private void expectEnd(String what) {
        if (peek().kind() != TextScanner.Kind.END) {
            throw expected(what, peek());
        }
    }

    private static IllegalArgumentException expected(String what, Token found) {
        return error(found.at(), "expected " + what + ", found " + found.shown());
    }

    static IllegalArgumentException error(int at, @Nullable String problem) {
        return new IllegalArgumentException("schema, position " + (at + 1) + ": " + problem);
    }
}
