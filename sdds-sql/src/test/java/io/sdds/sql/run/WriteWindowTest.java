package io.sdds.sql.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.client.OverloadedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Writes that busy bricks refuse. */
class WriteWindowTest {
    private final AtomicBoolean cancelled = new AtomicBoolean();
    private final WriteWindow window = new WriteWindow(Deadline.ofBatch(cancelled, 0));
    private final List<String> told = new ArrayList<>();
    private int begun;

    private void add(int key, int refusals, boolean isOutcomeUnknown) {
        int[] left = {refusals};
        Supplier<CompletableFuture<Boolean>> write = () -> {
            begun++;
            return left[0]-- > 0
                    ? CompletableFuture.failedFuture(new OverloadedException("busy", isOutcomeUnknown))
                    : CompletableFuture.completedFuture(true);
        };
        window.add(new byte[] {(byte) key}, write, (isWritten, failure) -> tell(key, isWritten, failure));
    }

    private void tell(int key, boolean isWritten, @Nullable RuntimeException failure) {
        told.add(key + " " + (failure == null ? isWritten : failure.getMessage()));
    }

    @Test
    void beginAgainAndAreToldOnceInTheirOrder() {
        add(1, 0, false);
        add(2, 3, false);
        add(3, 1, false);
        add(2, 1, false);
        window.finish();
        assertThat(told).containsExactly("1 true", "2 true", "3 true", "2 true");
        assertThat(begun).isEqualTo(1 + 4 + 2 + 2);
        assertThat(window.isBroken()).isFalse();
    }

    @Test
    void whoseOutcomeIsUnknownDoNotBeginAgain() {
        add(1, 1, true);
        window.finish();
        assertThat(told).containsExactly("1 busy");
        assertThat(begun).isEqualTo(1);
        assertThat(window.isBroken()).isTrue();
    }

    @Test
    void endAtACancelWhileBricksRefuseThem() {
        window.add(
                new byte[] {1},
                () -> {
                    cancelled.set(++begun == 3);
                    return CompletableFuture.failedFuture(new OverloadedException("busy", false));
                },
                (isWritten, failure) -> tell(1, isWritten, failure));
        window.finish();
        assertThat(told).containsExactly("1 the statement was cancelled");
        assertThat(begun).isEqualTo(3);
    }
}
