package io.sdds.client.internal;

import io.sdds.client.Codec;
import io.sdds.client.internal.routing.RoutedTable;
import io.sdds.core.row.Schema;
import java.util.function.Function;

/**
 * A codec that is bound to the newest schema of a table that the client has heard of, or checked against it
 * ({@link SchemaCodecs}).
 */
final class BoundCodec<T> implements Codec<T> {
    private final RoutedTable table;
    private final Function<Schema, Codec<T>> binding;
    private volatile Bound<T> bound;

    private record Bound<T>(Schema schema, Codec<T> codec) {}

    private BoundCodec(RoutedTable table, Function<Schema, Codec<T>> binding) {
        this.table = table;
        this.binding = binding;
        this.bound = bind(table.schema());
    }

    /**
     * The codec of the keys of a table.
     *
     * @throws IllegalArgumentException if the codec does not fit the schema
     */
    static <T> Codec<T> ofKeys(RoutedTable table, Codec<T> codec) {
        return bound(table, codec, schema -> SchemaCodecs.ofKey(schema, codec));
    }

    /** The codec of the values of a table; like {@link #ofKeys}. */
    static <T> Codec<T> ofValues(RoutedTable table, Codec<T> codec) {
        return bound(table, codec, schema -> SchemaCodecs.ofValue(schema, codec));
    }

    /** The codec itself if the schema has nothing to say about it, so that a table of bytes costs nothing more. */
    private static <T> Codec<T> bound(RoutedTable table, Codec<T> codec, Function<Schema, Codec<T>> binding) {
        boolean isPlain = codec.equals(Codec.bytes()) || !table.schema().exists() && !(codec instanceof SchemaCodec<T>);
        return isPlain ? codec : new BoundCodec<>(table, binding);
    }

    private Bound<T> bind(Schema schema) {
        try {
            return new Bound<>(schema, binding.apply(schema));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("table '" + table.name() + "': " + e.getMessage(), e);
        }
    }

    private Codec<T> codec() {
        Bound<T> now = bound;
        if (now.schema() != table.schema()) {
            now = bind(table.schema());
            bound = now;
        }
        return now.codec();
    }

    @Override
    public byte[] encode(T object) {
        return codec().encode(object);
    }

    @Override
    public T decode(byte[] bytes) {
        return codec().decode(bytes);
    }

    @Override
    public boolean ordered() {
        return codec().ordered();
    }
}
