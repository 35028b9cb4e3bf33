package io.sdds.client.internal.query;

import io.sdds.core.row.NearNames;
import io.sdds.core.row.ValueType;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The columns of the result of a query: their names, which need not differ, and their types. */
public final class RowColumns {
    private final List<String> names;
    private final List<ValueType> types;

    /** Numbers by name as it is written, and by name in lower case; the first column of a name counts. */
    private final Map<String, Integer> numbers = new HashMap<>();

    private final Map<String, Integer> lowerCase = new HashMap<>();

    RowColumns(List<String> names, List<ValueType> types) {
        this.names = List.copyOf(names);
        this.types = List.copyOf(types);
        for (int k = 0; k < names.size(); k++) {
            numbers.putIfAbsent(names.get(k), k);
            lowerCase.putIfAbsent(names.get(k).toLowerCase(Locale.ROOT), k);
        }
    }

    List<String> names() {
        return names;
    }

    int size() {
        return names.size();
    }

    ValueType type(int column) {
        return types.get(column);
    }

    List<ValueType> types() {
        return types;
    }

    /** The number of a column; -1: there is none of the name. */
    int find(String name) {
        Integer number = numbers.get(name);
        if (number == null) {
            number = lowerCase.get(name.toLowerCase(Locale.ROOT));
        }
        return number == null ? -1 : number;
    }

    /** @throws IllegalArgumentException if there is no column of the name; the message suggests a near one */
    int number(String name) {
        int number = find(name);
        if (number < 0) {
            throw new IllegalArgumentException(noColumn(name));
        }
        return number;
    }

    String noColumn(String name) {
        return "the result has no column '" + name + "'" + NearNames.hint(name, names);
    }
}
