package io.sdds.core.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.core.Seeds;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ValuesTest {
    private static Object read(ValueType type, Object value) {
        return Values.decode(type, Values.encode(type, value, null));
    }

    @Test
    void textOfEachValueIsReadBack() {
        SplittableRandom random = Seeds.random("ValuesTest");
        RandomRows rows = new RandomRows(random);
        for (int round = 0; round < 20_000; round++) {
            ValueType type = rows.type();
            Object value = read(type, rows.value(type));
            String text = ValueText.text(type, value);
            assertThat(Values.encode(type, ValueText.parse(type, text, null), null))
                    .as(type + " " + text)
                    .isEqualTo(Values.encode(type, value, null));
        }
    }

    @Test
    void decimalsAreExactOrRefused() {
        ValueType money = ValueType.decimal(5, 2);
        assertThat(read(money, new BigDecimal("1.5"))).isEqualTo(new BigDecimal("1.50"));
        assertThat(read(money, new BigDecimal("1.5000"))).isEqualTo(new BigDecimal("1.50"));
        assertThat(read(money, new BigDecimal("-999.99"))).isEqualTo(new BigDecimal("-999.99"));
        assertThat(read(money, new BigDecimal("1e2"))).isEqualTo(new BigDecimal("100.00"));
        assertThat(read(money, 7)).isEqualTo(new BigDecimal("7.00"));
        assertThat(read(money, BigInteger.TEN)).isEqualTo(new BigDecimal("10.00"));
        assertThat(read(money, new BigDecimal("0e999999999"))).isEqualTo(new BigDecimal("0.00"));
        for (String text : new String[] {"1000", "1e999999999", "99999"}) {
            assertThatThrownBy(() -> read(money, new BigDecimal(text))).hasMessageContaining("too many digits before");
        }
        for (String text : new String[] {"1.001", "1e-999999999", "0.001"}) {
            assertThatThrownBy(() -> read(money, new BigDecimal(text))).hasMessageContaining("too many digits behind");
        }
        BigDecimal largest =
                new BigDecimal(BigInteger.TEN.pow(38).subtract(BigInteger.ONE).negate());
        assertThat(read(ValueType.decimal(38, 0), largest)).isEqualTo(largest);
    }

    @Test
    void aTextThatIsNoUtf8IsNoValue() {
        byte[] cut = {'a', (byte) 0xc3};
        assertThatThrownBy(() -> Values.decode(ValueType.VARCHAR, cut))
                .isInstanceOf(MalformedRowException.class)
                .hasMessageContaining("no UTF-8");
        assertThat(read(ValueType.VARCHAR, "a\uFFFDb")).isEqualTo("a\uFFFDb");
    }

    @Test
    void thereIsOneZeroAndOneNaN() {
        double otherNaN = Double.longBitsToDouble(0xfff8000000000001L);
        assertThat(Values.encode(ValueType.DOUBLE, -0.0, null)).isEqualTo(Values.encode(ValueType.DOUBLE, 0.0, null));
        assertThat(Values.encode(ValueType.DOUBLE, otherNaN, null))
                .isEqualTo(Values.encode(ValueType.DOUBLE, Double.NaN, null));
    }

    @Test
    void timesAreCutToMicroseconds() {
        assertThat(read(ValueType.TIME, LocalTime.of(1, 2, 3, 4_999))).isEqualTo(LocalTime.of(1, 2, 3, 4_000));
        LocalDateTime early = LocalDateTime.of(1900, 1, 1, 0, 0, 0, 1_999);
        assertThat(read(ValueType.TIMESTAMP, early)).isEqualTo(early.withNano(1_000));
    }

    @Test
    void valuesOutOfRangeAreRefused() {
        assertThatThrownBy(() -> read(ValueType.DATE, LocalDate.MAX)).hasMessageContaining("is no date");
        assertThatThrownBy(() -> read(ValueType.TIMESTAMP, LocalDateTime.MIN)).hasMessageContaining("is no timestamp");
        assertThatThrownBy(() -> read(ValueType.VARCHAR, "a\ud83d"))
                .hasMessageContaining("half a surrogate pair at index 1");
        assertThatThrownBy(() -> Values.encode(new ValueType(ValueType.Kind.VARBINARY, 2, 0), new byte[3], "b"))
                .hasMessage("column 'b': 3 bytes where varbinary(2) has room for 2");
    }

    @Test
    void bytesOfNoValueAreRefused() {
        assertThatThrownBy(() -> Values.decode(ValueType.BOOLEAN, new byte[] {2}))
                .isInstanceOf(MalformedRowException.class);
        assertThatThrownBy(() -> Values.decode(ValueType.TIME, new byte[] {-1, -1, -1, -1, -1, -1, -1, -1}))
                .isInstanceOf(MalformedRowException.class);
        assertThatThrownBy(() -> Values.decode(ValueType.INTEGER, new byte[3]))
                .isInstanceOf(MalformedRowException.class);
    }

    @Test
    void textsOfNoValueAreRefusedWithTheirForm() {
        assertThatThrownBy(() -> ValueText.parse(ValueType.UUID, "1-1-1-1-1", "u"))
                .hasMessageStartingWith("column 'u': '1-1-1-1-1' is no uuid");
        assertThatThrownBy(() -> ValueText.parse(ValueType.BOOLEAN, "yes", null))
                .hasMessage("'yes' is no boolean: expected true or false");
        assertThat(ValueText.parse(ValueType.INTEGER, " 42 ", null)).isEqualTo(42);
        assertThat(ValueText.parse(ValueType.TIMESTAMP, "2026-01-31T10:15", null))
                .isEqualTo(LocalDateTime.of(2026, 1, 31, 10, 15));
    }
}
