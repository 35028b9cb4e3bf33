package io.sdds.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TerminalTest {
    @Test
    void writesNumbersForPeople() {
        assertThat(Numbers.count(1_234_567)).isEqualTo("1,234,567");
        assertThat(Numbers.plural(1, "brick")).isEqualTo("1 brick");
        assertThat(Numbers.plural(0, "brick")).isEqualTo("0 bricks");
        assertThat(Numbers.bytes(1023)).isEqualTo("1023 B");
        assertThat(Numbers.bytes(1536)).isEqualTo("1.5 KiB");
        assertThat(Numbers.bytes(200L << 20)).isEqualTo("200 MiB");
        assertThat(Numbers.duration(85_000)).isEqualTo("85 µs");
        assertThat(Numbers.duration(1_250_000)).isEqualTo("1.3 ms");
        assertThat(Numbers.duration(3_400_000_000L)).isEqualTo("3.4 s");
        assertThat(Numbers.duration(125_000_000_000L)).isEqualTo("2 min 5 s");
    }

    @Test
    void alignsColumns() {
        TextTable table = new TextTable(1, "NAME", "COUNT").row("b1", "7").row("größe", "1,000");
        assertThat(table.lines()).containsExactly("NAME   COUNT", "b1         7", "größe  1,000");
        assertThat(new TextTable(1).lines()).isEmpty();
    }

    @Test
    void writesTreesAsJson() {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("text", "a\"b");
        tree.put("list", List.of(1, 2L, 0.5, true, Map.of()));
        tree.put("nothing", null);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Json.print(out, tree);
        assertThat(out.toString(StandardCharsets.UTF_8).replaceAll("\\s", ""))
                .isEqualTo("{\"text\":\"a\\\"b\",\"list\":[1,2,0.5,true,{}],\"nothing\":null}");
    }

    @Test
    void drawsProgressOnTerminalsOnly() {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        long[] nanos = {0};
        try (Progress progress = new Progress(screen(err, true), "load t", 1000, () -> nanos[0])) {
            nanos[0] = 2_000_000_000L;
            progress.at(250, 50_000);
            assertThat(err.toString(StandardCharsets.UTF_8))
                    .contains("load t  █████░░░░░░░░░░░░░░░  25 %  50,000 records  25,000/s  6.0 s left");
        }
        err.reset();
        try (Progress progress = new Progress(screen(err, false), "load t", 1000, () -> nanos[0])) {
            nanos[0] = 9_000_000_000L;
            progress.at(250, 50_000);
        }
        assertThat(err.size()).isZero();
    }

    @Test
    void drawsAgainInPlace() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (LiveView view = new LiveView(new PrintStream(out, true, StandardCharsets.UTF_8))) {
            view.draw(List.of("one", "two"));
            out.reset();
            view.draw(List.of("three"));
            assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("\u001b[2A\rthree\u001b[K\n");
            out.reset();
        }
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("\u001b[?25h");
    }

    private static Screen screen(ByteArrayOutputStream err, boolean terminal) {
        return new Screen(
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                terminal,
                terminal,
                false,
                InputStream.nullInputStream(),
                terminal);
    }
}
