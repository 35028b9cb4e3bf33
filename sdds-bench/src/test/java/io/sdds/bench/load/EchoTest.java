package io.sdds.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("it measures")
class EchoTest {
    @Test
    void answersEveryRequest() throws Exception {
        LoadSettings settings = LoadSettings.defaults()
                .withMode(LoadMode.MIXED)
                .withServices(2, 50)
                .withTimes(Duration.ofMillis(50), Duration.ofMillis(150));
        try (Echo echo = Echo.open(settings.valueBytes())) {
            LoadResult result = ClosedLoop.run(settings, echo, LoadProgress.Listener.none());
            assertThat(result.operations()).isPositive();
            assertThat(result.isSound()).isTrue();
        }
    }
}
