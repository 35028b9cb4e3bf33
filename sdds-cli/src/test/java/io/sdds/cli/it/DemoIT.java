package io.sdds.cli.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** The first thing a user runs. It loads the machine as much as it can. */
@Order(1)
class DemoIT {
    @Test
    void theQuickDemoFindsEveryRecordExactlyOnce() {
        JsonNode summary = SddsProcess.run("demo", "--quick", "--json").ok().json();
        assertThat(summary.get("ok").booleanValue()).isTrue();
        assertThat(summary.get("right")).isEqualTo(summary.get("records"));
        assertThat(summary.get("partitions").intValue()).isGreaterThan(24);
        assertThat(summary.get("emoticons").intValue()).isEqualTo(80);
        assertThat(summary.get("blocks").intValue()).isGreaterThan(300);
        assertThat(summary.get("operations_per_second").longValue()).isPositive();
    }
}
