package io.sdds.client.internal.codec;

import io.sdds.client.Codec;
import io.sdds.core.row.ValueType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A codec that knows which columns of a key have its bytes. */
public interface TypedCodec<T> extends Codec<T> {
    /** The types of the columns; null: unknown. */
    @Nullable
    List<ValueType> types();

    /** The types of the columns that have the bytes of a codec; null: unknown. */
    static @Nullable List<ValueType> typesOf(Codec<?> codec) {
        if (codec instanceof TypedCodec<?> typed) {
            return typed.types();
        }
        if (codec.equals(Codec.utf8())) {
            return List.of(ValueType.VARCHAR);
        }
        if (codec.equals(Codec.int64())) {
            return List.of(ValueType.BIGINT);
        }
        return codec.equals(Codec.uuid()) ? List.of(ValueType.UUID) : null;
    }
}
