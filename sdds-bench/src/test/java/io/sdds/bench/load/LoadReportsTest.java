package io.sdds.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LoadReportsTest {
    private static final LoadResult RESULT = new LoadResult(
            LoadSettings.defaults(),
            new Machine(2, "Some CPU", "Linux", "Some VM", List.of("-XX:+UseSerialGC"), 1 << 30, 0.5),
            10,
            20_000_000,
            2_000_000,
            new Latency(90, 80, 100, 200.5, 300, 400, 5000),
            List.of(1_999_000L, 2_001_000L),
            3,
            0,
            0,
            0,
            0,
            "refused",
            new ClientFigures(100.5, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
            1.02,
            null);

    @Test
    void textStatesWhatAFigureNeeds() {
        assertThat(LoadReports.text("sdds bench hash", RESULT))
                .contains("sdds bench hash", "2 cores, Some CPU", "load 0.50", "-XX:+UseSerialGC")
                .contains("closed loop, read, 2 clients × 100 outstanding", "10.0 s after 5.0 s of warm-up")
                .contains(
                        "2,000,000 operations/s", "p99 200.5", "p99.99 400.0", "3 refused", "100.5 operations a flush");
    }

    @Test
    void longValuesBesideTheLoadHaveLinesOfTheirOwnAndTheirFailuresCount() {
        Latency latency = new Latency(90, 80, 100, 7_000, 300, 400, 5000);
        LoadResult sound = RESULT.withLongPuts(new LongFigures(7, 1 << 20, latency, 0, 0, 0, null));
        LoadResult refused = RESULT.withLongPuts(new LongFigures(7, 1 << 20, latency, 1, 0, 0, "busy"));
        assertThat(LoadReports.text("sdds bench hash", sound)).contains("7 puts, 1,048,576 bytes", "p99 7,000.0");
        assertThat(LoadReports.text("sdds bench hash", refused)).contains("1 refused, 0 timed out", "first: busy");
        assertThat(sound.isSound()).isTrue();
        assertThat(refused.isSound()).isFalse();
    }

    @Test
    void documentHasComponentsByTheirNames() {
        Map<String, Object> document = LoadReports.document("sdds bench hash", RESULT);
        assertThat(document)
                .containsEntry("command", "sdds bench hash")
                .containsEntry("operations_per_second", 2_000_000.0)
                .containsEntry("refused", 3L);
        assertThat(document.get("latency")).asString().contains("p9999_micros=400.0");
        assertThat(document.get("settings")).asString().contains("mode=read", "duration=PT10S", "history=null");
    }
}
