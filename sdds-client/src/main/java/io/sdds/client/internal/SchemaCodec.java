package io.sdds.client.internal;

import io.sdds.client.Codec;
import io.sdds.core.row.Schema;

/**
 * A codec of keys or rows whose bytes depend on the schema of the table. A table that is opened with such a codec binds
 * the codec to the schema, and binds it again when the client hears of another version. Unbound, the codec neither
 * encodes nor decodes.
 */
public interface SchemaCodec<T> extends Codec<T> {
    /**
     * The codec of the keys of a table.
     *
     * @throws IllegalArgumentException if the objects have no value of a key column, or have others; also for
     *     {@link Schema#NONE}
     */
    Codec<T> ofKey(Schema schema);

    /**
     * The codec of the values of a table.
     *
     * @throws IllegalArgumentException if the objects do not fit the columns; also for {@link Schema#NONE}
     */
    Codec<T> ofValue(Schema schema);
}
