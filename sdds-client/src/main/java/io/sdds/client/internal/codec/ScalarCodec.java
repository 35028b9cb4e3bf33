package io.sdds.client.internal.codec;

import io.sdds.client.Codec;
import io.sdds.core.row.KeyEncoding;
import io.sdds.core.row.SchemaText;
import io.sdds.core.row.ValueType;
import java.math.BigDecimal;
import java.util.List;

/** Values of one type, as a key has them. */
public final class ScalarCodec<T> implements TypedCodec<T> {
    public static final Codec<Integer> INT32 = new ScalarCodec<>(ValueType.INTEGER, Integer.class);

    private final ValueType type;
    private final Class<T> javaClass;
    private final KeyEncoding encoding;

    private ScalarCodec(ValueType type, Class<T> javaClass) {
        this.type = type;
        this.javaClass = javaClass;
        this.encoding = new KeyEncoding(List.of(type));
    }

    /** @throws IllegalArgumentException if there is no such type */
    public static Codec<BigDecimal> decimal(int precision, int scale) {
        return new ScalarCodec<>(SchemaText.parseType("decimal(" + precision + "," + scale + ")"), BigDecimal.class);
    }

    @Override
    public byte[] encode(T object) {
        return encoding.encode(object);
    }

    @Override
    public T decode(byte[] bytes) {
        return javaClass.cast(encoding.decode(bytes)[0]);
    }

    @Override
    public boolean ordered() {
        return true;
    }

    @Override
    public List<ValueType> types() {
        return List.of(type);
    }
}
