package io.sdds.cli.sql;

import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;

/** Proposes words of SQL, tables, and the columns of tables. */
final class SqlCompleter implements Completer {
    private static final long FRESH_NANOS = 10_000_000_000L;
    private static final int TABLES_MAX = 200;

    private static final List<String> KEYWORDS = List.of(
            ("ALL ALTER ANALYZE AND AS ASC AVG BETWEEN BIGINT BOOLEAN BY CASE CAST COALESCE COLUMN COUNT CREATE CROSS"
                            + " CURRENT_DATE CURRENT_TIMESTAMP DATE DECIMAL DEFAULT DELETE DESC DISTINCT DOUBLE DROP"
                            + " ELSE END EXCEPT EXISTS EXPLAIN EXTRACT FALSE FETCH FIRST FOR FROM FULL GROUP HAVING IF"
                            + " IN INNER INSERT INTEGER INTERSECT INTERVAL INTO IS JOIN KEY LAST LEFT LIKE LIMIT"
                            + " LOWER MAX MIN NOT NULL NULLS OFFSET ON ONLY OR ORDER OUTER OVER PARTITION PLAN"
                            + " PRIMARY RIGHT ROW ROWS SELECT SET SUBSTRING SUM TABLE THEN TIME TIMESTAMP TRIM TRUE"
                            + " UNION UPDATE UPPER UPSERT USING VALUES VARBINARY VARCHAR WHEN WHERE WITH")
                    .split(" "));

    private final SqlSession session;
    private final TreeMap<String, List<String>> columns = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private long readNanos;
    private boolean isRead;

    SqlCompleter(SqlSession session) {
        this.session = session;
    }

    /** Reads the tables again before the next proposal, because a statement may have changed them. */
    void forget() {
        isRead = false;
    }

    @Override
    public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
        refresh();
        String typed = line.word().substring(0, line.wordCursor());
        List<String> before = line.words().subList(0, line.wordIndex());
        Proposals proposals = new Proposals(typed, candidates);
        if (typed.startsWith("\\")) {
            SqlCommands.HELP.forEach(each -> proposals.add(each.get(0).split(" ")[0], each.get(1)));
            return;
        }
        boolean isCommand = !before.isEmpty() && before.get(0).startsWith("\\");
        String table = table(line);
        if (table != null) {
            columns.getOrDefault(table, List.of()).forEach(each -> proposals.add(each, "column of " + table));
            return;
        }
        columns.keySet().forEach(each -> proposals.add(each, "table"));
        if (isCommand) {
            return;
        }
        // The list of columns is often typed before the table is.
        List<String> named = line.words().stream().filter(columns::containsKey).toList();
        (named.isEmpty() ? columns.keySet() : named)
                .forEach(each -> columns.getOrDefault(each, List.of())
                        .forEach(column -> proposals.add(column, "column of " + each)));
        boolean isLower = !typed.isEmpty() && typed.equals(typed.toLowerCase(Locale.ROOT));
        KEYWORDS.forEach(each -> proposals.add(isLower ? each.toLowerCase(Locale.ROOT) : each, ""));
    }

    /** The words that begin with what was typed, in any case; the line editor would propose others that contain it. */
    private record Proposals(String typed, List<Candidate> candidates) {
        void add(String word, String description) {
            if (word.regionMatches(true, 0, typed, 0, typed.length())) {
                String shown = description.isEmpty() ? null : description;
                candidates.add(new Candidate(word, word, null, shown, null, null, true));
            }
        }
    }

    /** The table in front of a point in front of the word; null if there is none. */
    private @org.jspecify.annotations.Nullable String table(ParsedLine line) {
        int begin = line.cursor() - line.wordCursor();
        boolean hasPoint = begin > 0 && line.line().charAt(begin - 1) == '.';
        return hasPoint && line.wordIndex() > 0 ? line.words().get(line.wordIndex() - 1) : null;
    }

    private void refresh() {
        if (isRead && System.nanoTime() - readNanos < FRESH_NANOS) {
            return;
        }
        try {
            DatabaseMetaData data = session.connection().getMetaData();
            columns.clear();
            for (Tables.Table table : Tables.read(data).all()) {
                List<String> names = new ArrayList<>();
                if (columns.size() < TABLES_MAX) {
                    table.columns(data).forEach(column -> names.add(column.name()));
                }
                columns.put(table.name(), names);
            }
        } catch (SQLException e) {
            // The words of SQL are proposed nevertheless.
        }
        isRead = true;
        readNanos = System.nanoTime();
    }
}
