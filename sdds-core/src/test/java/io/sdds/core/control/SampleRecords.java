package io.sdds.core.control;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Makes records of any type whose components have an encoding, with values drawn by chance. */
final class SampleRecords {
    private final SplittableRandom random;

    SampleRecords(SplittableRandom random) {
        this.random = random;
    }

    Object make(Type type, int depth) throws ReflectiveOperationException {
        if (type instanceof ParameterizedType list) {
            List<Object> made = new ArrayList<>();
            for (int k = depth > 3 ? 0 : random.nextInt(4); k > 0; k--) {
                made.add(make(list.getActualTypeArguments()[0], depth + 1));
            }
            return made;
        }
        Class<?> raw = (Class<?>) type;
        if (raw.isRecord()) {
            RecordComponent[] components = raw.getRecordComponents();
            Object[] values = new Object[components.length];
            Class<?>[] types = new Class<?>[components.length];
            for (int k = 0; k < values.length; k++) {
                types[k] = components[k].getType();
                values[k] = make(components[k].getGenericType(), depth + 1);
            }
            return raw.getDeclaredConstructor(types).newInstance(values);
        }
        if (raw.isEnum()) {
            return raw.getEnumConstants()[random.nextInt(raw.getEnumConstants().length)];
        }
        return switch (raw.getSimpleName()) {
            case "int", "Integer" -> random.nextInt();
            case "long", "Long" -> random.nextLong();
            case "boolean" -> random.nextBoolean();
            case "byte[]" -> Long.toString(random.nextLong(), 36).getBytes(StandardCharsets.US_ASCII);
            case "String" -> "text\u00e9 " + random.nextInt(1000);
            default -> throw new IllegalArgumentException("no value for " + raw);
        };
    }
}
