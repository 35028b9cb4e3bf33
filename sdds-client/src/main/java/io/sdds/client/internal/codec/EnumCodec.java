package io.sdds.client.internal.codec;

import io.sdds.core.row.NearNames;
import io.sdds.core.row.ValueType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The constants of an enum as the UTF-8 text of their names. */
public final class EnumCodec<E extends Enum<E>> implements TypedCodec<E> {
    private final Class<E> type;
    private final Map<String, E> constants = new HashMap<>();

    public EnumCodec(Class<E> type) {
        this.type = type;
        for (E constant : type.getEnumConstants()) {
            constants.put(constant.name(), constant);
        }
    }

    @Override
    public byte[] encode(E object) {
        return object.name().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public E decode(byte[] bytes) {
        return of(new String(bytes, StandardCharsets.UTF_8));
    }

    /** @throws IllegalArgumentException if no constant has the name */
    E of(String name) {
        E constant = constants.get(name);
        if (constant == null) {
            throw new IllegalArgumentException(type.getSimpleName() + " has no constant '" + name + "'"
                    + NearNames.hint(name, new ArrayList<>(constants.keySet())));
        }
        return constant;
    }

    @Override
    public boolean ordered() {
        return true;
    }

    @Override
    public List<ValueType> types() {
        return List.of(ValueType.VARCHAR);
    }
}
