package io.sdds.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("it measures")
class OpenLoopTest {
    private static final int RATE = 2_000;
    private static final LoadSettings PACED = LoadSettings.defaults()
            .withRecords(100, 10)
            .withTimes(Duration.ofMillis(100), Duration.ofMillis(900))
            .withRate(RATE);

    private final ExecutorService loop = Executors.newSingleThreadExecutor();

    @AfterEach
    void stop() {
        loop.shutdownNow();
    }

    @Test
    void beginsOperationsAtTheRateAsked() throws Exception {
        LoadResult result = OpenLoop.run(PACED, new MapTarget(loop), LoadProgress.Listener.none());

        assertThat(result.operationsPerSecond()).isBetween(0.5 * RATE, 1.5 * RATE);
        assertThat(result.unanswered()).isZero();
        assertThat(result.isSound()).isTrue();
    }

    @Test
    void stallShowsInEveryOperationThatWasDueInIt() throws Exception {
        LoadProgress.Listener stallOnce = progress -> {
            if (progress.step() == LoadProgress.Step.WARMUP) {
                loop.execute(() -> LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500)));
            }
        };
        LoadResult result = OpenLoop.run(PACED, new MapTarget(loop), stallOnce);

        // Half of the time is stalled: so are half of the operations, by a quarter of a second in the mean.
        assertThat(result.latency().p90Micros()).isGreaterThan(200_000);
        assertThat(result.operations()).isGreaterThan(RATE / 2);
    }
}
