package io.sdds.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class AlignedRowsTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    private List<String> lines() {
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void linesThatFitAreNotCut() {
        AlignedRows rows = new AlignedRows(out, List.of("name", "n"), 12);
        rows.alignRight(1);
        rows.row(List.of("abcdefgh", "12"));
        rows.finish();
        assertThat(lines()).containsExactly("name       n", "abcdefgh  12");
        assertThat(rows.wasCut()).isFalse();
    }

    @Test
    void widestCellsAreCutToTheWidthOfALine() {
        AlignedRows rows = new AlignedRows(out, List.of("id", "text"), 20);
        rows.row(List.of("1", "x".repeat(50)));
        rows.row(List.of("2", "short"));
        rows.finish();
        assertThat(lines()).containsExactly("id  text", "1   " + "x".repeat(15) + "…", "2   short");
        assertThat(rows.wasCut()).isTrue();
    }

    @Test
    void cellsAfterTheMeasuredOnesAreCutToo() {
        AlignedRows rows = new AlignedRows(out, List.of("text"), 80);
        for (int k = 0; k < AlignedRows.MEASURED_ROWS; k++) {
            rows.row(List.of("1234"));
        }
        rows.row(List.of("𝄞𝄞𝄞𝄞𝄞"));
        rows.finish();
        assertThat(lines()).hasSize(AlignedRows.MEASURED_ROWS + 2).last().isEqualTo("𝄞𝄞𝄞…");
    }

    @Test
    void rowsWithTooManyColumnsBecomeRecords() {
        AlignedRows rows = new AlignedRows(out, List.of("first", "b", "c"), 20);
        rows.row(List.of("x".repeat(9), "y".repeat(9), "z".repeat(30)));
        rows.finish();
        assertThat(lines())
                .containsExactly(
                        "-- 1 --", "first  " + "x".repeat(9), "b      " + "y".repeat(9), "c      " + "z".repeat(30));
        assertThat(rows.wasCut()).isFalse();
    }

    @Test
    void rowsWithoutALimitAreWhole() {
        AlignedRows rows = new AlignedRows(out, List.of("text"));
        rows.row(List.of("x".repeat(500)));
        rows.finish();
        assertThat(lines()).containsExactly("text", "x".repeat(500));
    }
}
