package io.sdds.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.core.Seeds;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.DayOfWeek;
import java.time.Instant;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class CodecTest {
    private final SplittableRandom random = Seeds.random("CodecTest");

    @Test
    void bytesPassWithoutACopy() {
        byte[] bytes = {1, 2, 3};
        assertThat(Codec.bytes().encode(bytes)).isSameAs(bytes);
        assertThat(Codec.bytes().decode(bytes)).isSameAs(bytes);
    }

    @Test
    void int64KeepsTheOrderOfNumbers() {
        long[] edges = {Long.MIN_VALUE, -256, -1, 0, 1, 255, 256, Long.MAX_VALUE};
        for (int k = 0; k < 10_000; k++) {
            long a = k < 8 ? edges[k] : random.nextLong();
            long b = random.nextLong() >> random.nextInt(64);
            byte[] left = Codec.int64().encode(a);
            byte[] right = Codec.int64().encode(b);
            assertThat(Integer.signum(Arrays.compareUnsigned(left, right))).isEqualTo(Long.compare(a, b));
            assertThat(Codec.int64().decode(left)).isEqualTo(a);
        }
    }

    @Test
    void uuidKeepsTheOrderOfItsText() {
        for (int k = 0; k < 10_000; k++) {
            UUID a = new UUID(random.nextLong(), random.nextLong());
            UUID b = new UUID(random.nextLong(), random.nextLong());
            byte[] left = Codec.uuid().encode(a);
            assertThat(Arrays.compareUnsigned(left, Codec.uuid().encode(b)) < 0)
                    .isEqualTo(a.toString().compareTo(b.toString()) < 0);
            assertThat(Codec.uuid().decode(left)).isEqualTo(a);
        }
    }

    @Test
    void utf8KeepsTextAndRefusesHalfAPair() {
        for (String text : new String[] {"", "a", "é", "漢字", "😀 grinning", "\0"}) {
            assertThat(Codec.utf8().decode(Codec.utf8().encode(text))).isEqualTo(text);
        }
        for (String text : new String[] {"\ud83d", "a\ude00", "\ude00\ud83d", "\ud83d\ud83d\ude00", "😀\ud83d"}) {
            assertThatIllegalArgumentException().isThrownBy(() -> Codec.utf8().encode(text));
        }
    }

    @Test
    void refusesBytesOfAnotherCodec() {
        assertThatIllegalArgumentException().isThrownBy(() -> Codec.int64().decode(new byte[7]));
        assertThatIllegalArgumentException().isThrownBy(() -> Codec.uuid().decode(new byte[17]));
    }

    @Test
    void int32AndDecimalKeepTheOrderOfNumbers() {
        Codec<BigDecimal> decimals = Codec.decimal(20, 3);
        for (int k = 0; k < 10_000; k++) {
            int a = random.nextInt() >> random.nextInt(32);
            int b = random.nextInt() >> random.nextInt(32);
            byte[] left = Codec.int32().encode(a);
            assertThat(Integer.signum(Arrays.compareUnsigned(left, Codec.int32().encode(b))))
                    .isEqualTo(Integer.compare(a, b));
            assertThat(Codec.int32().decode(left)).isEqualTo(a);
            byte[] decimal = decimals.encode(BigDecimal.valueOf(a, 3));
            assertThat(Integer.signum(Arrays.compareUnsigned(decimal, decimals.encode(BigDecimal.valueOf(b, 3)))))
                    .isEqualTo(Integer.compare(a, b));
            assertThat(decimals.decode(decimal)).isEqualTo(BigDecimal.valueOf(a, 3));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> Codec.decimal(39, 0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Codec.decimal(5, 2).encode(new BigDecimal("1.001")));
        assertThatThrownBy(() -> Codec.int32().decode(new byte[3])).hasMessageContaining("integer");
    }

    @Test
    void enumsAreTheirNames() {
        Codec<DayOfWeek> days = Codec.ofEnum(DayOfWeek.class);
        assertThat(days.encode(DayOfWeek.MONDAY)).isEqualTo(Codec.utf8().encode("MONDAY"));
        assertThat(days.decode(Codec.utf8().encode("SUNDAY"))).isEqualTo(DayOfWeek.SUNDAY);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> days.decode(Codec.utf8().encode("SUNDY")))
                .withMessage("DayOfWeek has no constant 'SUNDY'; did you mean 'SUNDAY'?");
    }

    @Test
    void functionsMakeCodecsWithAndWithoutOrder() {
        Codec<Instant> times = Codec.int64().mapOrdered(Instant::ofEpochMilli, Instant::toEpochMilli);
        Instant time = Instant.parse("2026-01-31T10:15:30Z");
        assertThat(times.decode(times.encode(time))).isEqualTo(time);
        assertThat(times.ordered()).isTrue();
        assertThat(Codec.utf8().map(URI::create, URI::toString).ordered()).isFalse();
        Codec<String> latin = Codec.of(
                text -> text.getBytes(StandardCharsets.ISO_8859_1),
                bytes -> new String(bytes, StandardCharsets.ISO_8859_1));
        assertThat(latin.decode(latin.encode("é"))).isEqualTo("é");
        assertThat(latin.ordered()).isFalse();
        assertThat(latin.mapOrdered(String::trim, text -> text).ordered()).isFalse();
        assertThat(Codec.ofOrdered((String text) -> new byte[1], bytes -> "").ordered())
                .isTrue();
    }

    private record Reading(String sensor, long time) {}

    @Test
    void compositeKeysHaveTheOrderOfTheirParts() {
        Codec<Reading> keys =
                Codec.composite(Codec.utf8(), Codec.int64(), Reading::sensor, Reading::time, Reading::new);
        assertThat(keys.ordered()).isTrue();
        String[] sensors = {"", "a", "a\0", "a\0b", "a\u0001", "ab", "b"};
        for (int k = 0; k < 10_000; k++) {
            Reading a = new Reading(sensors[random.nextInt(sensors.length)], random.nextInt(-3, 4));
            Reading b = new Reading(sensors[random.nextInt(sensors.length)], random.nextInt(-3, 4));
            int expected = a.sensor().equals(b.sensor())
                    ? Long.compare(a.time(), b.time())
                    : Integer.signum(a.sensor().compareTo(b.sensor()));
            assertThat(Integer.signum(Arrays.compareUnsigned(keys.encode(a), keys.encode(b))))
                    .isEqualTo(expected);
            assertThat(keys.decode(keys.encode(a))).isEqualTo(a);
        }
        Codec<Reading> timeFirst = Codec.composite(
                Codec.int64(), Codec.utf8(), Reading::time, Reading::sensor, (time, name) -> new Reading(name, time));
        assertThat(timeFirst.encode(new Reading("a\0", -1))).hasSize(10);
        assertThat(timeFirst.decode(timeFirst.encode(new Reading("a\0", -1)))).isEqualTo(new Reading("a\0", -1));
        assertThatIllegalArgumentException().isThrownBy(() -> timeFirst.decode(new byte[7]));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Codec.composite(
                        Codec.ofRecord(Reading.class),
                        Codec.int64(),
                        (Reading r) -> r,
                        r -> 1L,
                        (reading, one) -> reading))
                .withMessageContaining("make the whole key one record");
    }
}
