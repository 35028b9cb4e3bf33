package io.sdds.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.client.Callback;
import io.sdds.testkit.check.HistoryFile;
import io.sdds.testkit.check.LinearizabilityChecker;
import io.sdds.testkit.check.Operation;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("it measures")
class ClosedLoopTest {
    private static final LoadSettings SHORT = LoadSettings.defaults()
            .withServices(3, 7)
            .withRecords(500, 40)
            .withTimes(Duration.ofMillis(20), Duration.ofMillis(500));

    private final ExecutorService loop = Executors.newSingleThreadExecutor();

    @AfterEach
    void stop() {
        loop.shutdownNow();
    }

    @Test
    void readsWhatItWroteBefore() throws Exception {
        MapTarget target = new MapTarget(loop);
        LoadResult result = ClosedLoop.run(SHORT, target, LoadProgress.Listener.none());

        assertThat(target.records).hasSize(500);
        assertThat(result.isSound()).isTrue();
        assertThat(result.operations()).isPositive();
        assertThat(result.operationsPerSecond() * result.seconds())
                .isBetween(result.operations() - 1.0, result.operations() + 1.0);
        assertThat(result.latency().p50Micros())
                .isPositive()
                .isLessThanOrEqualTo(result.latency().maxMicros());
    }

    @Test
    void keepsAsManyOutstandingAsAsked() throws Exception {
        MapTarget target = new MapTarget(loop);
        ClosedLoop.run(SHORT.withRecords(1, 40), target, LoadProgress.Listener.none());

        assertThat(target.outstandingMost).hasValueBetween(20, 21);
        assertThat(target.outstanding).hasValue(0);
    }

    @Test
    void targetThatAnswersAtOnceCausesNoRecursion() throws Exception {
        MapTarget target = new MapTarget(Runnable::run);
        LoadSettings one = SHORT.withServices(1, 1);
        AtomicInteger operations = new AtomicInteger();
        LoadTarget counting = new LoadTarget() {
            @Override
            public void get(byte[] key, Callback<Object> callback) {
                // One lane never gives the thread back: from here on answers come from the loop.
                if (operations.incrementAndGet() < 100_000) {
                    target.get(key, callback);
                } else {
                    loop.execute(() -> target.get(key, callback));
                }
            }

            @Override
            public void put(byte[] key, byte[] value, Callback<Object> callback) {
                loop.execute(() -> target.put(key, value, callback));
            }
        };
        assertThat(ClosedLoop.run(one, counting, LoadProgress.Listener.none()).isSound())
                .isTrue();
        assertThat(operations.get()).isGreaterThan(100_000);
    }

    @Test
    void tellsMissingAndWrongValues() throws Exception {
        MapTarget target = new MapTarget(loop) {
            @Override
            public void get(byte[] key, Callback<Object> callback) {
                records.clear();
                super.get(key, callback);
            }
        };
        LoadResult result = ClosedLoop.run(SHORT, target, LoadProgress.Listener.none());

        assertThat(result.wrong()).isPositive();
        assertThat(result.firstTrouble()).startsWith("no record of key ");
        assertThat(result.isSound()).isFalse();
    }

    @Test
    void goesOnAfterTrouble() throws Exception {
        AtomicInteger operations = new AtomicInteger();
        MapTarget target = new MapTarget(loop) {
            @Override
            public void get(byte[] key, Callback<Object> callback) {
                if (operations.incrementAndGet() % 10 == 0) {
                    throw new IllegalStateException("out of order");
                }
                super.get(key, callback);
            }
        };
        LoadResult result = ClosedLoop.run(SHORT, target, LoadProgress.Listener.none());

        assertThat(result.failed()).isPositive();
        assertThat(result.operations()).isPositive();
        assertThat(result.unanswered()).isZero();
        assertThat(result.firstTrouble()).contains("out of order");
    }

    @Test
    void historyOfAMapIsLinearizable(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("history.jsonl");
        LoadSettings checked = SHORT.withMode(LoadMode.MIXED)
                .withRecords(100, 12)
                .withServices(2, 3)
                .withTimes(Duration.ZERO, Duration.ofMillis(20))
                .withHistory(file);
        LoadResult result = ClosedLoop.run(checked, new MapTarget(loop), LoadProgress.Listener.none());

        List<Operation> history;
        try (BufferedReader in = Files.newBufferedReader(file)) {
            history = new ArrayList<>(HistoryFile.read(in));
        }
        assertThat(history).hasSizeGreaterThanOrEqualTo((int) result.operations() + 100);
        assertThat(LinearizabilityChecker.check(history)).isEmpty();
    }

    @Test
    void refusesSettingsThatMakeNoSense() {
        assertThatThrownBy(() -> SHORT.withServices(0, 1)).hasMessage("clients of 0 is not within 1 to 32768");
        assertThatThrownBy(() -> SHORT.withServices(2, 16_385))
                .hasMessage("pipeline of 16385 is not within 1 to 16384");
        assertThatThrownBy(() -> SHORT.withTimes(Duration.ZERO, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
