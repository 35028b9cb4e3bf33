package io.sdds.sql.slt;

import io.sdds.sql.slt.SltScript.Command;
import io.sdds.sql.slt.SltScript.Question;
import io.sdds.sql.slt.SltScript.Step;
import io.sdds.testkit.EmbeddedCluster;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Runs scripts on a cluster, each query with and without pushdown. */
final class SltRun implements AutoCloseable {
    /** What we do not have, and whose absence changes no result, unless a query names it. */
    private static final Pattern OTHER_OBJECT =
            Pattern.compile("(?is)\\s*(?:create|drop)\\s+(?:(?:unique|temp|temporary)\\s+)?(index|view|trigger)\\s.*"
                    + "|\\s*(reindex)\\b.*|\\s*if\\s+exists.*");

    /** A table that we cannot make as the script wants it. */
    private static final Pattern UNIQUE = Pattern.compile("(?is)\\s*create\\s+table\\b.*\\bunique\\b.*");

    /** SQLite takes the last value; the standard has no such statement, and other rows follow. */
    private static final Pattern ASSIGNED_TWICE =
            Pattern.compile("(?is)\\s*update\\s+\\w+\\s+set\\s(?:.*,)?\\s*(\\w+)\\s*=.*,\\s*\\1\\s*=.*");

    /** SQLite's word for UPSERT, by unique columns, too. */
    private static final Pattern REPLACE = Pattern.compile("(?is)\\s*(?:replace|insert\\s+or)\\b.*");

    private static final Pattern VIEW = Pattern.compile("(?i)create\\s+(?:temp\\s+|temporary\\s+)?view\\s+(\\w+)");
    private static final Pattern INSERT =
            Pattern.compile("(?is)(\\s*insert\\s+into\\s+[^()']*?)\\bvalues\\s*(\\(.*\\))\\s*");

    private static final Pattern ARITHMETIC_WITH_TEXT = Pattern.compile("No function matches .*'[-+*/]+\\(.*VARCHAR");

    /** As in PostgreSQL, COALESCE of a whole number and an average is a number with a fraction. */
    private static final Pattern MAY_BE_DECIMAL = Pattern.compile("(?s)coalesce.*avg");

    private static final Pattern EMPTY_LIST = Pattern.compile("\\bin\\s*\\(\\s*\\)");

    private static final int MEGABYTES = 256;
    private static final int MERGED_MAX = 40;
    private static final int SHOWN_MAX = 10;

    private final EmbeddedCluster cluster = EmbeddedCluster.start(2);
    private final Connection shipping = DriverManager.getConnection("jdbc:sdds://" + cluster.address());
    private Connection plain = withoutPushdown();
    private int scripts;
    private final SltReport report;
    private final TreeSet<String> views = new TreeSet<>();
    private final List<String> inserts = new ArrayList<>();
    private String insertHead = "";
    private String script = "";

    SltRun(SltReport report) throws SQLException {
        this.report = report;
    }

    /**
     * Runs a script from empty tables.
     *
     * @param isChosen which of its queries are asked; statements are all executed
     */
    void run(String name, List<Step> steps, Predicate<Question> isChosen) throws SQLException {
        script = name;
        report.drawn(steps.size());
        views.clear();
        dropTables();
        plain.close();
        plain = withoutPushdown();
        if (steps.stream()
                .anyMatch(step ->
                        step instanceof Command it && UNIQUE.matcher(it.sql()).matches())) {
            report.skipped("script with UNIQUE", steps.size());
            return;
        }
        for (int k = 0; k < steps.size(); k++) {
            Step step = steps.get(k);
            String other = otherResult(step.sql());
            if (other != null) {
                report.skipped("rest of a script that " + other, steps.size() - k);
                break;
            }
            if (step instanceof Command command) {
                execute(command);
            } else if (isChosen.test((Question) step)) {
                flush();
                ask((Question) step);
            }
        }
        flush();
    }

    /**
     * A connection with a client of its own. The list of tables of another client may be a second old, and have tables
     * of the same names.
     */
    private Connection withoutPushdown() throws SQLException {
        int megabytes = MEGABYTES + scripts++;
        return DriverManager.getConnection(
                "jdbc:sdds://" + cluster.address() + ";pushdown=false;maxMemory=" + megabytes + "m");
    }

    /** What makes a statement of SQLite one that we do not have, and that changes what follows; null: nothing. */
    private static @Nullable String otherResult(String sql) {
        if (REPLACE.matcher(sql).matches()) {
            return "replaces rows";
        }
        return ASSIGNED_TWICE.matcher(sql).matches() ? "assigns a column twice" : null;
    }

