package io.sdds.core.stage;

import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import java.util.ArrayDeque;
import java.util.function.BooleanSupplier;

/**
 * The links of clients that are not read for a while, because many of their requests were refused.
 *
 * <p>A link is read again when its pause is over. While links are paused the stage must not run out of requests. So as
 * soon as few requests wait, the link that has been paused longest is read. Links are resumed one at a time, because
 * each link brings as much as a socket holds.
 */
final class PausedLinks {
    private static final long LOOK_NANOS = 250_000;

    private final Env env;
    private final BooleanSupplier hasRoom;
    private final ArrayDeque<Pause> paused = new ArrayDeque<>();
    private final Runnable look = this::look;
    private boolean lookScheduled;

    /** @param hasRoom whether so few requests wait that a link may be resumed before its pause is over */
    PausedLinks(Env env, BooleanSupplier hasRoom) {
        this.env = env;
        this.hasRoom = hasRoom;
    }

    /** Stops reading a link for some time at most. */
    void pause(Link link, long nanos) {
        link.pauseReading();
        Pause pause = new Pause(link);
        paused.add(pause);
        env.schedule(nanos, pause);
        scheduleLook();
    }

    /** Resumes the link that has been paused longest, if there is room. A drain that ran requests calls this. */
    void resumeOne() {
        while (!paused.isEmpty() && paused.getFirst().over) {
            paused.removeFirst();
        }
        if (!paused.isEmpty() && hasRoom.getAsBoolean()) {
            paused.removeFirst().run();
        }
    }

    /** Does what a drain does at its end. The stage may have no drains while all links are paused. */
    private void look() {
        lookScheduled = false;
        resumeOne();
        if (!paused.isEmpty()) {
            scheduleLook();
        }
    }

    private void scheduleLook() {
        if (!lookScheduled) {
            lookScheduled = true;
            env.schedule(LOOK_NANOS, look);
        }
    }

    /** The pause of one link. */
    private static final class Pause implements Runnable {
        private final Link link;
        private boolean over;

        Pause(Link link) {
            this.link = link;
        }

        /** The first call resumes the link. */
        @Override
        public void run() {
            if (!over) {
                over = true;
                link.resumeReading();
            }
        }
    }
}
