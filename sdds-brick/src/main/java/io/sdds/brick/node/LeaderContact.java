package io.sdds.brick.node;

import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.node.Env;
import io.sdds.core.node.Printable;
import io.sdds.core.node.Readiness;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * When the leading coordinator answered last, and what the log and the health page say while none answers. Stage
 * thread.
 */
final class LeaderContact {
    /** A brick without an answer for this long says so. */
    private static final long SILENCE_NANOS = 3_000_000_000L;

    /** The pause between two such lines of the log. */
    private static final long REPEAT_NANOS = 60_000_000_000L;

    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final int TEXT_CHARS_MAX = 300;

    private static final Logger log = LoggerFactory.getLogger(LeaderContact.class);

    private final Env env;
    private final String brick;
    private long answeredNanos;

    /** Why no leader has answered since. */
    private String trouble = "they do not answer";

    /** Whether the log has been told of the present silence, and when. */
    private boolean told;

    private long toldNanos;

    /** The last reason of a refusal that the log was told, until a request is accepted. */
    private @Nullable Refusal toldRefusal;

    LeaderContact(Env env, String brick) {
        this.env = env;
        this.brick = brick;
    }

    void start() {
        answeredNanos = env.nowNanos();
    }

    /** A link was lost, or a coordinator that does not lead has answered. */
    void lost(String why) {
        trouble = why;
    }

    /** The leader has done what the brick asked. */
    void accepted() {
        toldRefusal = null;
        answered();
    }

    /**
     * The leader has refused. The log is told once a reason: the next heartbeat is refused for the same a moment later.
     */
    void refused(Refused refused) {
        answered();
        if (refused.reason() != toldRefusal) {
            toldRefusal = refused.reason();
            log.warn(
                    "the coordinator refuses brick {} for now: {}",
                    brick,
                    Printable.of(refused.text(), TEXT_CHARS_MAX));
        }
    }

    private void answered() {
        if (told) {
            told = false;
            log.info("brick {} has heard from a coordinator again, after {} s", brick, silentSeconds());
        }
        answeredNanos = env.nowNanos();
    }

    /** Tells the log of a long silence. */
    void tick(boolean isRegistered) {
        long now = env.nowNanos();
        if (!isSilent() || told && now - toldNanos < REPEAT_NANOS) {
            return;
        }
        told = true;
        toldNanos = now;
        log.warn(
                "brick {} has heard from no coordinator that leads for {} s ({}); {}",
                brick,
                silentSeconds(),
                Printable.of(trouble, TEXT_CHARS_MAX),
                isRegistered ? "it serves by the map that it has" : "it can't take part yet");
    }

    /** What the health page says of a brick that does not drain. */
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
