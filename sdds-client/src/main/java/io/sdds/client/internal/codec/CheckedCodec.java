package io.sdds.client.internal.codec;

import io.sdds.client.Codec;
import io.sdds.core.row.Column;
import io.sdds.core.row.KeyEncoding;
import io.sdds.core.row.MalformedRowException;
import io.sdds.core.row.RowLayout;
import io.sdds.core.row.RowReader;
import io.sdds.core.row.RowWriter;
import io.sdds.core.row.Schema;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A codec of an application in a table with a schema: what it encodes is checked before it is sent.
 *
 * @param check throws if the bytes do not fit the schema
 */
public record CheckedCodec<T>(Codec<T> codec, Consumer<byte[]> check) implements Codec<T> {
    /** Whose bytes must be keys. */
    public static <T> Codec<T> ofKey(Schema schema, Codec<T> codec) {
        KeyEncoding encoding = KeyEncoding.of(schema);
        return new CheckedCodec<>(codec, key -> encoding.encode(encoding.decode(key)));
    }

    /** Whose bytes must be rows. */
    public static <T> Codec<T> ofValue(Schema schema, Codec<T> codec) {
        List<Column> columns = schema.valueColumns();
        RowLayout layout = RowLayout.of(schema);
        RowWriter writer = new RowWriter(schema);
        return new CheckedCodec<>(codec, row -> checkRow(columns, layout, writer, row));
    }

    private static void checkRow(List<Column> columns, RowLayout layout, RowWriter writer, byte[] row) {
        RowReader reader = new RowReader(layout);
        reader.read(row);
        @Nullable Object[] values = new Object[layout.columns()];
        for (int k = 0; k < values.length; k++) {
            values[k] = columns.get(k).dropped() ? null : reader.value(k);
        }
        writer.write(values);
    }

    @Override
    public byte[] encode(T object) {
        byte[] bytes = codec.encode(object);
        try {
            check.accept(bytes);
        } catch (MalformedRowException e) {
            throw new IllegalArgumentException(
                    "the codec's " + bytes.length + " bytes do not fit the schema of the table: " + e.getMessage()
                            + "; use Codec.ofRecord",
                    e);
        }
        return bytes;
    }

    @Override
    public T decode(byte[] bytes) {
        return codec.decode(bytes);
    }

    @Override
    public boolean ordered() {
        return codec.ordered();
    }
}
