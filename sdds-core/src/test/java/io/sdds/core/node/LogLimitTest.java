package io.sdds.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LogLimitTest {
    private static final long INTERVAL_NANOS = 1000;

    private final LogLimit limit = new LogLimit(3, INTERVAL_NANOS);

    private int written(int lines, long nowNanos) {
        int written = 0;
        for (int k = 0; k < lines; k++) {
            written += limit.admit(nowNanos) == LogLimit.LEAVE_OUT ? 0 : 1;
        }
        return written;
    }

    @Test
    void writesSoManyLinesAnInterval() {
        assertThat(written(9000, 5)).isEqualTo(3);
        assertThat(written(10, 4 + INTERVAL_NANOS)).isZero();
        assertThat(written(10, 5 + INTERVAL_NANOS)).isEqualTo(3);
    }

    @Test
    void tellsOnceHowManyWereLeftOut() {
        written(9000, 5);
        assertThat(limit.admit(5 + INTERVAL_NANOS)).isEqualTo(8997);
        assertThat(limit.admit(5 + INTERVAL_NANOS)).isZero();
    }
}
