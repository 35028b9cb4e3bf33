package io.sdds.sql.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.sql.error.StatementEnd;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class DeadlineTest {
    @Test
    void waitsOfManyThreadsEndWhenTheirStatementsAreCancelled() {
        for (int round = 0; round < 3; round++) { // the thread that looks begins and ends with the waits
            AtomicBoolean cancelled = new AtomicBoolean();
            Deadline deadline = Deadline.ofBatch(cancelled, 0);
            List<CompletableFuture<Void>> requests = new ArrayList<>();
            List<CompletableFuture<Void>> waits = new ArrayList<>();
            for (int k = 0; k < 8; k++) {
                CompletableFuture<Void> request = new CompletableFuture<>();
                requests.add(request);
                waits.add(CompletableFuture.runAsync(
                        () -> assertThatThrownBy(() -> deadline.await(request))
                                .isInstanceOf(StatementEnd.class)
                                .hasMessageContaining("cancelled"),
                        work -> new Thread(work).start()));
            }
            cancelled.set(true);
            CompletableFuture.allOf(waits.toArray(CompletableFuture[]::new)).join();
            assertThat(requests).allMatch(CompletableFuture::isCancelled);
        }
    }

    @Test
    void aWaitEndsAtTheTimeout() {
        Deadline deadline = Deadline.ofBatch(new AtomicBoolean(), 1);
        assertThatThrownBy(() -> deadline.await(new CompletableFuture<>()))
                .isInstanceOf(StatementEnd.class)
                .hasMessageContaining("the query timeout has passed");
    }

    @Test
    void aPlanWithoutATimeoutHasALimitOfItsOwn() {
        long now = System.currentTimeMillis();
        Deadline.ofPlan(null, 0, now).check();
        assertThatThrownBy(() -> Deadline.ofPlan(null, 0, now - 31_000).check())
                .isInstanceOf(StatementEnd.class)
                .hasMessage("the statement is too large: its plan takes more than 30 s");
        Deadline.ofPlan(null, 60, now - 31_000).check();
        assertThatThrownBy(() -> Deadline.ofPlan(null, 1, now - 2_000).check())
                .hasMessage("the query timeout has passed");
    }

    @Test
    void onlyTheThreadThatPlansHasItsTime() {
        Planning.check();
        try (Planning outer = Planning.begin(new AtomicBoolean(true), 0)) {
            assertThatThrownBy(Planning::check).hasMessageContaining("cancelled");
            try (Planning inner = Planning.begin(null, 0)) {
                Planning.check();
            }
            assertThatThrownBy(Planning::check).hasMessageContaining("cancelled");
            CompletableFuture.runAsync(Planning::check).join();
        }
        Planning.check();
    }

    @Test
    void answersAndFailuresComeAsTheyAre() {
        Deadline deadline = Deadline.ofBatch(new AtomicBoolean(), 0);
        assertThat(deadline.await(CompletableFuture.completedFuture(7))).isEqualTo(7);
        assertThat(deadline.await(CompletableFuture.supplyAsync(() -> 8))).isEqualTo(8);
        CompletableFuture<Void> ended = new CompletableFuture<>();
        ended.cancel(false);
        assertThatThrownBy(() -> deadline.await(ended)).isInstanceOf(CancellationException.class);
        IllegalStateException failure = new IllegalStateException("broken");
        assertThatThrownBy(() -> deadline.await(CompletableFuture.failedFuture(failure)))
                .isSameAs(failure);
    }
}
