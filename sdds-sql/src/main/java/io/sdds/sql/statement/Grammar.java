package io.sdds.sql.statement;

import io.sdds.sql.run.Planning;
import java.io.IOException;
import java.util.List;
import org.apache.calcite.avatica.util.Casing;
import org.apache.calcite.avatica.util.Quoting;
import org.apache.calcite.sql.SqlExplain;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlInsertKeyword;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.parser.babel.SqlBabelParserImpl;
import org.apache.calcite.sql.validate.SqlConformance;
import org.apache.calcite.sql.validate.SqlConformanceEnum;
import org.apache.calcite.sql.validate.SqlDelegatingConformance;
import org.apache.calcite.util.SourceStringReader;

/** How the text of a statement is parsed. */
public final class Grammar {
    /** What the grammar allows, with arithmetic that reports overflows as bricks do. */
    public static final SqlConformance CONFORMANCE = new SqlDelegatingConformance(SqlConformanceEnum.BABEL) {
        @Override
        public boolean checkedArithmetic() {
            return true;
        }

        /** A statement adds no columns to a table for itself. */
        @Override
        public boolean allowExtend() {
            return false;
        }

        /** A column that is not grouped has no value of a group. */
        @Override
        public boolean isNonStrictGroupBy() {
            return false;
        }

        @Override
        public SelectAliasLookup isSelectAlias() {
            return SelectAliasLookup.UNSUPPORTED;
        }
    };

    /** Calcite's grammar with fewer reserved words. */
    static final SqlParser.Config PARSER = SqlParser.config()
            .withParserFactory(SqlBabelParserImpl.FACTORY)
            .withQuotedCasing(Casing.UNCHANGED)
            .withUnquotedCasing(Casing.UNCHANGED)
            .withQuoting(Quoting.DOUBLE_QUOTE)
            .withConformance(CONFORMANCE)
            .withCaseSensitive(false);

    /** So many characters the parser reads at once. */
    private static final int PART_CHARACTERS = 4_096;

    private static final String UPSERT = "UPSERT";

    private Grammar() {}

    /**
     * The tree of a statement, which no later step descends too deeply, in the words of the standard.
     *
     * @param sql one statement, without a semicolon
     */
    public static SqlNode parse(String sql) throws SqlParseException {
        Tokens first = Tokens.ofStatement(sql);
        SqlNode statement =
                SqlParser.create(new WatchedText(readable(sql, first)), PARSER).parseStmt();
        if (first.is(UPSERT) && stated(statement) instanceof SqlInsert insert) {
            SqlParserPos place = insert.getParserPosition();
            insert.setOperand(0, new SqlNodeList(List.of(SqlInsertKeyword.UPSERT.symbol(place)), place));
        }
        Spellings.replace(statement);
        BalancedTree.balance(statement);
        TreeLimits.check(statement);
        return statement;
    }

    /** A text whose parser asks at each part that it reads whether the statement has to end. */
    private static final class WatchedText extends SourceStringReader {
        WatchedText(String text) {
            super(text);
        }

        @Override
        public int read(char[] into, int offset, int length) throws IOException {
            Planning.check();
            return super.read(into, offset, Math.min(length, PART_CHARACTERS));
        }
    }

    /** The statement itself, of one that is explained. */
    public static SqlNode stated(SqlNode statement) {
        return statement instanceof SqlExplain explain ? explain.getExplicandum() : statement;
    }

    /** The text as the grammar takes it. Places in the text stay. */
    private static String readable(String sql, Tokens first) {
        if (first.is(UPSERT)) {
            // The grammar takes the word for a name.
            return sql.substring(0, first.begin()) + "INSERT" + sql.substring(first.end());
        }
        return first.is("UPDATE") ? DefaultValues.readable(sql) : sql;
    }
}
