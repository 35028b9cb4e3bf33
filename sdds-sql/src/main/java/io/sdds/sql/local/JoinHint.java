package io.sdds.sql.local;

import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import io.sdds.sql.statement.Tokens;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.rel.hint.HintStrategyTable;
import org.apache.calcite.sql.SqlHint;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.jspecify.annotations.Nullable;

/**
 * The hint {@code SDDS_JOIN(form[, rows of a packet, sorted|unsorted[, deterministic]])}, which holds for the joins of
 * its SELECT.
 *
 * @param packetRows rows of the outer table whose keys make one packet
 * @param isSorted whether the keys of a packet are sorted
 */
public record JoinHint(Form form, int packetRows, boolean isSorted) {
    /** How the rows of the second side of a join are read. docs/sql.md tells each. */
    enum Form {
        /** By key, where the equalities give the whole key. */
        LOOKUP,
        /** By one scan with a Bloom filter of the values of the first side. */
        SEMI,
        /** All rows. */
        HASH,
        /** By a scan for each packet of values, which is the distributed nested loop of AMOS-SDDS. */
        PACKETS;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static final String NAME = "SDDS_JOIN";

    /** Registers the hint, because Calcite logs a warning for others. Calcite attaches the hint to no operator. */
    public static final HintStrategyTable STRATEGIES = HintStrategyTable.builder()
            .hintStrategy(NAME, (hint, operator) -> false)
            .build();

    /** The paper's best packet. */
    static final int PACKET_ROWS = 50;

    /** Rows of the outer table whose records are read in one batch. */
    private static final int LOOKUP_ROWS = 1_000;

    private static final int PACKET_ROWS_MAX = 100_000;

    private static final Pattern OPTIONS =
            Pattern.compile("(/\\*\\+[^*]*\\b" + NAME + "\\s*\\()([^()*]*)", Pattern.CASE_INSENSITIVE);

    private static final Pattern NO_NAME =
            Pattern.compile("(^|[,\\s])(\\d|deterministic\\b|merge\\b)", Pattern.CASE_INSENSITIVE);
    private static final String PREFIX = "n";

    /**
     * A statement whose hints the engine can read: its lists are of names, or of numbers, and have not both. So a
     * number becomes a name, by a letter in the place of the blank before it.
     */
    public static String readable(String sql) {
        if (!sql.contains("/*+")) {
            return sql;
        }
        StringBuilder text = new StringBuilder();
        Tokens tokens = new Tokens(sql);
        boolean hasMore = true;
        while (hasMore) {
            int from = tokens.end();
            hasMore = tokens.next();
            text.append(readableBetween(sql.substring(from, tokens.begin()))).append(tokens.text());
        }
        return text.toString();
    }

    /** @param comments and blanks between two tokens */
    private static String readableBetween(String comments) {
        return OPTIONS.matcher(comments)
                .replaceAll(hint -> Matcher.quoteReplacement(hint.group(1) + readableOptions(hint.group(2))));
    }

    private static String readableOptions(String options) {
        return NO_NAME.matcher(options).replaceAll(option -> option.group(1).strip() + PREFIX + option.group(2));
    }

    /** An option as it was written. */
    private static String written(String option) {
        return option.startsWith(PREFIX) ? option.substring(PREFIX.length()) : option;
    }

    /**
     * The hint of a SELECT; null: there is none.
     *
     * @throws StatementEnd if it is wrong
     */
    static @Nullable JoinHint of(SqlSelect select) {
        for (SqlNode node : select.hasHints() ? select.getHints() : SqlNodeList.EMPTY) {
            if (node instanceof SqlHint hint && hint.getName().equalsIgnoreCase(NAME)) {
                return parsed(
                        hint.getOptionList().stream().map(JoinHint::written).toList());
            }
        }
        return null;
    }

    /** A form with its packets as they are without further options. */
    static JoinHint of(Form form) {
        int rows = form == Form.LOOKUP ? LOOKUP_ROWS : form == Form.PACKETS ? PACKET_ROWS : Integer.MAX_VALUE;
        return new JoinHint(form, rows, form == Form.PACKETS);
    }

    private static JoinHint parsed(List<String> options) {
        Form form = options.isEmpty() ? null : form(options.get(0));
        if (form == null) {
            throw wrong("expected lookup, semi, hash or packets");
        }
        if (options.size() > 1 && form != Form.PACKETS) {
            throw wrong("only packets have a size and an order");
        }
        boolean isSorted = true;
        if (options.size() > 2) {
            isSorted = options.get(2).equalsIgnoreCase("sorted");
            if (!isSorted && !options.get(2).equalsIgnoreCase("unsorted")) {
                throw wrong("expected sorted or unsorted, found " + options.get(2));
            }
        }
        if (options.size() > 3 && !options.get(3).equalsIgnoreCase("deterministic")) {
            throw wrong("a statement ends when all bricks have answered: the termination is deterministic");
        }
        if (options.size() > 4) {
            throw wrong("there is nothing behind the termination");
        }
        return options.size() > 1 ? new JoinHint(form, packetRows(options.get(1)), isSorted) : of(form);
    }

    private static @Nullable Form form(String name) {
        return Arrays.stream(Form.values())
                .filter(form -> form.toString().equalsIgnoreCase(name))
                .findFirst()
                .orElse(null);
    }

    private static int packetRows(String digits) {
        if (digits.matches("[1-9]\\d{0,5}") && Integer.parseInt(digits) <= PACKET_ROWS_MAX) {
            return Integer.parseInt(digits);
        }
        throw wrong("a packet has 1 to " + PACKET_ROWS_MAX + " rows, found " + digits);
    }

    /** The end of a statement whose hint cannot be followed. */
    StatementEnd impossible(String why) {
        return new StatementEnd(
                "hint " + NAME + "(" + form + "): the join cannot be done so: " + why, SqlErrors.SYNTAX);
    }

    private static StatementEnd wrong(String problem) {
        return new StatementEnd("hint " + NAME + ": " + problem, SqlErrors.SYNTAX);
    }
}
