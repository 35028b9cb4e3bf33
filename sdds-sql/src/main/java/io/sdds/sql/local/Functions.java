package io.sdds.sql.local;

import io.sdds.sql.statement.Nodes;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlUnresolvedFunction;
import org.apache.calcite.sql.parser.SqlParserPos;

/** The functions of statements, and what DuckDB has in their place. */
final class Functions {
    /**
     * By the name in SQL: the name in DuckDB, or a text with a parenthesis in which {@code {0}} is the first argument.
     */
    static final Map<String, String> ALL = all();

    /** Aggregates that bricks compute. */
    private static final Set<String> AGGREGATES = Set.of("COUNT", "SUM", "MIN", "MAX", "AVG");

    /** Aggregates that bricks do not compute. */
    private static final Set<String> OTHER_AGGREGATES = Set.of("""
        STDDEV_POP STDDEV_SAMP STDDEV VAR_POP VAR_SAMP VARIANCE COVAR_POP COVAR_SAMP REGR_COUNT REGR_SXX REGR_SYY
        ANY_VALUE BIT_AND BIT_OR BIT_XOR MODE GROUPING GROUPING_ID EVERY SOME LISTAGG APPROX_COUNT_DISTINCT\
        """.split("\\s+"));

    private static final String SAME = """
        ABS EXP CBRT SIGN ROUND SIN COS TAN COT ASIN ACOS ATAN ATAN2 SINH COSH TANH RADIANS
        DEGREES UPPER LOWER REPLACE ASCII REVERSE REPEAT LEFT RIGHT COALESCE NULLIF GREATEST LEAST
        YEAR QUARTER MONTH WEEK DAYOFYEAR DAYOFMONTH HOUR MINUTE SECOND LAST_DAY
        COUNT SUM AVG MIN MAX STDDEV_POP STDDEV_SAMP STDDEV VAR_POP VAR_SAMP VARIANCE COVAR_POP COVAR_SAMP
        REGR_COUNT REGR_SXX REGR_SYY ANY_VALUE BIT_AND BIT_OR BIT_XOR MODE GROUPING GROUPING_ID
        ROW_NUMBER RANK DENSE_RANK PERCENT_RANK CUME_DIST NTILE LAG LEAD FIRST_VALUE LAST_VALUE NTH_VALUE
        POSITION OVERLAY TIMESTAMPADD TIMESTAMPDIFF
        CONCAT CONCAT_WS LPAD RPAD TRANSLATE MD5 SPLIT_PART STRPOS CHR BOOL_AND BOOL_OR STRING_AGG STARTS_WITH
        """;

    private static final String RENAMED = """
        SQRT=sdds_sqrt LN=sdds_ln LOG10=sdds_log10 POWER=sdds_power INITCAP=sdds_initcap LENGTH=length
        LTRIM=ltrim RTRIM=rtrim CONCAT_FUNCTION=concat TRANSLATE3=translate CHAR_LENGTH=length
        CHARACTER_LENGTH=length TRUNCATE=trunc RAND=random SUBSTRING=sdds_substring SUBSTR=sdds_substring
        UTF8=decode SDDS_AVG=sdds_avg SDDS_DIGITS=sdds_digits SDDS_QUOTIENT=sdds_quotient
        SDDS_LARGE_QUOTIENT=sdds_large_quotient PI=pi EVERY=bool_and SOME=bool_or LISTAGG=string_agg
        """;

    /** The remainder in DuckDB, also of the smallest number by -1. */
    static final String REMAINDER = "sdds_mod";

    /** The hexadecimal digits of bytes. */
    static final SqlFunction HEXADECIMAL = own("SDDS_HEX");

    /** The exact average of whole numbers, of their sum and their number. */
    static final SqlFunction AVERAGE = own("SDDS_AVG");

    /** The 15 digits of a floating-point number that are certain. */
    static final SqlFunction DIGITS = own("SDDS_DIGITS");

    /** The exact quotient of two decimal numbers, and the power of ten that makes both whole numbers. */
    static final SqlFunction QUOTIENT = own("SDDS_QUOTIENT");

    static final SqlFunction LARGE_QUOTIENT = own("SDDS_LARGE_QUOTIENT");

    /** A text without the blanks at its end. */
    static final SqlFunction UNFILLED = own("SDDS_UNFILLED");

    /** The aggregate of conditions that is true if one is true, else unknown if one is unknown, else false. */
    static final SqlFunction ANY = own("SDDS_ANY");

    private Functions() {}

    /** A function that no statement can name. */
    private static SqlFunction own(String name) {
        SqlIdentifier id = new SqlIdentifier(name, SqlParserPos.ZERO);
        SqlFunctionCategory category = SqlFunctionCategory.USER_DEFINED_FUNCTION;
        return new SqlUnresolvedFunction(id, null, null, null, null, category);
    }

    /** Whether a function aggregates. */
    static boolean isAggregate(String name) {
        return OTHER_AGGREGATES.contains(name) || AGGREGATES.contains(name);
    }

    /** Whether a function aggregates in a way that bricks do not know. */
    static boolean isOtherAggregate(String name) {
        return OTHER_AGGREGATES.contains(name);
    }

    /** Whether an expression has an aggregate of its own query block. */
    static boolean hasAggregate(SqlNode expression) {
        return Nodes.has(
                expression,
                node -> node instanceof SqlCall call
                        && isAggregate(call.getOperator().getName().toUpperCase(Locale.ROOT)),
                call -> Nodes.isQuery(call) || call.getKind() == SqlKind.OVER);
    }

    private static Map<String, String> all() {
        Map<String, String> all = new HashMap<>();
        for (String name : SAME.split("\\s+")) {
            all.put(name, name.toLowerCase(Locale.ROOT));
        }
        for (String pair : RENAMED.strip().split("\\s+")) {
            all.put(pair.split("=")[0], pair.split("=")[1]);
        }
        all.put("MOD", REMAINDER);
        all.put("RAND_INTEGER", "CAST(floor(random() * {0}) AS INTEGER)");
        all.put("SDDS_HEX", "lower(hex({0}))");
        all.put("SDDS_UNFILLED", "rtrim({0}, ' ')");
        all.put("SDDS_ANY", "sdds_any({0})");
        all.put("DAYOFWEEK", "(dayofweek({0}) + 1)");
        all.put("APPROX_COUNT_DISTINCT", "count(DISTINCT {0})");
        all.put("CURRENT_TIMESTAMP", "(LOCALTIMESTAMP)");
        all.put("LOCALTIMESTAMP", "(LOCALTIMESTAMP)");
        all.put("CURRENT_DATE", "(CAST(LOCALTIMESTAMP AS DATE))");
        all.put("CURRENT_TIME", "(CAST(LOCALTIMESTAMP AS TIME))");
        all.put("LOCALTIME", "(CAST(LOCALTIMESTAMP AS TIME))");
        return Map.copyOf(all);
    }
}
