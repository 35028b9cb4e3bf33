package io.sdds.sql.tpch;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/** The statements of TPC-H, written from the standard with its default parameters. */
final class TpchText {
    private static final Pattern TABLE = Pattern.compile("CREATE TABLE (\\w+)");

    private TpchText() {}

    /**
     * A statement that makes a table.
     *
     * @param name of the table
     */
    record Table(String name, String sql) {}

    /**
     * A query.
     *
     * @param number 1 to 22
     * @param name as the standard has it
     */
    record Query(int number, String name, String sql) {}

    static List<Table> tables() {
        return Arrays.stream(resource("tables.sql").split(";\\s*"))
                .map(sql -> new Table(named(sql), sql))
                .toList();
    }

    private static String named(String sql) {
        return TABLE.matcher(sql).results().findFirst().orElseThrow().group(1);
    }

    /** The queries. One has a parameter that depends on the scale factor. */
    static List<Query> queries(double scale) {
        String fraction = new java.math.BigDecimal("0.0001")
                .divide(java.math.BigDecimal.valueOf(scale))
                .toPlainString();
        return Arrays.stream(
                        resource("queries.sql").replace("${fraction}", fraction).split(";\\s*"))
                .map(TpchText::query)
                .toList();
    }

    private static Query query(String text) {
        int end = text.indexOf('\n');
        int colon = text.indexOf(':');
        int number = Integer.parseInt(text.substring("-- Q".length(), colon));
        String name = text.substring(colon + 1, end).strip();
        return new Query(number, name, text.substring(end + 1).strip());
    }

    private static String resource(String name) {
        try (InputStream file = Objects.requireNonNull(TpchText.class.getResourceAsStream("/tpch/" + name), name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
