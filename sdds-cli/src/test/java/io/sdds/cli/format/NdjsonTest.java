package io.sdds.cli.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NdjsonTest {
    @Test
    void readsKeyAndValue() throws IOException {
        assertThat(Records.read(Format.NDJSON, "{\"key\":\"a\",\"value\":\"b\"}\n\n{\"value\":5,\"key\":7}"))
                .containsExactly("1 a=b", "3 7=5");
    }

    @Test
    void severalOtherFieldsAreAnObject() throws IOException {
        byte[] content = "{\"id\":\"a\",\"x\":1,\"y\":[true,null]}\n".getBytes(StandardCharsets.UTF_8);
        assertThat(Records.read(Format.NDJSON, content, new Text(false), "id"))
                .containsExactly("1 a={\"x\":1,\"y\":[true,null]}");
    }

    @Test
    void refusesBrokenLinesAndGoesOn() throws IOException {
        assertThat(Records.read(
                        Format.NDJSON,
                        "{\"key\":\n"
                                + "[1]\n"
                                + "{\"value\":1}\n"
                                + "{\"key\":\"k\"}\n"
                                + "{\"key\":1,\"value\":2} x\n"
                                + "{\"key\":1,\"value\":2}\n"))
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("1 refused: no JSON: "),
                        line -> assertThat(line).isEqualTo("2 refused: no JSON object"),
                        line -> assertThat(line).isEqualTo("3 refused: no field 'key'"),
                        line -> assertThat(line).isEqualTo("4 refused: no other field than 'key'"),
                        line -> assertThat(line).startsWith("5 refused: no JSON: "),
                        line -> assertThat(line).isEqualTo("6 1=2"));
    }

    @Test
    void bytesThatAreNoTextAreAnObjectWithHexadecimalDigits() throws IOException {
        List<byte[][]> records = new ArrayList<>();
        records.add(new byte[][] {{(byte) 0xff}, {'v'}});
        assertThat(new String(Records.written(Format.NDJSON, new Text(false), records), StandardCharsets.US_ASCII))
                .isEqualTo("{\"key\":{\"$hex\":\"ff\"},\"value\":\"v\"}\n");
        assertThat(Records.read(Format.NDJSON, "{\"key\":{\"$hex\":\"6b\"},\"value\":{\"$hex\":\"7\"}}\n"))
                .containsExactly("1 refused: '7' is not hexadecimal: an even number of digits 0-9 a-f");
        assertThat(Records.read(Format.NDJSON, "{\"key\":{\"$hex\":\"6b\"},\"value\":{\"$hex\":7}}\n"))
                .containsExactly("1 k={\"$hex\":7}");
    }
}
