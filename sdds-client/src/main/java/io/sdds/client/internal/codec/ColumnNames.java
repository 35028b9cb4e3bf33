package io.sdds.client.internal.codec;

import io.sdds.core.row.Column;
import io.sdds.core.row.NearNames;
import io.sdds.core.row.Schema;
import java.util.List;
import java.util.Locale;

/** Finds the columns of the components of a record. */
final class ColumnNames {
    private ColumnNames() {}

    /**
     * The number of a component's column in a list of columns: that of its name without regard to case, else the one
     * whose name is the same without underscores, too.
     *
     * @param part of the record, for messages: key or value
     * @throws IllegalArgumentException if there is none, or more than one, or the column has another type
     */
    static int find(RecordShape<?> shape, Component component, Schema schema, List<Column> columns, String part) {
        int found = -1;
        for (int k = 0; k < columns.size(); k++) {
            Column column = columns.get(k);
            if (column.dropped()) {
                continue;
            }
            if (column.name().equalsIgnoreCase(component.name())) {
                found = k;
                break;
            }
            if (plain(column.name()).equals(plain(component.name()))) {
                if (found >= 0) {
                    throw misfit(
                            shape,
                            component,
                            "columns '" + columns.get(found).name() + "' and '" + column.name()
                                    + "' both match it: give the component the name of one of them");
                }
                found = k;
            }
        }
        if (found < 0) {
            throw misfit(shape, component, missing(component, schema, columns, part));
        }
        checkType(shape, component, columns.get(found));
        return found;
    }

    private static String missing(Component component, Schema schema, List<Column> columns, String part) {
        for (Column column : schema.liveColumns()) {
            if (plain(column.name()).equals(plain(component.name()))) {
                return "column '" + column.name() + "' is part of the " + (column.key() ? "key" : "value")
                        + ", not of the " + part + ": remove the component";
            }
        }
        List<String> names = columns.stream()
                .filter(column -> !column.dropped())
                .map(Column::name)
                .toList();
        return "the " + part + " has no column '" + component.name() + "'" + NearNames.hint(component.name(), names);
    }

    private static void checkType(RecordShape<?> shape, Component component, Column column) {
        if (!component.takes(column.type())) {
            throw misfit(
                    shape,
                    component,
                    "column '" + column.name() + "' is " + column.type()
                            + ", and the component is " + component.declared().getSimpleName() + ": declare it "
                            + Component.classOf(column.type()));
        }
    }

    static IllegalArgumentException misfit(RecordShape<?> shape, Component component, String problem) {
        return new IllegalArgumentException("component '" + component.name() + "' of " + shape.name() + ": " + problem);
    }

    private static String plain(String name) {
        return name.replace("_", "").toLowerCase(Locale.ROOT);
    }
}
