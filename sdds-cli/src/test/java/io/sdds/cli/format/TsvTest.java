package io.sdds.cli.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TsvTest {
    @Test
    void readsKeyTabValue() throws IOException {
        assertThat(Records.read(Format.TSV, "a\tb\n\nc\t\nd\te")).containsExactly("1 a=b", "3 c=", "4 d=e");
    }

    @Test
    void readsEscapes() throws IOException {
        assertThat(Records.read(Format.TSV, "a\\tb\tc\\nd\\\\e\\r\n")).containsExactly("1 a\tb=c\nd\\e\r");
    }

    @Test
    void readsLinesOfWindows() throws IOException {
        assertThat(Records.read(Format.TSV, "a\tb\r\nc\td\r\n")).containsExactly("1 a=b", "2 c=d");
    }

    @Test
    void refusesBrokenLinesAndGoesOn() throws IOException {
        assertThat(Records.read(Format.TSV, "nothing\na\tb\tc\n\\x\ty\nends\\\tx\ngood\tline\n"))
                .containsExactly(
                        "1 refused: no tab, expected KEY TAB VALUE",
                        "2 refused: 3 columns, expected 2",
                        "3 refused: unknown escape \\x: \\t, \\n, \\r, \\\\ and \\xff are known",
                        "4 refused: unknown escape \\: \\t, \\n, \\r, \\\\ and \\xff are known",
                        "5 good=line");
    }

    @Test
    void refusesBytesThatAreNoText() throws IOException {
        byte[] content = "a\tb?\n".getBytes(StandardCharsets.US_ASCII);
        content[3] = (byte) 0xff;
        assertThat(Records.read(Format.TSV, content, new Text(false), null))
                .containsExactly("1 refused: bytes 62ff are not UTF-8 text; use --hex");
    }

    @Test
    void readsHexadecimalDigits() throws IOException {
        byte[] content = "6b\t76616c\n6\t00\n6b\tzz\n".getBytes(StandardCharsets.US_ASCII);
        assertThat(Records.read(Format.TSV, content, new Text(true), null))
                .containsExactly(
                        "1 k=val",
                        "2 refused: '6' is not hexadecimal: an even number of digits 0-9 a-f",
                        "3 refused: 'zz' is not hexadecimal: an even number of digits 0-9 a-f");
    }

    @Test
    void takesTheSecondColumnAsKey() throws IOException {
        byte[] content = "value\tkey\n".getBytes(StandardCharsets.US_ASCII);
        assertThat(Records.read(Format.TSV, content, new Text(false), "2")).containsExactly("1 key=value");
        assertThatThrownBy(() -> Records.read(Format.TSV, content, new Text(false), "name"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'name' is not a column of a TSV file");
    }

    @Test
    void passesOverALineThatIsTooLong() throws IOException {
        StringBuilder content = new StringBuilder("a\tb\nlong\t");
        content.repeat("x", LineReader.LINE_BYTES_MAX).append("\nc\td\n");
        assertThat(Records.read(Format.TSV, content.toString()))
                .containsExactly(
                        "1 a=b", "2 refused: the line has more than " + LineReader.LINE_BYTES_MAX + " bytes", "3 c=d");
    }

    @Test
    void writesBytesThatAreNoTextWithEscapesAndReadsThemBack() throws IOException {
        List<byte[][]> records = new ArrayList<>();
        records.add(new byte[][] {{'k'}, {(byte) 0xc3, (byte) 0x28, '\\', 'x', '4', '1', (byte) 0xc3}});
        byte[] written = Records.written(Format.TSV, new Text(false), records);
        assertThat(new String(written, StandardCharsets.US_ASCII)).isEqualTo("k\t\\xc3(\\\\x41\\xc3\n");
    }
}