    private void dropTables() throws SQLException {
        try (Statement statement = shipping.createStatement()) {
            for (String table : tables()) {
                statement.executeUpdate("DROP TABLE \"" + table + "\"");
            }
        }
    }

    private List<String> tables() {
        return cluster.client().tables().stream().map(table -> table.name()).toList();
    }

    // ---- statements

    private void execute(Command command) throws SQLException {
        Matcher insert = INSERT.matcher(command.sql());
        if (!command.isError() && insert.matches()) {
            if (!insertHead.equals(insert.group(1)) || inserts.size() == MERGED_MAX) {
                flush();
            }
            insertHead = insert.group(1);
            inserts.add(insert.group(2));
            return;
        }
        flush();
        Matcher other = OTHER_OBJECT.matcher(command.sql());
        if (other.matches()) {
            Matcher view = VIEW.matcher(command.sql());
            if (view.lookingAt()) {
                views.add(view.group(1).toLowerCase(Locale.ROOT));
            }
            report.skipped(other.group(1) == null ? "other" : other.group(1).toLowerCase(Locale.ROOT), 1);
            return;
        }
        try {
            update(command.sql());
            if (command.isError()) {
                report.failed(place(command), command.sql(), "no error");
                return;
            }
        } catch (SQLException | RuntimeException e) {
            if (!command.isError()) {
                report.failed(place(command), command.sql(), line(e));
                return;
            }
        }
        report.passed(1);
    }

    /** Rows that stand one after the other in a script are inserted together. */
    private void flush() throws SQLException {
        if (inserts.isEmpty()) {
            return;
        }
        String sql = insertHead + " VALUES " + String.join(", ", inserts);
        try {
            update(sql);
            report.passed(inserts.size());
        } catch (SQLException | RuntimeException e) {
            report.failed(script, sql, line(e));
        }
        inserts.clear();
    }

    private void update(String sql) throws SQLException {
        try (Statement statement = shipping.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    private String place(Step step) {
        return script + ":" + step.line();
    }

    // ---- queries

    /** An answer: values, or an error in one line. */
    private record Answer(List<String> values, @Nullable String error) {}

    private void ask(Question query) throws SQLException {
        String sql = query.sql().toLowerCase(Locale.ROOT);
        if (views.stream().anyMatch(sql::contains)) {
            report.skipped("query of a view", 1);
            return;
        }
        Answer answer = answer(shipping, query);
        Answer unshipped = answer(plain, query);
        boolean isExpected = answer.error() == null && SltValues.areExpected(answer.values(), query);
        boolean isSame = (answer.error() == null) == (unshipped.error() == null)
                && answer.values().equals(unshipped.values());
        if (isSame && isExpected) {
            report.passed(1);
            return;
        }
        if (isSame
                && (isOfSqliteAlone(sql, String.valueOf(answer.error()))
                        || MAY_BE_DECIMAL.matcher(sql).find())) {
            report.skipped("language of SQLite", 1);
            return;
        }
        String shown = isSame ? shown(answer) : "with pushdown " + shown(answer) + ", without " + shown(unshipped);
        report.failed(place(query), query.sql(), shown + ", expected " + query.expected());
    }

    /** Whether a query that is refused is one that PostgreSQL refuses, too. */
    private static boolean isOfSqliteAlone(String sql, String error) {
        return ARITHMETIC_WITH_TEXT.matcher(error).find()
                || error.contains("is not being grouped")
                || EMPTY_LIST.matcher(sql).find() && error.contains("ParseException");
    }

    private static String shown(Answer answer) {
        if (answer.error() != null) {
            return answer.error();
        }
        List<String> values = answer.values();
        return values.size() <= SHOWN_MAX
                ? values.toString()
                : values.size() + " values " + values.subList(0, SHOWN_MAX) + "...";
    }

    private static Answer answer(Connection connection, Question query) {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query.sql())) {
            return new Answer(SltValues.of(result, query), null);
        } catch (SQLException | RuntimeException | StackOverflowError | AssertionError e) {
            return new Answer(List.of(), line(e));
        }
    }

    static String line(Throwable thrown) {
        Throwable cause = thrown;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return String.valueOf(cause).lines().findFirst().orElse("");
    }

    @Override
    public void close() throws SQLException {
        shipping.close();
        plain.close();
        cluster.close();
    }
}
