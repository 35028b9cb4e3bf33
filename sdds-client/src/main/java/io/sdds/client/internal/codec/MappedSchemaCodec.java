package io.sdds.client.internal.codec;

import io.sdds.client.Codec;
import io.sdds.client.internal.SchemaCodec;
import io.sdds.core.row.Schema;
import java.util.function.Function;

/** Objects of another class with the bytes of a codec whose bytes depend on the schema. */
record MappedSchemaCodec<T, U>(
        SchemaCodec<T> codec,
        Function<? super T, ? extends U> from,
        Function<? super U, ? extends T> to,
        boolean ordered)
        implements SchemaCodec<U> {
    @Override
    public Codec<U> ofKey(Schema schema) {
        return FunctionCodec.map(codec.ofKey(schema), from, to, ordered);
    }

    @Override
    public Codec<U> ofValue(Schema schema) {
        return FunctionCodec.map(codec.ofValue(schema), from, to, ordered);
    }

    @Override
    public byte[] encode(U object) {
        return codec.encode(to.apply(object));
    }

    @Override
    public U decode(byte[] bytes) {
        return from.apply(codec.decode(bytes));
    }
}
