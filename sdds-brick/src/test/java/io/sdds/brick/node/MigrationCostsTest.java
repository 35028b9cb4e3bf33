package io.sdds.brick.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.model.MigrationCounters;
import io.sdds.core.protocol.Opcode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the source of a migration counts, and reports by its heartbeat when the migration has ended. */
class MigrationCostsTest {
    private static final int RECORDS = 150;
    private static final int WRITES = 1_000;
    private static final String LONG_VALUE = "v".repeat(20_000);

    private final GrowthFixture cluster = GrowthFixture.replicated();

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void writesThatTheTargetIsTooSlowForAreRefusedAndCounted() {
        for (int k = 0; k < RECORDS; k++) {
            cluster.put("key" + k, LONG_VALUE);
        }
        cluster.orderLearner(0, GrowthFixture.SPARE);
        GrowthFixture.Brick target = cluster.bricks.get(GrowthFixture.SPARE);
        long free = target.budget.usedBytes();
        cluster.runUntil("the copy has begun", () -> target.budget.usedBytes() > free);
        target.env.hang();
        for (int k = 0; k < WRITES; k++) {
            cluster.send(Opcode.PUT, 2, k + 1, "key" + k % RECORDS, LONG_VALUE, 0);
            cluster.run(1);
        }
        cluster.run(30_000); // a copy without progress is given up
        cluster.runUntil("the copy is given up", () -> costs().abandoned() > 0);
        assertThat(costs().requestsRefused()).isBetween(1L, (long) WRITES);
        assertThat(costs().longestWaitMicros()).isZero();
    }

    private MigrationCounters costs() {
        return cluster.costs.get(0);
    }
}
