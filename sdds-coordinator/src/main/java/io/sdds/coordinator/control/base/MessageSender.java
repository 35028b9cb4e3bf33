package io.sdds.coordinator.control.base;

import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Sends messages. Messages are gathered during a turn, and each link is flushed once at the end of the turn. */
public final class MessageSender {
    private final Env env;
    private final Runnable beforeFlush;
    private final Set<Link> unflushed = new LinkedHashSet<>();
    private boolean turnEndPlanned;
    private long sentBytes;

    /** @param beforeFlush runs at the end of each planned turn, and may still send messages */
    public MessageSender(Env env, Runnable beforeFlush) {
        this.env = env;
        this.beforeFlush = beforeFlush;
    }

    /** Sends a message, unless the link is down. */
    void send(Link link, byte kind, int correlation, ControlMessage message) {
        if (!link.isUp()) {
            return;
        }
        sentBytes += ControlFrame.send(env, link, kind, correlation, message);
        flushSoon(link);
    }

    /** Sends the same notice over several links that are up. */
    public void notice(List<Link> links, ControlMessage message) {
        sentBytes += (long) links.size() * ControlFrame.send(env, links, ControlFrame.NOTICE, 0, message);
        links.forEach(this::flushSoon);
    }

    /** Plans the flush of a link at the end of the turn. */
    public void flushSoon(Link link) {
        unflushed.add(link);
        planTurnEnd();
    }

    /** Bytes of all messages sent so far. */
    public long sentBytes() {
        return sentBytes;
    }

    /** Plans the end of the turn, which runs {@code beforeFlush} after the present events. */
    public void planTurnEnd() {
        if (!turnEndPlanned) {
            turnEndPlanned = true;
            env.defer(this::endTurn);
        }
    }

    private void endTurn() {
        beforeFlush.run();
        turnEndPlanned = false;
        List<Link> links = new ArrayList<>(unflushed);
        unflushed.clear();
        for (Link link : links) {
            if (link.isUp()) {
                link.flush();
            }
        }
    }

    public void forget(Link link) {
        unflushed.remove(link);
    }
}
