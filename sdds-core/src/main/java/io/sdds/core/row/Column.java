package io.sdds.core.row;

import java.util.Arrays;

/**
 * A column of a table.
 *
 * @param name as it was declared; names are matched without regard to case, and are unique in a schema
 * @param key whether the column is part of the key; key columns are never null and have no default
 * @param notNull whether rows without a value are refused
 * @param hasDefault whether rows that do not name the column get {@code defaultValue}; else they get NULL
 * @param defaultValue the value as a row stores it ({@link ValueType}); empty without a default
 * @param dropped whether the column was dropped. Rows keep its place for ever, and the name is free again
 */
public record Column(
        String name,
        ValueType type,
        boolean key,
        boolean notNull,
        boolean hasDefault,
        byte[] defaultValue,
        boolean dropped) {

    @Override
    public boolean equals(Object other) {
        return other instanceof Column column
                && name.equals(column.name)
                && type.equals(column.type)
                && key == column.key
                && notNull == column.notNull
                && hasDefault == column.hasDefault
                && Arrays.equals(defaultValue, column.defaultValue)
                && dropped == column.dropped;
    }

    @Override
    public int hashCode() {
        return 31 * name.hashCode() + type.hashCode();
    }
}
