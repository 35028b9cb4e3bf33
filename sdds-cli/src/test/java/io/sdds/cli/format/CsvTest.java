package io.sdds.cli.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvTest {
    @Test
    void takesTheFirstColumnAsKeyUnlessOneIsNamedSo() throws IOException {
        assertThat(Records.read(Format.CSV, "id,name\n1,one\n2,two\n")).containsExactly("2 1=one", "3 2=two");
        assertThat(Records.read(Format.CSV, "name,key\none,1\n")).containsExactly("2 1=one");
    }

    @Test
    void takesTheColumnThatIsAskedForAsKey() throws IOException {
        byte[] content = "name,number,more\none,1,x\n".getBytes(StandardCharsets.UTF_8);
        assertThat(Records.read(Format.CSV, content, new Text(false), "number"))
                .containsExactly("2 1={\"name\":\"one\",\"more\":\"x\"}");
        assertThatThrownBy(() -> Records.read(Format.CSV, content, new Text(false), "id"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no column 'id'; the columns are name, number, more");
    }

    @Test
    void readsQuotedCells() throws IOException {
        assertThat(Records.read(Format.CSV, "key,value\n\"a,b\",\"say \"\"hi\"\"\"\nc,\"two\nlines\"\nd,e\n"))
                .containsExactly("2 a,b=say \"hi\"", "3 c=two\nlines", "5 d=e");
    }

    @Test
    void refusesBrokenRowsAndGoesOnWithTheNextLine() throws IOException {
        assertThat(Records.read(Format.CSV, "key,value\na\nb,c,d\ne,f\"g\n\"h\"i,j\nk,l\n"))
                .containsExactly(
                        "2 refused: 1 columns, expected 2",
                        "3 refused: 3 columns, expected 2",
                        "4 refused: a quote is never closed",
                        "5 refused: text after a closing quote",
                        "6 k=l");
    }

    @Test
    void aQuoteThatIsNeverClosedCostsItsOwnLineAlone() throws IOException {
        assertThat(Records.read(Format.CSV, "key,value\na,\"b\nc,d\ne,f\n"))
                .containsExactly("2 refused: a quote is never closed", "3 c=d", "4 e=f");
    }

    @ParameterizedTest
    @ValueSource(strings = {"one\n1\n", "\"a,b\n"})
    void refusesAFileWithoutARightHeader(String content) {
        assertThatThrownBy(() -> Records.read(Format.CSV, content))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("line 1: ");
    }

    @Test
    void anEmptyTableIsAHeader() throws IOException {
        assertThat(new String(Records.written(Format.CSV, new Text(false), List.of()), StandardCharsets.UTF_8))
                .isEqualTo("key,value\n");
        assertThat(Records.read(Format.CSV, "")).isEmpty();
    }

    @Test
    void bytesThatAreNoTextAreHexadecimalDigitsBehindABackslash() throws IOException {
        List<byte[][]> records = new ArrayList<>();
        records.add(new byte[][] {{(byte) 0xff}, {'\\', 'x', '4', '1'}});
        byte[] written = Records.written(Format.CSV, new Text(false), records);
        assertThat(new String(written, StandardCharsets.US_ASCII)).isEqualTo("key,value\n\\xff,\\x5c783431\n");
        assertThat(Records.read(Format.CSV, "key,value\n\\x6b,\\x7\n")).containsExactly("2 k=\\x7");
    }
}
