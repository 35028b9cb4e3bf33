package io.sdds.client.internal.query.lang;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.client.internal.routing.KeyBounds;
import io.sdds.core.Seeds;
import io.sdds.core.query.Output;
import io.sdds.core.query.RowEvaluator;
import io.sdds.core.row.Column;
import io.sdds.core.row.KeyEncoding;
import io.sdds.core.row.RowWriter;
import io.sdds.core.row.Schema;
import io.sdds.core.row.SchemaText;
import io.sdds.core.row.ValueType;
import io.sdds.core.row.Values;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Bounds of keys against the program that evaluates the condition for each row. */
class KeyConditionsPropertyTest {
    private static final List<String> TYPES = List.of(
            "boolean",
            "integer",
            "bigint",
            "double",
            "decimal(10,2)",
            "varchar",
            "varchar(2)",
            "varbinary",
            "date",
            "timestamp");
    private static final List<String> SIGNS = List.of("=", "<", "<=", ">", ">=", "<>");
    private static final List<String> PATTERNS = List.of("a%", "ab%", "a", "%b", "a_", "", "%", "é%", "a\u0000%");

    private static final int RUNS = Seeds.part(20_000);

    private final SplittableRandom random = Seeds.random("KeyConditionsPropertyTest");

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    @Test
    void eachRowThatPassesLiesWithinTheBounds() {
        int outside = 0;
        int passed = 0;
        for (int run = 0; run < RUNS; run++) {
            Schema schema = schema();
            List<byte[]> keys = keys(schema);
            String condition = condition(schema);
            Expression read = ExpressionParser.expression("where", condition);
            KeyBounds bounds = KeyConditions.bounds(schema, List.of(read));
            for (byte[] key : keys) {
                boolean passes = passes(schema, read, key);
                boolean isInside = bounds.holds(key);
                assertThat(isInside || !passes)
                        .as(
                                "%s: %s of %s lies in %s",
                                schema, condition, HexFormat.of().formatHex(key), bounds)
                        .isTrue();
                passed += passes ? 1 : 0;
                outside += isInside ? 0 : 1;
            }
        }
        assertThat(passed).isGreaterThan(RUNS * 3 / 4);
        assertThat(outside).isGreaterThan(RUNS * 5);
    }

    /** Conditions on leading columns alone bound exactly the keys that meet them. */
    @Test
    void equalFirstColumnsAndAnIntervalOfTheNextOneAreExact() {
        for (int run = 0; run < 1_000; run++) {
            Schema schema = schema();
            List<byte[]> keys = keys(schema);
            KeyEncoding encoding = KeyEncoding.of(schema);
            int equal = random.nextInt(encoding.columns());
            byte[][] given = encoding.stored(one(keys));
            List<String> tests = new ArrayList<>();
            for (int k = 0; k < equal; k++) {
                tests.add("k" + k + " = " + literal(schema.keyColumns().get(k).type(), given[k]));
            }
            String next = literal(schema.keyColumns().get(equal).type(), given[equal]);
            tests.add("k" + equal + " " + one(SIGNS.subList(0, 5)) + " " + next);
            Expression read = ExpressionParser.expression("where", String.join(" and ", tests));
            KeyBounds bounds = KeyConditions.bounds(schema, List.of(read));
            for (byte[] key : keys) {
                assertThat(bounds.holds(key))
                        .as("%s: %s of %s in %s", schema, tests, HexFormat.of().formatHex(key), bounds)
                        .isEqualTo(passes(schema, read, key));
            }
        }
    }

    @Test
    void castsAndSumsOfConstantsBoundKeysAsConstantsDo() {
        Schema schema = SchemaText.parse("k bigint key, v integer");
        Expression written =
                ExpressionParser.expression("where", "k between cast(1 as bigint) and cast('4' as bigint) + 1");
        Expression plain = ExpressionParser.expression("where", "k between 1 and 5");
        assertThat(KeyConditions.bounds(schema, List.of(written)))
                .isEqualTo(KeyConditions.bounds(schema, List.of(plain)))
                .isNotEqualTo(KeyBounds.ALL);
    }

    private Schema schema() {
        int columns = 1 + random.nextInt(3);
        return SchemaText.parse(IntStream.range(0, columns)
                .mapToObj(k -> "k" + k + " " + one(TYPES) + " key")
                .collect(Collectors.joining(", ", "", ", v integer")));
    }

    private List<byte[]> keys(Schema schema) {
        KeyEncoding encoding = KeyEncoding.of(schema);
        return IntStream.range(0, 30)
                .mapToObj(k -> encoding.encode(schema.keyColumns().stream()
                        .map(column -> value(column.type()))
                        .toArray()))
                .filter(key -> key.length > 0)
                .toList();
    }

