package io.sdds.sql.job;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The tables of the Internet Movie Database as the join benchmark uses them, with rows that are made up. */
final class ImdbTables {
    private static final int BATCH = 1_000;

    /** One of so many values of a row that is drawn is NULL. */
    private static final int NULLS = 8;

    private static final Map<String, List<String>> COLUMNS = new LinkedHashMap<>();

    static {
        table("aka_name", "person_id name imdb_index name_pcode_cf name_pcode_nf surname_pcode md5sum");
        table(
                "aka_title",
                "movie_id title imdb_index kind_id production_year phonetic_code episode_of_id season_nr episode_nr"
                        + " note md5sum");
        table("cast_info", "person_id movie_id person_role_id note nr_order role_id");
        table("char_name", "name imdb_index imdb_id name_pcode_nf surname_pcode md5sum");
        table("comp_cast_type", "kind");
        table("company_name", "name country_code imdb_id name_pcode_nf name_pcode_sf md5sum");
        table("company_type", "kind");
        table("complete_cast", "movie_id subject_id status_id");
        table("info_type", "info");
        table("keyword", "keyword phonetic_code");
        table("kind_type", "kind");
        table("link_type", "link");
        table("movie_companies", "movie_id company_id company_type_id note");
        table("movie_info", "movie_id info_type_id info note");
        table("movie_info_idx", "movie_id info_type_id info note");
        table("movie_keyword", "movie_id keyword_id");
        table("movie_link", "movie_id linked_movie_id link_type_id");
        table("name", "name imdb_index imdb_id gender name_pcode_cf name_pcode_nf surname_pcode md5sum");
        table("person_info", "person_id info_type_id info note");
        table("role_type", "role");
        table(
                "title",
                "title imdb_index kind_id production_year imdb_id phonetic_code episode_of_id season_nr episode_nr"
                        + " series_years md5sum");
    }

    private final Map<String, List<Map<String, @Nullable String>>> rows = new LinkedHashMap<>();

    private static void table(String name, String columns) {
        COLUMNS.put(name, Arrays.asList(("id " + columns).split(" ")));
    }

    ImdbTables() {
        COLUMNS.keySet().forEach(table -> rows.put(table, new ArrayList<>()));
    }

    static List<String> columns(String table) {
        return COLUMNS.get(table);
    }

    void add(String table, Map<String, @Nullable String> row) {
        rows.get(table).add(row);
    }

    /** Adds rows to each table, with values that other rows have in columns of the same name. */
    void addAtRandom(int count, Random random, IntSupplier next) {
        Map<String, List<String>> known = new HashMap<>();
        rows.values()
                .forEach(all -> all.forEach(row -> row.forEach((column, value) -> {
                    if (value != null) {
                        known.computeIfAbsent(column, key -> new ArrayList<>()).add(value);
                    }
                })));
        rows.forEach((table, all) -> {
            for (int k = 0; k < count; k++) {
                Map<String, @Nullable String> row = new HashMap<>();
                for (String column : columns(table)) {
                    List<String> values = known.getOrDefault(column, List.of());
                    boolean isNull = values.isEmpty() || random.nextInt(NULLS) == 0;
                    row.put(column, isNull ? null : values.get(random.nextInt(values.size())));
                }
                row.put("id", Integer.toString(next.getAsInt()));
                all.add(row);
            }
        });
    }

    /** Makes and fills the tables. */
    void load(Connection connection) throws SQLException {
        for (Map.Entry<String, List<Map<String, @Nullable String>>> entry : rows.entrySet()) {
            String table = entry.getKey();
            List<String> columns = columns(table);
            try (Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE " + table
                        + columns.stream()
                                .map(column -> column + (isNumber(column) ? " INTEGER" : " VARCHAR"))
                                .collect(Collectors.joining(", ", " (", ", PRIMARY KEY (id))")));
            }
            String marks = "?" + ", ?".repeat(columns.size() - 1);
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO " + table + " VALUES (" + marks + ")")) {
                fill(insert, columns, entry.getValue());
            }
            try (Statement statement = connection.createStatement()) {
                statement.execute("ANALYZE " + table);
            }
        }
    }

    private static void fill(PreparedStatement insert, List<String> columns, List<Map<String, @Nullable String>> rows)
            throws SQLException {
        int waiting = 0;
        for (Map<String, @Nullable String> row : rows) {
            for (int k = 0; k < columns.size(); k++) {
                String value = row.get(columns.get(k));
                if (isNumber(columns.get(k))) {
                    insert.setObject(k + 1, value == null ? null : Integer.valueOf(value), Types.INTEGER);
                } else {
                    insert.setString(k + 1, value);
                }
            }
            insert.addBatch();
            if (++waiting % BATCH == 0) {
                insert.executeBatch();
            }
        }
        insert.executeBatch();
    }

    static boolean isNumber(String column) {
        return column.equals("id")
                || column.endsWith("_id")
                || column.endsWith("_nr")
                || column.equals("production_year")
                || column.equals("nr_order");
    }
}
