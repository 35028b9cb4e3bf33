package io.sdds.cli.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
                        line -> assertThat(line).isEqualTo("4 refused: no field but 'key'"),
                        line -> assertThat(line).startsWith("5 refused: no JSON: "),
                        line -> assertThat(line).isEqualTo("6 1=2"));
    }
}
