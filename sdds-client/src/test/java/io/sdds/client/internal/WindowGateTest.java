package io.sdds.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sdds.client.internal.routing.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class WindowGateTest {
    private static final long LONG_NANOS = TimeUnit.MINUTES.toNanos(5);

    private final Window window = new Window(4, 100);
    private final WindowGate gate = new WindowGate(window, false);
    private final AtomicBoolean closed = new AtomicBoolean();

    /** A thread that waits for room. */
    private final class Waiting {
        private final CompletableFuture<Boolean> isIn = new CompletableFuture<>();
        private final Thread thread;

        Waiting(int bytes, long waitNanos) {
            thread = new Thread(() -> isIn.complete(enter(bytes, waitNanos)));
            thread.start();
            await().until(() -> isIn.isDone() || thread.getState() == Thread.State.TIMED_WAITING);
        }
    }

    private boolean enter(int bytes, long waitNanos) {
        return gate.enter(bytes, System.nanoTime() + waitNanos, System::nanoTime, closed::get);
    }

    private Waiting waiting(int bytes) {
        return new Waiting(bytes, LONG_NANOS);
    }

    private void fill(int... bytes) {
        for (int size : bytes) {
            assertThat(enter(size, 0)).isTrue();
        }
    }

    @Test
    void roomIsTakenForThoseWhoWaitBeforeTheyRun() {
        fill(10, 10, 10, 10);
        List<Waiting> threads = new ArrayList<>();
        for (int k = 0; k < 6; k++) {
            threads.add(waiting(1));
        }
        window.leave(10);
        assertThat(window.bytes()).isEqualTo(31);
        window.leave(10);
        window.leave(10);
        assertThat(window.bytes()).isEqualTo(13);
        assertThat(window.requests()).isEqualTo(4);
        for (int k = 0; k < 3; k++) {
            assertThat(threads.get(k).isIn.join()).isTrue();
        }
        window.leave(10);
        window.leave(1);
        window.leave(1);
        assertThat(threads).allMatch(thread -> thread.isIn.join());
    }

    @Test
    void smallRequestsDoNotOvertakeALargeOne() {
        fill(60, 30);
        Waiting large = waiting(90);
        Waiting small = waiting(5);
        assertThat(enter(1, 0)).isFalse();
        window.leave(30);
        assertThat(window.bytes()).isEqualTo(60);
        window.leave(60);
        assertThat(window.bytes()).isEqualTo(95);
        assertThat(large.isIn.join()).isTrue();
        assertThat(small.isIn.join()).isTrue();
    }

    @Test
    void whoGivesUpTakesNoRoomAndTheNextIsFirst() {
        fill(90);
        Waiting late = new Waiting(50, TimeUnit.MILLISECONDS.toNanos(1));
        assertThat(late.isIn.join()).isFalse();
        Waiting interrupted = waiting(50);
        Waiting next = waiting(5);
        interrupted.thread.interrupt();
        assertThat(interrupted.isIn.join()).isFalse();
        assertThat(next.isIn.join()).isTrue();
        assertThat(window.bytes()).isEqualTo(95);
    }

    @Test
    void allGiveUpWhenTheClientIsClosed() {
        fill(100);
        List<Waiting> threads = List.of(waiting(1), waiting(1), waiting(1));
        closed.set(true);
        gate.wake();
        assertThat(threads).noneMatch(thread -> thread.isIn.join());
        assertThat(window.bytes()).isEqualTo(100);
    }
}
