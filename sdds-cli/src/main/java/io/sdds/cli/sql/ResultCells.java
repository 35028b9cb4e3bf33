package io.sdds.cli.sql;

import io.sdds.cli.format.RowCells;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The cells of the current row of a result. */
final class ResultCells {
    private final RowCells cells;
    private final ResultSet rows;
    private final List<String> labels;
    private final boolean[] isNumber;
    private final boolean[] isBytes;

    ResultCells(RowCells cells, ResultSet rows) throws SQLException {
        this.cells = cells;
        this.rows = rows;
        ResultSetMetaData about = rows.getMetaData();
        int columns = about.getColumnCount();
        labels = new ArrayList<>(columns);
        isNumber = new boolean[columns];
        isBytes = new boolean[columns];
        for (int k = 0; k < columns; k++) {
            labels.add(about.getColumnLabel(k + 1));
            int type = about.getColumnType(k + 1);
            isNumber[k] = isNumberType(type);
            isBytes[k] = isBytesType(type);
        }
    }

    /** Names of the columns. A name may occur more than once. */
    List<String> labels() {
        return labels;
    }

    boolean isNumber(int column) {
        return isNumber[column];
    }

    /** Names of the columns. A number tells columns of the same name apart. */
    List<String> uniqueLabels() {
        Map<String, Integer> seen = new LinkedHashMap<>();
        List<String> unique = new ArrayList<>(labels.size());
        for (String label : labels) {
            String name = label;
            for (int number = 2; seen.containsKey(name); number++) {
                name = label + "_" + number;
            }
            seen.put(name, 1);
            unique.add(name);
        }
        return unique;
    }

    /** The cells as texts without line ends. */
    List<String> texts() throws SQLException {
        List<String> texts = new ArrayList<>(labels.size());
        for (int k = 0; k < labels.size(); k++) {
            texts.add(cells.cell(value(k), text(k)));
        }
        return texts;
    }

    /** The cells of a row of CSV. NULL has no characters and no quotes. */
    List<String> csv() throws SQLException {
        List<String> texts = new ArrayList<>(labels.size());
        for (int k = 0; k < labels.size(); k++) {
            texts.add(cells.csv(value(k), text(k)));
        }
        return texts;
    }

    /** The value for a JSON document. */
    @Nullable
    Object json(int column) throws SQLException {
        return cells.json(value(column), text(column));
    }

    private @Nullable Object value(int column) throws SQLException {
        return isBytes[column] ? rows.getBytes(column + 1) : rows.getObject(column + 1);
    }

    private @Nullable String text(int column) throws SQLException {
        return isBytes[column] ? null : rows.getString(column + 1);
    }

    private static boolean isNumberType(int type) {
        return switch (type) {
            case Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT -> true;
            case Types.REAL, Types.FLOAT, Types.DOUBLE, Types.DECIMAL, Types.NUMERIC -> true;
            default -> false;
        };
    }

    private static boolean isBytesType(int type) {
        return switch (type) {
            case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB -> true;
            default -> false;
        };
    }
}
