package io.sdds.sql.local;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriterConfig;
import org.apache.calcite.sql.pretty.SqlPrettyWriter;

/**
 * A statement in the language of DuckDB.
 *
 * @param parts the text, cut where each shipment is named
 * @param shipments their numbers in the order of the text
 * @param parameters in the order in which the text numbers them
 */
record LocalText(List<String> parts, List<Integer> shipments, List<LocalParameter> parameters) {
    /**
     * Writes a statement that was parsed.
     *
     * @param statement whose tables are {@link Dialect#shipment}s
     * @param original the text of the statement as it was given
     * @param types of the parameters
     */
    static LocalText of(SqlNode statement, String original, List<RelDataType> types) {
        String mark = mark(original);
        SqlWriterConfig config = SqlPrettyWriter.config()
                .withDialect(new Dialect(mark))
                .withAlwaysUseParentheses(true)
                .withSelectListItemsOnSeparateLines(false)
                .withUpdateSetListNewline(false)
                .withIndentation(0)
                .withQuoteAllIdentifiers(true);
        Writer writer = new Writer(config, types);
        String text = writer.format(statement);
        List<String> parts = new ArrayList<>();
        List<Integer> shipments = new ArrayList<>();
        int from = 0;
        for (int at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, from)) {
            parts.add(text.substring(from, at));
            int end = text.indexOf(Dialect.END, at);
            shipments.add(Integer.parseInt(text.substring(at + mark.length(), end)));
            from = end + Dialect.END.length();
        }
        parts.add(text.substring(from));
        return new LocalText(parts, shipments, writer.used);
    }

    /** A mark that stands nowhere in the statement. */
    private static String mark(String original) {
        String mark = "shipment";
        while (original.contains(mark)) {
            mark += "_";
        }
        return mark;
    }

    /** Parameters have the types that the statement was validated with. Each is numbered when it is first named. */
    private static final class Writer extends SqlPrettyWriter {
        private final List<RelDataType> types;
        private final List<LocalParameter> used = new ArrayList<>();

        Writer(SqlWriterConfig config, List<RelDataType> types) {
            super(config);
            this.types = types;
        }

        @Override
        public void dynamicParam(int index) {
            LocalParameter parameter = new LocalParameter(index, types.get(index));
            if (!used.contains(parameter)) {
                used.add(parameter);
            }
            String type = LocalTypes.ofParameter(parameter.type());
            String value = "$" + (used.indexOf(parameter) + 1);
            print(type.isEmpty() ? value : "CAST(" + value + " AS " + type + ")");
            setNeedWhitespace(true);
        }
    }
}
