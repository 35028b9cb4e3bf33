package io.sdds.core.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.Seeds;
import io.sdds.core.row.SchemaText;
import io.sdds.core.row.ValueType;
import io.sdds.core.row.ValueType.Kind;
import io.sdds.core.row.Values;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CastTextTest {
    private static String cast(String text, ValueType type) {
        byte[] value = CastText.parse(text.getBytes(StandardCharsets.UTF_8), type);
        return value == null ? "none" : Values.decode(type, value).toString();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "boolean       | ` TRUE `                   | true",
                "boolean       | yes                        | none",
                "integer       | +042                       | 42",
                "integer       | -2147483648                | -2147483648",
                "integer       | 2147483648                 | none",
                "integer       | 1.0                        | none",
                "integer       | ``                         | none",
                "integer       | ٣                          | none",
                "bigint        | -9223372036854775808       | -9223372036854775808",
                "bigint        | 9223372036854775808        | none",
                "decimal(4,2)  | 1.005                      | 1.01",
                "decimal(4,2)  | -1.005                     | -1.01",
                "decimal(4,2)  | .5                         | 0.50",
                "decimal(4,2)  | 5.                         | 5.00",
                "decimal(4,2)  | 99.995                     | none",
                "decimal(4,2)  | 1e1                        | none",
                "double        | 1e3                        | 1000.0",
                "double        | -0                         | 0.0",
                "double        | NaN                        | NaN",
                "double        | -Infinity                  | -Infinity",
                "double        | 1e999                      | none",
                "double        | 0x1p3                      | none",
                "double        | 1d                         | none",
                "date          | 2024-02-29                 | 2024-02-29",
                "date          | 2023-02-29                 | none",
                "date          | 0000-01-01                 | none",
                "date          | 2024-2-9                   | none",
                "time          | 23:59                      | 23:59",
                "time          | 23:59:59.000001            | 23:59:59.000001",
                "time          | 24:00                      | none",
                "time          | 12:00:00.1234567           | none",
                "timestamp     | 1969-12-31 23:59:59.999999 | 1969-12-31T23:59:59.999999",
                "timestamp     | 2026-01-31T12:30           | 2026-01-31T12:30",
                "timestamp     | 2026-01-31                 | none",
                "uuid          | 123E4567-E89B-12D3-A456-426614174000 | 123e4567-e89b-12d3-a456-426614174000",
                "uuid          | 1-2-3-4-5                  | none"
            })
    void readsTextsOfTypesAndNothingElse(String type, String text, String value) {
        assertThat(cast(text, SchemaText.parseType(type))).isEqualTo(value);
    }

    @Test
    void readsWhatIsWritten() {
        RandomPrograms programs = new RandomPrograms(Seeds.random("CastTextTest"));
        int read = 0;
        for (int k = 0; k < 20_000; k++) {
            ValueType type = programs.type();
            if (type.kind() != Kind.DOUBLE && type.bytes() != 0) {
                byte[] value = programs.present(type);
                byte[] text = CastText.print(value, type);
                assertThat(text != null || List.of(Kind.DATE, Kind.TIMESTAMP).contains(type.kind()))
                        .isTrue();
                if (text != null) {
                    assertThat(CastText.parse(text, type))
                            .as("%s of %s", new String(text), type)
                            .isEqualTo(value);
                    read++;
                }
            }
        }
        assertThat(read).isGreaterThan(10_000);
    }

    @Test
    void timesAreWrittenWithoutZerosAtTheEndOfTheFraction() {
        assertThat(text(ValueType.TIME, 0)).isEqualTo("00:00:00");
        assertThat(text(ValueType.TIME, 43_200_100_000L)).isEqualTo("12:00:00.1");
        assertThat(text(ValueType.TIMESTAMP, -1)).isEqualTo("1969-12-31 23:59:59.999999");
        assertThat(text(ValueType.TIMESTAMP, Long.MIN_VALUE)).isEqualTo("none");
    }

    private static String text(ValueType type, long micros) {
        byte[] text = CastText.print(RandomPrograms.fixed(micros, Long.BYTES), type);
        return text == null ? "none" : new String(text, StandardCharsets.US_ASCII);
    }
}
