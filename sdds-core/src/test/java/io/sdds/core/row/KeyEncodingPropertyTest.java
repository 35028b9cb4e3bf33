package io.sdds.core.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.core.Seeds;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The order of keys is the order of their values, and keys are read as they were written. */
class KeyEncodingPropertyTest {
    private final SplittableRandom random = Seeds.random("KeyEncodingPropertyTest");
    private final RandomRows rows = new RandomRows(random);

    private Object[] values(List<ValueType> types) {
        return types.stream().map(rows::value).toArray();
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // both have the class of the type
    private static int compare(ValueType type, Object a, Object b) {
        return switch (type.kind()) {
            case VARCHAR -> compareCodePoints((String) a, (String) b);
            case VARBINARY -> Arrays.compareUnsigned((byte[]) a, (byte[]) b);
            case DOUBLE -> Double.compare((Double) a + 0.0, (Double) b + 0.0);
            case UUID -> a.toString().compareTo(b.toString());
            default -> ((Comparable) a).compareTo(b);
        };
    }

    /** Not that of String, which puts U+FF00 behind U+1F600. */
    private static int compareCodePoints(String a, String b) {
        return Arrays.compare(a.codePoints().toArray(), b.codePoints().toArray());
    }

    @Test
    void orderOfKeysIsOrderOfValues() {
        for (int round = 0; round < 50_000; round++) {
            List<ValueType> types =
                    Stream.generate(rows::type).limit(1 + random.nextInt(3)).toList();
            Object[] a = values(types);
            Object[] b = random.nextBoolean() ? values(types) : a.clone();
            int changed = random.nextInt(types.size());
            b[changed] = rows.value(types.get(changed));
            int expected = 0;
            for (int k = 0; k < a.length && expected == 0; k++) {
                expected = Integer.signum(compare(types.get(k), a[k], b[k]));
            }
            KeyEncoding keys = new KeyEncoding(types);
            int order = Integer.signum(Arrays.compareUnsigned(keys.encode(a), keys.encode(b)));
            assertThat(order)
                    .as("%s: %s, %s", types, Arrays.deepToString(a), Arrays.deepToString(b))
                    .isEqualTo(expected);
        }
    }

    @Test
    void keysAreReadAsTheyWereWritten() {
        for (int round = 0; round < 20_000; round++) {
            List<ValueType> types =
                    Stream.generate(rows::type).limit(1 + random.nextInt(4)).toList();
            Object[] values = values(types);
            byte[][] stored = new KeyEncoding(types).stored(new KeyEncoding(types).encode(values));
            for (int k = 0; k < values.length; k++) {
                assertThat(stored[k]).isEqualTo(Values.encode(types.get(k), values[k], null));
            }
        }
    }

    @Test
    void damagedKeysAreRefusedOrReadButNeverOutOfBounds() {
        int refused = 0;
        for (int round = 0; round < 50_000; round++) {
            List<ValueType> types =
                    Stream.generate(rows::type).limit(1 + random.nextInt(3)).toList();
            KeyEncoding keys = new KeyEncoding(types);
            byte[] key = keys.encode(values(types));
            byte[] damaged = Arrays.copyOf(key, random.nextInt(key.length + 3));
            if (damaged.length > 0) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(3);
            }
            try {
                assertThat(keys.decode(damaged)).hasSize(types.size());
            } catch (MalformedRowException e) {
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(1_000);
    }

    @Test
    void orderedBitsOfDoublesGoThereAndBack() {
        for (double number : new double[] {0.0, 1.5, -1.5, Double.NaN, Double.NEGATIVE_INFINITY, Double.MIN_VALUE}) {
            assertThat(KeyEncoding.doubleBits(KeyEncoding.ordered(number))).isEqualTo(Values.doubleBits(number));
        }
        assertThat(KeyEncoding.ordered(-0.0)).isEqualTo(KeyEncoding.ordered(0.0));
    }

    @Test
    void theBytesOfAKeyAreThoseThatArePromised() {
        KeyEncoding keys = new KeyEncoding(List.of(ValueType.VARCHAR, ValueType.INTEGER, ValueType.VARCHAR));
        assertThat(keys.encode("a\0b", -1, "\0")).containsExactly('a', 0, 0xff, 'b', 0, 0, 0x7f, 0xff, 0xff, 0xff, 0);
        UUID uuid = new UUID(0x0102030405060708L, 0x090a0b0c0d0e0f10L);
        assertThat(new KeyEncoding(List.of(ValueType.UUID)).encode(uuid))
                .containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
    }

    @Test
    void nullsAndOtherNumbersOfColumnsAreRefused() {
        KeyEncoding keys = KeyEncoding.of(SchemaText.parse("a int key, b int key"));
        assertThatThrownBy(() -> keys.encode(1, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("column 'b': part of a key, which is never null");
        assertThatIllegalArgumentException().isThrownBy(() -> keys.encode(1));
    }
}
