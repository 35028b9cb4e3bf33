package io.sdds.brick.node;

import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.node.Env;
import io.sdds.core.node.Readiness;
import io.sdds.core.protocol.Printable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notes when the leading coordinator last answered. While no leader answers, writes lines to the log and gives the text
 * of the health page. Only the stage's thread uses it.
 */
final class LeaderContact {
    /** A silence is logged when it has lasted this long. */
    private static final long SILENCE_NANOS = 3_000_000_000L;

    /** The pause between two log lines about a silence. */
    private static final long REPEAT_NANOS = 60_000_000_000L;

    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final int TEXT_CHARS_MAX = 300;

    private static final Logger log = LoggerFactory.getLogger(LeaderContact.class);

    private final Env env;
    private final String brick;
    private long answeredNanos;

    /** Why no leader has answered. */
    private String reason = "they do not answer";

    /** Whether the present silence has been logged. */
    private boolean logged;

    /** Time of the last log line about the present silence. */
    private long loggedNanos;

    /** The refusal that was logged last; null since a request was accepted. */
    private @Nullable Refusal loggedRefusal;

    LeaderContact(Env env, String brick) {
        this.env = env;
        this.brick = brick;
    }

    void start() {
        answeredNanos = env.nowNanos();
    }

    /** A link is down, or a coordinator that does not lead has answered. */
    void lost(String why) {
        reason = why;
    }

    /** The leader has accepted a request. */
    void accepted() {
        loggedRefusal = null;
        answered();
    }

    /**
     * The leader has refused a request. Each reason is logged once, because the next heartbeats are refused for the
     * same reason.
     */
    void refused(Refused refused) {
        answered();
        if (refused.reason() != loggedRefusal) {
            loggedRefusal = refused.reason();
            log.warn(
                    "the coordinator refuses brick {} for now: {}",
                    brick,
                    Printable.of(refused.text(), TEXT_CHARS_MAX));
        }
    }

    private void answered() {
        if (logged) {
            logged = false;
            log.info("brick {} has heard from a coordinator again, after {} s", brick, silentSeconds());
        }
        answeredNanos = env.nowNanos();
    }

    /** Logs a long silence. */
    void tick(boolean isRegistered) {
        long now = env.nowNanos();
        if (!isSilent() || logged && now - loggedNanos < REPEAT_NANOS) {
            return;
        }
        logged = true;
        loggedNanos = now;
        log.warn(
                "brick {} has heard from no coordinator that leads for {} s ({}); {}",
                brick,
                silentSeconds(),
                Printable.of(reason, TEXT_CHARS_MAX),
                isRegistered ? "it serves by the map that it has" : "it can't take part yet");
    }

    /** The readiness of a brick that is not draining. */
    Readiness readiness(boolean isRegistered) {
        String silence = "no coordinator that leads has answered for " + silentSeconds() + " s";
        if (!isRegistered) {
            return Readiness.no("starting: " + silence);
        }
        return isSilent() ? new Readiness(true, "ok: serves by the map that it has; " + silence) : Readiness.OK;
    }

    private boolean isSilent() {
        return env.nowNanos() - answeredNanos >= SILENCE_NANOS;
    }

    private long silentSeconds() {
        return (env.nowNanos() - answeredNanos) / NANOS_PER_SECOND;
    }
}
