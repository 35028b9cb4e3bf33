package io.sdds.cli.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.core.row.SchemaText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchemaSampleTest {
    private static SchemaSample sample(Format format, boolean hasHeader, String file) throws IOException {
        return SchemaSample.of(format, hasHeader, file.getBytes(StandardCharsets.UTF_8));
    }

    private static String schema(Format format, String file, String... keys) throws IOException {
        return SchemaText.print(sample(format, false, file).schema(List.of(keys)));
    }

    @ParameterizedTest
    @CsvSource({
        "true|False, boolean",
        "0|-5|999999999, integer",
        "1|2000000000, bigint",
        "1|999999999999999999, bigint",
        "1|9999999999999999999, 'decimal(38,0)'",
        "1|2.50|-3.125, 'decimal(38,3)'",
        "0.12345, double",
        "1|1e3, double",
        "0.5|NaN, double",
        "2026-01-31, date",
        "10:15|10:15:30.123456, time",
        "10:15:30.1234567, varchar",
        "2026-01-31 10:15:30|2026-01-31T10:15, timestamp",
        "2026-01-31|2026-01-31 10:15:30, varchar",
        "2026-01-31T10:15:30Z, varchar",
        "0b0e0a7e-1c1e-4ad4-8f4e-1f1c5a1f2a3b, uuid",
        "007, varchar",
        "+5, varchar",
        "1|two, varchar",
        "123456789012345678901234567890123456789012, varchar",
        "' 5 | 6', integer",
        "true|1, varchar"
    })
    void theNarrowestTypeThatTakesAllValuesIsChosen(String values, String type) throws IOException {
        StringBuilder file = new StringBuilder("key,x\n");
        int row = 0;
        for (String value : values.split("\\|")) {
            file.append('k').append(row++).append(',').append(value).append('\n');
        }
        file.append("last,\n");
        assertThat(schema(Format.CSV, file.toString())).isEqualTo("key varchar key, x " + type);
    }

    @Test
    void theFirstColumnWithUniqueValuesIsTheKey() throws IOException {
        String file = "city,\"ssn\",note\nRome,1,a\nRome,2,\"x,\"\"\ny\"\nOslo,3,\n";
        assertThat(schema(Format.CSV, file)).isEqualTo("city varchar, ssn integer key, note varchar");
        assertThat(schema(Format.CSV, file, "CITY", "note"))
                .isEqualTo("city varchar key, ssn integer, note varchar key");
        assertThatThrownBy(() -> schema(Format.CSV, file, "citty"))
                .hasMessage("no column 'citty'; did you mean 'city'?");
        assertThatThrownBy(() -> schema(Format.CSV, "a,b\n1,2\n1,2\n"))
                .hasMessage("no column has a value of its own in each row: name the key, such as --key a,b");
        assertThatThrownBy(() -> schema(Format.CSV, "a\n1.5e3\n")).hasMessageContaining("no column has a value");
    }

    @Test
    void columnsOfTsvAreNumberedUnlessTheFirstLineNamesThem() throws IOException {
        String file = "id\tname\n1\tAda\\tL\n2\t\\N\n";
        assertThat(SchemaText.print(sample(Format.TSV, true, file).schema(List.of())))
                .isEqualTo("id integer key, name varchar");
        assertThat(sample(Format.TSV, true, file).isHeaderLikely()).isFalse();
        assertThat(schema(Format.TSV, file)).isEqualTo("c1 varchar key, c2 varchar");
        assertThat(sample(Format.TSV, false, file).isHeaderLikely()).isTrue();
        assertThat(sample(Format.TSV, false, "1\ta\n2\tb\n").isHeaderLikely()).isFalse();
    }

    @Test
    void fieldsOfNdjsonHaveTheTypesOfTheirJson() throws IOException {
        String file = "{\"id\": 1, \"zip\": \"12345\", \"ok\": true, \"born\": \"2000-02-29\", \"pay\": 1.10}\n"
                + "{\"ID\": 2, \"zip\": null, \"pay\": 3, \"e\": 1e3}\n{\"id\": 3, \"tags\": []}\n";
        SchemaSample sample = sample(Format.NDJSON, false, file);
        assertThat(sample.rows()).isEqualTo(2);
        assertThat(SchemaText.print(sample.schema(List.of())))
                .isEqualTo("id integer key, zip varchar, ok boolean, born date, pay decimal(38,1), e double");
    }

    @Test
    void aHeaderThatMakesNoSchemaIsRefused() {
        assertThatThrownBy(() -> schema(Format.CSV, "a,,c\n1,2,3\n")).hasMessage("line 1: column 2 has no name");
        assertThatThrownBy(() -> schema(Format.CSV, "a,A\n1,2\n")).hasMessage("line 1: column 'A' is there twice");
        assertThatThrownBy(() -> schema(Format.CSV, "")).hasMessage("no row to infer a schema from");
        assertThatThrownBy(() -> schema(Format.CSV, "a,b\n1\n"))
                .hasMessage("no row to infer a schema from: line 2: 1 columns, expected 2");
        assertThatThrownBy(() -> schema(Format.NDJSON, "{\"a\": [1]}\n"))
                .hasMessageContaining("line 1: column 'a': expected a text");
    }

    @Test
    void onlyTheFirstRowsAreLookedAt() throws IOException {
        StringBuilder file = new StringBuilder("\uFEFFid,x\n");
        for (int k = 0; k <= SchemaSample.ROWS_MAX; k++) {
            file.append(k).append(k == SchemaSample.ROWS_MAX ? ",text\n" : ",1\n");
        }
        SchemaSample sample = sample(Format.CSV, false, file.toString());
        assertThat(sample.rows()).isEqualTo(SchemaSample.ROWS_MAX);
        assertThat(SchemaText.print(sample.schema(List.of()))).isEqualTo("id integer key, x integer");
        assertThat(sample.distinct("x")).isEqualTo(1);
    }

    @Test
    void aRowThatTheSampleCutsOffIsLeftOut() throws IOException {
        byte[] begin = new byte[SchemaSample.BYTES_MAX];
        Arrays.fill(begin, (byte) '7');
        byte[] rows = "id,x\n1,2\n".getBytes(StandardCharsets.UTF_8);
        System.arraycopy(rows, 0, begin, 0, rows.length);
        assertThat(SchemaText.print(SchemaSample.of(Format.CSV, false, begin).schema(List.of())))
                .isEqualTo("id integer key, x integer");
    }
}
