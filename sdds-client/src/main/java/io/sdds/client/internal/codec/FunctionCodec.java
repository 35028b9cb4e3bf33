package io.sdds.client.internal.codec;

import io.sdds.client.Codec;
import io.sdds.client.internal.SchemaCodec;
import io.sdds.core.row.ValueType;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A codec of two functions.
 *
 * @param types of the columns that have the bytes; null: unknown
 */
public record FunctionCodec<T>(
        Function<? super T, byte[]> encoder,
        Function<byte[], ? extends T> decoder,
        boolean ordered,
        @Nullable List<ValueType> types)
        implements TypedCodec<T> {
    public FunctionCodec {
        Objects.requireNonNull(encoder, "encode");
        Objects.requireNonNull(decoder, "decode");
    }

    /** A codec of bytes that nothing is known of. */
    public static <T> Codec<T> of(
            Function<? super T, byte[]> encode, Function<byte[], ? extends T> decode, boolean ordered) {
        return new FunctionCodec<>(encode, decode, ordered, null);
    }

    /** A codec with the bytes of another one. */
    public static <T, U> Codec<U> map(
            Codec<T> codec,
            Function<? super T, ? extends U> from,
            Function<? super U, ? extends T> to,
            boolean ordered) {
        Objects.requireNonNull(from, "from");
        Objects.requireNonNull(to, "to");
        return codec instanceof SchemaCodec<T> bound
                ? new MappedSchemaCodec<>(bound, from, to, ordered)
                : new FunctionCodec<>(
                        object -> codec.encode(to.apply(object)),
                        bytes -> from.apply(codec.decode(bytes)),
                        ordered,
                        TypedCodec.typesOf(codec));
    }

    @Override
    public byte[] encode(T object) {
        return encoder.apply(object);
    }

    @Override
    public T decode(byte[] bytes) {
        return decoder.apply(bytes);
    }
}
