package io.sdds.sql.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.client.IncompleteRangeException;
import io.sdds.client.OverloadedException;
import io.sdds.client.Row;
import io.sdds.client.SddsException;
import io.sdds.client.TimeoutException;
import io.sdds.client.WindowFullException;
import io.sdds.sql.error.StatementEnd;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A query whose client has no room in its window. */
class RowFeedTest {
    private static final Flow.Subscription NONE = new Flow.Subscription() {
        @Override
        public void request(long rows) {}

        @Override
        public void cancel() {}
    };

    private final AtomicBoolean cancelled = new AtomicBoolean();
    private int subscriptions;

    @AfterEach
    void interruptsNobodyElse() {
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void aQueryThatFindsNoRoomBeginsAnew() {
        RowFeed feed = feed(subscriber -> {
            if (++subscriptions < 3) {
                subscriber.onError(new OverloadedException("no room", false));
            } else {
                subscriber.onComplete();
            }
        });
        assertThat(feed.moveNext()).isFalse();
        assertThat(subscriptions).isEqualTo(3);
    }

    @Test
    void aQueryThatFindsABrickBusyBeginsAnewAndOneThatIsNotAnsweredFails() {
        RowFeed feed = feed(subscriber -> subscriber.onError(
                ++subscriptions < 3
                        ? incomplete(new OverloadedException("busy", false))
                        : incomplete(new TimeoutException("not answered", false))));
        assertThatThrownBy(feed::moveNext).hasMessage("not answered");
        assertThat(subscriptions).isEqualTo(3);
    }

    private static IncompleteRangeException incomplete(SddsException why) {
        return new IncompleteRangeException(String.valueOf(why.getMessage()), List.of("all"), why);
    }

    @Test
    void aQueryThatMayNotWaitFailsAtOnce() {
        RowFeed feed = feed(subscriber -> {
            subscriptions++;
            subscriber.onError(new WindowFullException("full"));
        });
        assertThatThrownBy(feed::moveNext).isInstanceOf(WindowFullException.class);
        assertThat(subscriptions).isEqualTo(1);
    }

    @Test
    void aWaitForRoomEndsWhenTheStatementIsCancelled() {
        RowFeed feed = feed(subscriber -> {
            waitForAnInterruptOf(cancelled);
            subscriber.onError(new OverloadedException("interrupted", false));
        });
        assertThatThrownBy(feed::moveNext).isInstanceOf(StatementEnd.class).hasMessageContaining("cancelled");
    }

    @Test
    void anInterruptOfTheApplicationEndsTheStatementAndIsKept() {
        RowFeed feed = feed(subscriber -> {
            subscriptions++;
            Thread.currentThread().interrupt();
            subscriber.onError(new OverloadedException("interrupted", false));
        });
        assertThatThrownBy(feed::moveNext).isInstanceOf(OverloadedException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(subscriptions).isEqualTo(1);
    }

    @Test
    void aCountThatFindsNoRoomBeginsAnew() {
        Deadline deadline = Deadline.ofBatch(cancelled, 0);
        assertThat(deadline.<Long>read(() -> ++subscriptions < 3
                        ? CompletableFuture.failedFuture(new OverloadedException("no room", false))
                        : CompletableFuture.completedFuture(7L)))
                .isEqualTo(7);
        assertThat(subscriptions).isEqualTo(3);
        assertThatThrownBy(() -> deadline.<Long>read(() -> {
                    waitForAnInterruptOf(cancelled);
                    return CompletableFuture.failedFuture(new OverloadedException("interrupted", false));
                }))
                .isInstanceOf(StatementEnd.class)
                .hasMessageContaining("cancelled");
        cancelled.set(false);
        assertThatThrownBy(() ->
                        deadline.<Long>read(() -> CompletableFuture.failedFuture(new WindowFullException("full"))))
                .isInstanceOf(WindowFullException.class);
    }

    private static void waitForAnInterruptOf(AtomicBoolean cancelled) {
        cancelled.set(true);
        waitForAnInterrupt();
    }

    private RowFeed feed(Flow.Publisher<Row> query) {
        Flow.Publisher<Row> introduced = subscriber -> {
            subscriber.onSubscribe(NONE);
            query.subscribe(subscriber);
        };
        return new RowFeed(introduced, List.of(), Deadline.ofBatch(cancelled, 0), 1);
    }

    private static void waitForAnInterrupt() {
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!Thread.currentThread().isInterrupted() && System.nanoTime() - endNanos < 0) {
            Thread.onSpinWait();
        }
    }
}
