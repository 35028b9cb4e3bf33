package io.sdds.coordinator.control.peer;

import io.netty.buffer.ByteBuf;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.CoordinatorDescribed;
import io.sdds.core.control.ControlMessage.DescribeCoordinator;
import io.sdds.core.control.Roles;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.protocol.ClusterId;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Hello.Role;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.protocol.RequestFrame;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The links to the other coordinators. Each link is dialed again after its loss, until {@link #close}. Over the links
 * this coordinator asks the others for their identity and the end of their log. Only the environment's thread uses this
 * class.
 */
final class CoordinatorLinks implements Node {
    private static final long REDIAL_NANOS = 100_000_000L;

    /**
     * A link on which no question is answered for this time is closed, so that a coordinator that was paused is dialed
     * again.
     */
    private static final long ANSWER_NANOS_MAX = 1_000_000_000L;

    private static final int MESSAGE_BYTES = 128;

    private final Env env;
    private final String self;
    private final Supplier<ClusterId> cluster;
    private final Listener listener;
    private final Map<String, Other> others = new LinkedHashMap<>();
    private boolean closed;

    /** Takes the answers of the other coordinators, by their ids in this coordinator's settings. */
    interface Listener {
        /**
         * The link to a coordinator is up.
         *
         * @param features features that the coordinator supports
         */
        void onUp(String id, long features);

        /**
         * A coordinator has described itself. A coordinator that is not ready sends a refusal, which is not passed on.
         */
        void onDescribed(String id, int question, CoordinatorDescribed told);

        /**
         * A coordinator belongs to another cluster.
         *
         * @param line the message for the log
         */
        default void onForeign(String id, String line) {}
    }

    private static final class Other {
        final String id;
        final String address;

        @Nullable
        Link link;

        boolean asked;
        long askedNanos;

        Other(String id, String address) {
            this.id = id;
            this.address = address;
        }
    }

    /**
     * @param cluster the cluster that this coordinator belongs to, if it is known
     * @param addresses addresses of the other coordinators by their ids
     */
    CoordinatorLinks(
            Env env, String self, Supplier<ClusterId> cluster, Map<String, String> addresses, Listener listener) {
        this.env = env;
        this.self = self;
        this.cluster = cluster;
        this.listener = listener;
        addresses.forEach((id, address) -> others.put(id, new Other(id, address)));
    }

    Set<String> ids() {
        return others.keySet();
    }

    void start() {
        others.values().forEach(this::dial);
    }

    /** Closes all links. */
    void close() {
        closed = true;
        for (Other other : others.values()) {
            if (other.link != null) {
                other.link.close();
            }
        }
    }

    private void dial(Other other) {
        if (!closed) {
            Hello hello = Hello.of(Hello.Role.COORDINATOR, self, 0).withCluster(cluster.get());
            Link link = env.dial(other.address, hello, this);
            link.attach(other);
            other.link = link;
            other.asked = false;
        }
    }

    /** Sends a question to a coordinator if its link is up. */
    void ask(String id, int question) {
        Other other = others.get(id);
        Link link = other == null ? null : other.link;
        if (other == null || link == null || !link.isUp()) {
            return;
        }
        if (other.asked && env.nowNanos() - other.askedNanos > ANSWER_NANOS_MAX) {
            link.close();
            return;
        }
        if (!other.asked) {
            other.asked = true;
            other.askedNanos = env.nowNanos();
        }
        send(link, question);
    }

    private void send(Link link, int question) {
        ByteBuf bytes = env.allocate(MESSAGE_BYTES);
        try {
            ControlFrame.write(bytes, ControlFrame.REQUEST, question, new DescribeCoordinator(self));
            link.claim(bytes.readableBytes()).writeBytes(bytes);
            link.commit();
            link.flush();
        } finally {
            bytes.release();
        }
    }

    @Override
    public void onLinkUp(Link link) {
        if (link.attachment() instanceof Other other) {
            listener.onUp(other.id, link.peer().features());
        }
    }

    @Override
    public void onFrames(Link link, ByteBuf frames) {
        try {
            int at = frames.readerIndex();
            while (at < frames.writerIndex() && !closed) {
                int length = frames.getIntLE(at);
                onFrame(link, frames, at, length);
                at += length;
            }
        } catch (ProtocolViolation e) {
            link.violated(e);
        }
    }

    private void onFrame(Link link, ByteBuf frames, int at, int length) {
        Role sender = link.peer().role();
        Roles.check(Role.COORDINATOR, sender, frames.getByte(at + RequestFrame.OPCODE));
        ControlMessage answer = Roles.read(Role.COORDINATOR, sender, frames, at, length);
        if (link.attachment() instanceof Other other) {
            other.asked = false;
            if (answer instanceof CoordinatorDescribed told) {
                listener.onDescribed(other.id, frames.getIntLE(at + ControlFrame.CORRELATION), told);
            }
        }
    }

    @Override
    public void onLinkDown(Link link, String reason) {
        if (link.attachment() instanceof Other other) {
            other.link = null;
            if (link.isForeign()) {
                listener.onForeign(other.id, "coordinator '" + other.id + "' at " + other.address + ": " + reason);
            }
            env.schedule(REDIAL_NANOS, () -> dial(other));
        }
    }
}
