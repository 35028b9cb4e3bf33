package io.sdds.sql.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.client.OverloadedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Writes that are under way at the same time. */
class WriteWindowTest {
    private final AtomicBoolean cancelled = new AtomicBoolean();
    private final WriteWindow window = new WriteWindow(Deadline.ofBatch(cancelled, 0));
    private final List<String> told = new ArrayList<>();
    private final List<CompletableFuture<Boolean>> begun = new ArrayList<>();

    private void add(int key, CompletableFuture<Boolean> end) {
        window.add(
                new byte[] {(byte) key},
                () -> {
                    begun.add(end);
                    return end;
                },
                (isWritten, failure) -> told.add(key + " " + (failure == null ? isWritten : failure.getMessage())));
    }

    private static CompletableFuture<Boolean> written() {
        return CompletableFuture.completedFuture(true);
    }

    private static CompletableFuture<Boolean> overloaded() {
        return CompletableFuture.failedFuture(new OverloadedException("busy", false));
    }

    @Test
    void beginOnceAndAreToldInTheirOrder() {
        CompletableFuture<Boolean> late = new CompletableFuture<>();
        add(1, late);
        add(2, written());
        late.complete(true);
        add(2, written());
        window.finish();
        assertThat(told).containsExactly("1 true", "2 true", "2 true");
        assertThat(begun).hasSize(3);
        assertThat(window.isBroken()).isFalse();
    }

    @Test
    void thatFailByOverloadEndTheBatch() {
        add(1, overloaded());
        add(2, written());
        window.finish();
        assertThat(told).containsExactly("1 busy");
        assertThat(window.isBroken()).isTrue();
    }

    @Test
    void endAtACancel() {
        add(1, new CompletableFuture<>());
        cancelled.set(true);
        window.finish();
        assertThat(told).containsExactly("1 the statement was cancelled");
    }
}
