package io.sdds.sim.fault;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Records of any type with numbers that a decoder takes and nobody expects: small ones, the ends of their ranges, and
 * any. Their texts name nothing.
 */
public final class RandomRecords {
    private static final int DEPTH_MAX = 3;
    private static final int LIST_MAX = 4;
    private static final int SMALL = 6;

    private final RandomGenerator random;

    public RandomRecords(RandomGenerator random) {
        this.random = random;
    }

    /** A record of a type. */
    public <T> T make(Class<T> type) {
        return type.cast(make(type, 0));
    }

    private Object make(Type type, int depth) {
        if (type instanceof ParameterizedType list) {
            List<Object> made = new ArrayList<>();
            for (int k = depth > DEPTH_MAX ? 0 : random.nextInt(LIST_MAX); k > 0; k--) {
                made.add(make(list.getActualTypeArguments()[0], depth + 1));
            }
            return made;
        }
        Class<?> raw = (Class<?>) type;
        if (raw.isRecord()) {
            return record(raw, depth);
        }
        if (raw.isEnum()) {
            return raw.getEnumConstants()[random.nextInt(raw.getEnumConstants().length)];
        }
        return switch (raw.getSimpleName()) {
            case "int", "Integer" -> (int) number(Integer.MIN_VALUE, Integer.MAX_VALUE);
            case "long", "Long" -> number(Long.MIN_VALUE, Long.MAX_VALUE);
            case "boolean" -> random.nextBoolean();
            case "byte[]" -> Long.toString(random.nextLong(), 36).getBytes(StandardCharsets.US_ASCII);
            case "String" -> "no such\n" + random.nextInt();
            default -> throw new IllegalArgumentException("no value for " + raw);
        };
    }

    private Object record(Class<?> type, int depth) {
        RecordComponent[] components = type.getRecordComponents();
        Object[] values = new Object[components.length];
        Class<?>[] types = new Class<?>[components.length];
        for (int k = 0; k < values.length; k++) {
            types[k] = components[k].getType();
            values[k] = make(components[k].getGenericType(), depth + 1);
        }
        try {
            return type.getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("can't make a " + type, e);
        }
    }

    /** A small one, one at or beside an end, or any. */
    long number(long least, long most) {
        return switch (random.nextInt(4)) {
            case 0, 1 -> random.nextInt(-1, SMALL);
            case 2 -> random.nextBoolean() ? least + random.nextInt(2) : most - random.nextInt(2);
            default -> most == Integer.MAX_VALUE ? random.nextInt() : random.nextLong();
        };
    }
}
