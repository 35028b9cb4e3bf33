package io.sdds.client.routing;

import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.CreateTable;
import io.sdds.core.control.ControlMessage.DropTable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A control request from its call to its end; sent again, and to others, until it is answered or its deadline passes. */
final class ControlCall {
    final ControlMessage message;
    /** Only a coordinator can answer it, and among them only the leader. */
    final boolean leaderOnly;

    final long deadlineNanos;
    private final Consumer<ControlCall> handler;

    /** Where it was sent and not answered yet. */
    @Nullable
    Peer peer;

    int correlation;
    long sentNanos;
    long notBeforeNanos;
    int attempts;

    /** Whom to ask first. */
    @Nullable
    Peer preferred;

    /** A copy was sent whose answer was lost. */
    boolean mayHaveRun;

    /** A brick said no, which may know less than a coordinator: the answer if none can be asked. */
    @Nullable
    ControlMessage lastResort;

    @Nullable
    String trouble;

    private @Nullable ControlMessage answer;
    private @Nullable Failure failure;

    ControlCall(ControlMessage message, boolean leaderOnly, long deadlineNanos, Consumer<ControlCall> handler) {
        this.message = message;
        this.leaderOnly = leaderOnly;
        this.deadlineNanos = deadlineNanos;
        this.handler = handler;
    }

    /** What was answered; null when it failed. */
    @Nullable
    ControlMessage answer() {
        return answer;
    }

    /** Why there is no answer; null when there is one. */
    @Nullable
    Failure failure() {
        return failure;
    }

    /** Whether asking twice does no harm, so that a silent answerer need not be waited for. */
    boolean idempotent() {
        return !(message instanceof CreateTable || message instanceof DropTable);
    }

    void answer(ControlMessage message) {
        answer = message;
        handler.accept(this);
    }

    void fail(Failure why) {
        failure = why;
        handler.accept(this);
    }
}
