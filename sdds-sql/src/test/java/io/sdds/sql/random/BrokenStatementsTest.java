package io.sdds.sql.random;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.Seeds;
import io.sdds.sql.random.Answer.Failure;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * Statements with a word too many, too few, or in the wrong place. Each has rows, or an error that says what is wrong
 * with the statement; none has an error of the engine's own code.
 */
@Order(1)
class BrokenStatementsTest {
    private static final int STATEMENTS =
            Integer.getInteger("sdds.sql.broken", System.getProperty("sdds.soak") == null ? 300 : 20_000);

    private static final int CHANGES_MAX = 3;

    /** Classes of errors of statements and their values: 54 is a limit, 57 is not among them. */
    private static final Set<String> EXPECTED = Set.of("07", "0A", "21", "22", "23", "42", "54");

    /** What only a message of the engine's own code has. */
    private static final Pattern INTERNAL =
            Pattern.compile("java\\.|calcite|Exception|DuckDB|^null$|Assertion|because \"", Pattern.CASE_INSENSITIVE);

    private static final Pattern WORD = Pattern.compile("'[^']*'|\"[^\"]*\"|\\w+|[<>|!=]+|\\S");

    private static final List<String> OTHERS = List.of(
            "NULL",
            "1",
            "0",
            "'a'",
            "''",
            "1.5",
            "TRUE",
            "DATE '2024-01-01'",
            "*",
            "(",
            ")",
            ",",
            "?",
            "NOT",
            "AND",
            "OR",
            "IN",
            "IS",
            "SELECT",
            "FROM",
            "WHERE",
            "GROUP BY",
            "ORDER BY",
            "HAVING",
            "DISTINCT",
            "JOIN",
            "ON",
            "USING",
            "UNION",
            "LIMIT",
            "OFFSET",
            "SUM",
            "COUNT",
            "MAX",
            "ABS",
            "CAST",
            "AS",
            "OVER",
            "PARTITION BY",
            "CASE",
            "WHEN",
            "END",
            "EXISTS",
            "ALL",
            "ANY",
            "LATERAL",
            "VALUES",
            "DEFAULT",
            "t1",
            "t2",
            "x",
            "id",
            "b",
            "s",
            "dt",
            "INTEGER",
            "VARCHAR(3)",
            "INTERVAL '1' DAY",
            "ROW",
            "UNNEST",
            "FILTER",
            "WITHIN GROUP",
            "TABLE",
            "WINDOW",
            "QUALIFY",
            "ARRAY[1, 2]",
            "MAP",
            "CURSOR",
            "GROUPING",
            "CUBE",
            "ROLLUP",
            "FOR",
            "_rowid",
            "t1.*",
            "BETWEEN",
            "LIKE",
            "+",
            "-",
            "/",
            "%",
            "||",
            "=",
            "<>",
            ".",
            ";",
            "--",
            ":",
            "@",
            "$1",
            "[",
            "]",
            "{",
            "}");

    @Test
    void aBrokenStatementHasAnErrorOfTheStatement() throws SQLException {
        long first = Seeds.next("BrokenStatementsTest");
        Generator generator = new Generator(Tables.of(first));
        Map<String, String> faults = new LinkedHashMap<>();
        try (Comparison comparison = new Comparison(generator.tables())) {
            for (long seed = first; seed < first + STATEMENTS; seed++) {
                Statement broken = broken(generator.draw(seed).statement(), new SplittableRandom(seed));
                if (comparison.form(seed).answer(broken) instanceof Failure failure && !isExpected(failure)) {
                    faults.putIfAbsent(kind(failure), seed + ": " + broken + "\n    " + failure);
                }
            }
        }
        faults.values().forEach(System.out::println);
        assertThat(faults).isEmpty();
    }

    private static boolean isExpected(Failure failure) {
        String message = firstMessage(failure);
        return failure.state().length() == 5
                && EXPECTED.contains(failure.state().substring(0, 2))
                && !INTERNAL.matcher(message).find();
    }

    /** What the user reads, without the causes. */
    private static String firstMessage(Failure failure) {
        String text = failure.message().substring(failure.message().indexOf(": ") + 2);
        int end = text.indexOf(" / ");
        return end < 0 ? text : text.substring(0, end);
    }

    private static String kind(Failure failure) {
        return failure.state() + " " + firstMessage(failure).replaceAll("[0-9]+|'[^']*'", "_");
    }

    private static Statement broken(Statement statement, SplittableRandom random) {
        List<String> words = new ArrayList<>(
                WORD.matcher(statement.text()).results().map(MatchResult::group).toList());
        int changes = 1 + random.nextInt(CHANGES_MAX);
        for (int k = 0; k < changes; k++) {
            change(words, random);
        }
        return new Statement(String.join(" ", words), statement.parameters(), false, statement.changed());
    }

    private static void change(List<String> words, SplittableRandom random) {
        int at = random.nextInt(words.size());
        int other = random.nextInt(words.size());
        switch (random.nextInt(6)) {
            case 0 -> words.remove(at);
            case 1 -> words.add(at, words.get(other));
            case 2 -> words.set(at, words.get(other));
            case 3 -> words.add(at, words.remove(other));
            case 4 -> words.add(at, OTHERS.get(random.nextInt(OTHERS.size())));
            default -> words.set(at, OTHERS.get(random.nextInt(OTHERS.size())));
        }
        if (words.isEmpty()) {
            words.add("SELECT");
        }
    }
}
