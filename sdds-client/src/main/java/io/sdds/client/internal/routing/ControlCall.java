package io.sdds.client.internal.routing;

import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.AcceptLoss;
import io.sdds.core.control.ControlMessage.AlterParity;
import io.sdds.core.control.ControlMessage.AlterReplicas;
import io.sdds.core.control.ControlMessage.AlterSchema;
import io.sdds.core.control.ControlMessage.BrickEnded;
import io.sdds.core.control.ControlMessage.CreateTable;
import io.sdds.core.control.ControlMessage.DrainBrick;
import io.sdds.core.control.ControlMessage.DropTable;
import io.sdds.core.control.ControlMessage.FetchBlock;
import io.sdds.core.control.ControlMessage.FetchStatistics;
import io.sdds.core.control.ControlMessage.FetchStatus;
import io.sdds.core.control.ControlMessage.FindCoordinators;
import io.sdds.core.control.ControlMessage.FindTable;
import io.sdds.core.control.ControlMessage.OpenSession;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.ControlMessage.RenewSession;
import io.sdds.core.control.ControlMessage.StoreStatistics;
import io.sdds.core.model.DrainAction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A control request from its call to its end. The request is sent again, also to other processes, until it is answered
 * or its deadline passes.
 */
final class ControlCall {
    private static final long ATTEMPT_NANOS_MAX = 1_000_000_000L;

    /** Number of processes that can be asked before the deadline, though the first ones do not answer. */
    private static final int ATTEMPTS_LEAST = 3;

    final ControlMessage message;
    /** Whether only the leading coordinator can answer. */
    final boolean leaderOnly;

    final long deadlineNanos;

    /** How long one process is waited for before the request goes to another one. The first answer counts. */
    final long attemptNanos;

    private final Consumer<ControlCall> handler;

    /** The peer that has not answered the request yet; null: the request has to be sent. */
    @Nullable
    Peer peer;

    int correlation;
    long sentNanos;
    long notBeforeNanos;
    int attempts;

    /** Which of the peers of a role is asked first. */
    int turn;

    /** Whether the call waits until other calls are answered. */
    boolean waits;

    /** The peer to ask first. */
    @Nullable
    Peer preferred;

    /** Whether the answer to a copy that was sent is lost. */
    boolean mayHaveRun;

    @Nullable
    String trouble;

    private @Nullable ControlMessage answer;
    private @Nullable Failure failure;

    ControlCall(
            ControlMessage message, boolean leaderOnly, long now, long timeoutNanos, Consumer<ControlCall> handler) {
        this.message = message;
        this.leaderOnly = leaderOnly;
        this.deadlineNanos = now + timeoutNanos;
        this.attemptNanos = Math.min(ATTEMPT_NANOS_MAX, timeoutNanos / ATTEMPTS_LEAST);
        this.handler = handler;
    }

    /** The answer; null when the call failed. */
    @Nullable
    ControlMessage answer() {
        return answer;
    }

    /** The reason why there is no answer; null when there is one. */
    @Nullable
    Failure failure() {
        return failure;
    }

    /** The failure of a call without a useful answer: it failed, was refused, or got an answer of another type. */
    Failure whyNot() {
        if (failure != null) {
            return failure;
        }
        return answer instanceof Refused refused
                ? Control.failure(refused)
                : Failure.of(Failure.Kind.PROTOCOL, task() + ": the answer does not fit the request");
    }

    /** A text that names the request. */
    String task() {
        if (message instanceof CreateTable create) {
            return "create table '" + create.name() + "'";
        } else if (message instanceof DropTable drop) {
            return "drop table '" + drop.name() + "'";
        } else if (message instanceof AcceptLoss accept) {
            return "accept the loss of table '" + accept.name() + "'";
        } else if (message instanceof AlterParity alter) {
            return "alter table '" + alter.name() + "'";
        } else if (message instanceof AlterReplicas alter) {
            return "alter table '" + alter.name() + "'";
        } else if (message instanceof AlterSchema alter) {
            return "alter table '" + alter.name() + "'";
        } else if (message instanceof StoreStatistics store) {
            return "analyze table '" + store.name() + "'";
        } else if (message instanceof FetchStatistics fetch) {
            return "read the statistics of table '" + fetch.name() + "'";
        } else if (message instanceof BrickEnded ended) {
            return "tell that brick '" + ended.id() + "' has ended";
        } else if (message instanceof DrainBrick drain) {
            return switch (drain.action()) {
                        case BEGIN -> "drain brick '";
                        case CANCEL -> "end the drain of brick '";
                        case LOOK, UNKNOWN -> "look at the drain of brick '";
                    }
                    + drain.brick() + "'";
        } else if (message instanceof FindTable find) {
            return "find table '" + find.name() + "'";
        } else if (message instanceof FetchBlock fetch) {
            return "look up the map of table number " + fetch.table();
        } else if (message instanceof FetchStatus) {
            return "read the status of the cluster";
        } else if (message instanceof FindCoordinators) {
            return "connect";
        }
        return message instanceof OpenSession || message instanceof RenewSession ? "open a session" : "ask the cluster";
    }

    /** Whether the request changes the cluster in a way that others can see. */
    boolean changes() {
        return message instanceof CreateTable
                || message instanceof DropTable
                || message instanceof AcceptLoss
                || message instanceof AlterParity
                || message instanceof AlterReplicas
                || message instanceof AlterSchema
                || message instanceof StoreStatistics
                || message instanceof DrainBrick drain && drain.action() != DrainAction.LOOK;
    }

    /** Whether the request means the same in a cluster that takes the place of the one that it was made for. */
    boolean isForAnyCluster() {
        return message instanceof FindTable
                || message instanceof FetchStatus
                || message instanceof FetchStatistics
                || message instanceof FindCoordinators
                || message instanceof CreateTable && !mayHaveRun;
    }

    /** Whether the application asked for this. The other requests keep the client itself going. */
    boolean isOfApplication() {
        return !(message instanceof FetchBlock
                || message instanceof OpenSession
                || message instanceof RenewSession
                || message instanceof FindCoordinators);
    }

    /** Whether a repetition does no harm, so that the request is sent again before a silent peer answers. */
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
