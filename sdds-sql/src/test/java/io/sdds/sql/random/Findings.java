package io.sdds.sql.random;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What a run has found: how many statements of each verdict, and the shortest statement of each kind of fault. */
final class Findings {
    private static final int DETAIL_MAX = 250;

    private final Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);
    private final Map<KnownFault, Integer> known = new EnumMap<>(KnownFault.class);
    private final Map<String, Example> kinds = new TreeMap<>();

    /** The shortest statement of a kind, and how often the kind was met. */
    private record Example(int count, long seed, String text, String detail) {
        Example and(Example other) {
            Example shorter = other.text.length() < text.length() ? other : this;
            return new Example(count + other.count, shorter.seed, shorter.text, shorter.detail);
        }
    }

    /** Adds the verdict, with the statement as an example unless the answers are equal or the fault is a known one. */
    void add(Verdict verdict, long seed, Statement statement, Answer judge, Answer answer) {
        KnownFault of = verdict == Verdict.EQUAL || verdict == Verdict.NOT_JUDGED
                ? null
                : KnownFault.of(seed, statement, judge, answer);
        if (of != null) {
            known.merge(of, 1, Integer::sum);
            return;
        }
        counts.merge(verdict, 1, Integer::sum);
        if (verdict == Verdict.EQUAL) {
            return;
        }
        String detail = "judge: " + cut(judge) + "\n     sdds: " + cut(answer);
        Answer failing = answer instanceof Answer.Failure ? answer : judge;
        String kind =
                verdict + " " + (failing instanceof Answer.Failure failure ? skeleton(failure) : shape(statement));
        kinds.merge(kind, new Example(1, seed, statement.toString(), detail), Example::and);
    }

    private static String cut(Answer answer) {
        String text = String.valueOf(answer).replace('\n', ' ');
        return text.length() <= DETAIL_MAX ? text : text.substring(0, DETAIL_MAX) + "...";
    }

    /** An error without names and numbers. */
    private static String skeleton(Answer.Failure failure) {
        String text = failure.message()
                .replaceAll("<[^>]*>|'[^']*'|\"[^\"]*\"|\\[[^]]*\\]?|[0-9]+", "#")
                .replace('\n', ' ');
        return failure.state() + " " + text.substring(0, Math.min(90, text.length()));
    }

    /** The words of SQL that a statement has, so that equal kinds of wrong rows meet. */
    private static String shape(Statement statement) {
        String text = statement.text().replaceAll("'[^']*'", "").toUpperCase(Locale.ROOT);
        StringBuilder words = new StringBuilder();
        for (String word : new String[] {
            "INSERT",
            "UPDATE",
            "DELETE",
            "WITH",
            "OVER",
            "UNION",
            "INTERSECT",
            "EXCEPT",
            "ROLLUP",
            "CUBE",
            "GROUPING SETS",
            "GROUP BY",
            "HAVING",
            "DISTINCT",
            "FULL JOIN",
            "LEFT JOIN",
            "RIGHT JOIN",
            "LATERAL",
            "USING",
            "JOIN",
            "EXISTS",
            " ALL (",
            " ANY (",
            " IN (SELECT",
            "(SELECT",
            "LIMIT",
            "LIKE",
            "OVERLAY",
            "INTERVAL",
            "CAST",
            "CASE",
            "COALESCE",
            "NULLIF",
            "?"
        }) {
            if (text.contains(word)) {
                words.append(word.strip()).append(' ');
            }
        }
        return words.toString();
    }

    int count(Verdict verdict) {
        return counts.getOrDefault(verdict, 0);
    }

    int judged() {
        return counts.entrySet().stream()
                .filter(entry -> entry.getKey() != Verdict.NOT_JUDGED)
                .mapToInt(Map.Entry::getValue)
                .sum();
    }

    int faults() {
        return counts.entrySet().stream()
                .filter(entry -> entry.getKey().isFault())
                .mapToInt(Map.Entry::getValue)
                .sum();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder()
                .append(counts)
                .append(", known: ")
                .append(known)
                .append('\n');
        kinds.entrySet().stream()
                .sorted((a, b) -> b.getValue().count() - a.getValue().count())
                .forEach(kind -> text.append(String.format(
                        Locale.ROOT,
                        "%5d  %s%n     %s%n     %s%n     -Dsdds.seed=%d%n",
                        kind.getValue().count(),
                        kind.getKey(),
                        kind.getValue().text(),
                        kind.getValue().detail(),
                        kind.getValue().seed())));
        return text.toString();
    }
}
