package io.sdds.testkit.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HistoryFileTest {
    @Test
    void writesOneObjectALine() throws IOException {
        StringBuilder out = new StringBuilder();
        HistoryFile.write(out, Histories.cas("k\"1", "a\\b", "x\ny", Operation.Result.FALSE, 12, 40));
        HistoryFile.write(out, Histories.unknown(Histories.put("k", "v", 1, 2)));
        assertThat(out.toString()).isEqualTo("""
            {"client":5,"op":"cas","key":"k\\"1","value":"x\\u000ay","expected":"a\\\\b",\
            "result":"false","out":null,"start_ns":12,"end_ns":40}
            {"client":1,"op":"put","key":"k","value":"v","expected":null,"result":"unknown","out":null,\
            "start_ns":1,"end_ns":null}
            """);
    }

    @Test
    void readsBackWhatItWrote() throws IOException {
        List<Operation> history = Histories.ofARegister(new SplittableRandom(1), "k\u0001ä\"\\", 200, 8);
        StringBuilder out = new StringBuilder();
        for (Operation operation : history) {
            HistoryFile.write(out, operation);
        }
        assertThat(HistoryFile.read(new StringReader(out.toString()))).isEqualTo(history);
    }

    @Test
    void namesTheLineThatIsNoOperation() {
        String lines = "\n{\"client\": 1, \"op\": \"jump\", \"key\": \"k\"}\n";
        assertThatThrownBy(() -> HistoryFile.read(new StringReader(lines)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("line 2")
                .hasMessageContaining("jump");
    }
}
