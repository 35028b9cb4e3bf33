package io.sdds.client.internal;

import io.sdds.client.Codec;
import io.sdds.client.internal.codec.CheckedCodec;
import io.sdds.client.internal.codec.TypedCodec;
import io.sdds.core.row.Column;
import io.sdds.core.row.Schema;
import io.sdds.core.row.ValueType;
import java.util.List;
import java.util.stream.Collectors;

/** Binds codecs to the schema of a table, or checks them against it. {@code Codec.bytes()} is never checked. */
public final class SchemaCodecs {
    private SchemaCodecs() {}

    /**
     * The codec of the keys of a table.
     *
     * @throws IllegalArgumentException if the codec has other columns than the key
     */
    public static <T> Codec<T> ofKey(Schema schema, Codec<T> codec) {
        if (codec instanceof SchemaCodec<T> unbound) {
            return unbound.ofKey(schema);
        }
        if (!schema.exists() || codec.equals(Codec.bytes())) {
            return codec;
        }
        List<ValueType> types = TypedCodec.typesOf(codec);
        List<ValueType> wanted = schema.keyColumns().stream().map(Column::type).toList();
        if (types == null) {
            return CheckedCodec.ofKey(schema, codec);
        }
        if (!fit(types, wanted)) {
            throw new IllegalArgumentException(
                    "the key has the columns " + text(schema.keyColumns()) + ", and the codec of the keys has "
                            + types.stream().map(ValueType::toString).collect(Collectors.joining(", "))
                            + ": use a codec of these types, or Codec.ofRecord");
        }
        return types.equals(wanted) ? codec : CheckedCodec.ofKey(schema, codec);
    }

    /** Whether keys of the types have the bytes of the wanted types, if they are within their lengths. */
    private static boolean fit(List<ValueType> types, List<ValueType> wanted) {
        if (types.size() != wanted.size()) {
            return false;
        }
        for (int k = 0; k < types.size(); k++) {
            if (types.get(k).kind() != wanted.get(k).kind()
                    || types.get(k).scale() != wanted.get(k).scale()) {
                return false;
            }
        }
        return true;
    }

    /**
     * The codec of the values of a table.
     *
     * @throws IllegalArgumentException if what the codec encodes is no row of the schema
     */
    public static <T> Codec<T> ofValue(Schema schema, Codec<T> codec) {
        if (codec instanceof SchemaCodec<T> unbound) {
            return unbound.ofValue(schema);
        }
        if (!schema.exists() || codec.equals(Codec.bytes())) {
            return codec;
        }
        if (TypedCodec.typesOf(codec) != null) {
            throw new IllegalArgumentException("the value is a row of the columns " + text(schema.valueColumns())
                    + ", and the codec of the values makes none: use Codec.ofRecord");
        }
        return CheckedCodec.ofValue(schema, codec);
    }

    private static String text(List<Column> columns) {
        return columns.stream()
                .filter(column -> !column.dropped())
                .map(column -> column.name() + " " + column.type())
                .collect(Collectors.joining(", ", "(", ")"));
    }
}