    private Object value(ValueType type) {
        return switch (type.kind()) {
            case BOOLEAN -> random.nextBoolean();
            case INTEGER -> one(List.of(Integer.MIN_VALUE, -1, 0, 1, 2, 255, 256, Integer.MAX_VALUE));
            case BIGINT -> one(List.of(Long.MIN_VALUE, -1L, 0L, 1L, 255L, 3_000_000_000L, Long.MAX_VALUE));
            case DOUBLE -> one(List.of(-1.5, -0.0, 0.0, 0.1, 1.0, 255.0, Double.NaN, Double.POSITIVE_INFINITY));
            case DECIMAL ->
                one(List.of(-150L, -1L, 0L, 10L, 100L, 25_500L)).equals(0L)
                        ? BigDecimal.ZERO
                        : BigDecimal.valueOf(random.nextInt(-3, 4) * 50L, 2);
            case VARCHAR ->
                type.precision() > 0 || random.nextBoolean()
                        ? one(List.of("", "a", "b", "ab", "a\u0000", "é"))
                        : one(List.of("abc", "a\u0000\u0000b", "ab\uffff", "\ud83d\ude00", "aé"));
            case VARBINARY ->
                one(List.of("", "a", "ab", "a\u0000", "\u00ff", "\u00ff\u00ff", "a\u00ff"))
                        .getBytes(StandardCharsets.ISO_8859_1);
            case DATE -> LocalDate.of(2026, 1, 1).plusDays(random.nextInt(-3, 4));
            default -> LocalDateTime.of(2026, 1, 1, 0, 0).plusHours(12L * random.nextInt(-3, 4));
        };
    }

    private String literal(ValueType type, byte[] stored) {
        Object value = Values.decode(type, stored);
        return switch (type.kind()) {
            case VARCHAR -> "'" + value + "'";
            case VARBINARY -> "x'" + HexFormat.of().formatHex((byte[]) value) + "'";
            case DOUBLE -> {
                double number = (Double) value;
                yield Double.isNaN(number) || Double.isInfinite(number) ? "1e300" : number + "e0";
            }
            case DATE -> "date '" + value + "'";
            case TIMESTAMP -> "'" + value.toString().replace('T', ' ') + ":00'";
            default -> String.valueOf(value);
        };
    }

    /** A constant that may be of another type than the column. */
    private String constant(ValueType type) {
        return switch (type.kind()) {
            case INTEGER, BIGINT, DECIMAL ->
                one(List.of(
                        "0",
                        "-1",
                        "1",
                        "255",
                        "1.5",
                        "0.50",
                        "-1.00",
                        "3000000000",
                        "1e0",
                        "2147483648",
                        "null",
                        "cast(1 as bigint)",
                        "1 + 1"));
            case DOUBLE -> one(List.of("0", "0.1", "1e-1", "-1.5", "255", "9007199254740993"));
            case VARCHAR ->
                one(List.of(
                        "'a'",
                        "'ab'",
                        "''",
                        "'abc'",
                        "'a\u0000'",
                        "'é'",
                        "x'61'",
                        "x'ff'",
                        "cast('ab' as varchar(2))",
                        "'a' || 'b'"));
            case VARBINARY -> one(List.of("'a'", "x'61'", "x'ff'", "x''", "x'ffff'", "x'6100'"));
            case TIMESTAMP ->
                one(List.of("date '2026-01-01'", "timestamp '2026-01-01 12:00:00'", "timestamp '2025-12-31 12:00:00'"));
            case DATE -> one(List.of("date '2026-01-01'", "date '2026-01-02'", "timestamp '2026-01-01 12:00:00'"));
            default -> one(List.of("true", "false"));
        };
    }

    private String condition(Schema schema) {
        List<String> tests = IntStream.range(0, 1 + random.nextInt(4))
                .mapToObj(k -> test(schema.keyColumns()
                        .get(random.nextInt(schema.keyColumns().size()))))
                .toList();
        return String.join(random.nextInt(8) == 0 ? " or " : " and ", tests);
    }

    private String test(Column column) {
        String name = column.name();
        ValueType type = column.type();
        boolean isText = type.kind() == ValueType.Kind.VARCHAR;
        return switch (random.nextInt(isText ? 9 : 6)) {
            case 0 -> constant(type) + " " + one(SIGNS) + " " + name;
            case 1 -> name + " between " + constant(type) + " and " + constant(type);
            case 2 -> name + " in (" + constant(type) + ", " + constant(type) + ")";
            case 3 -> "not " + name + " = " + constant(type);
            case 4 -> random.nextBoolean() ? "_key >= x'61'" : "key prefix x'80'";
            case 5 -> name + " " + one(SIGNS) + " " + constant(type);
            case 6 -> name + " like '" + one(PATTERNS) + "'";
            case 7 -> name + " prefix '" + one(List.of("", "a", "ab", "a\u0000", "é")) + "'";
            default -> name + " not like '" + one(PATTERNS) + "'";
        };
    }

    private static boolean passes(Schema schema, Expression condition, byte[] key) {
        ProgramBuilder builder = new ProgramBuilder(Scope.of(schema));
        int filter = builder.addCondition("where", condition);
        RowEvaluator evaluator = new RowEvaluator(builder.build(filter, new Output.Project(List.of(filter), 1)));
        return evaluator.add(key, new RowWriter(schema).write(new Object[1]), 1);
    }
}
