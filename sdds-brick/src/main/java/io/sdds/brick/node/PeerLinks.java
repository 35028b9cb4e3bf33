package io.sdds.brick.node;

import io.sdds.brick.map.BrickMap;
import io.sdds.brick.stage.Peers;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.protocol.Hello;
import io.sdds.core.stage.Stage;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The links that this stage has dialed: two to each brick, one for the protocol and one for bulk data. A stage also
 * dials its own brick, for splits whose child is on the same brick.
 */
final class PeerLinks implements Peers {
    private static final long REDIAL_NANOS = 50_000_000L;

    private final Env env;
    private final Node node;
    private final BrickMap map;
    private final Supplier<BrickInfo> self;
    private final Function<Hello.Role, Hello> hello;
    private final PendingCalls calls;
    private final Stage stage;
    private final Map<Integer, Dialed> protocol = new TreeMap<>();
    private final Map<Integer, Dialed> bulk = new TreeMap<>();

    private static final class Dialed {
        @Nullable
        Link link;

        String address = "";
        long incarnation;
        long failedNanos;
        boolean failed;
    }

    PeerLinks(
            Env env,
            Node node,
            BrickMap map,
            Supplier<BrickInfo> self,
            Function<Hello.Role, Hello> hello,
            PendingCalls calls,
            Stage stage) {
        this.env = env;
        this.node = node;
        this.map = map;
        this.self = self;
        this.hello = hello;
        this.calls = calls;
        this.stage = stage;
    }

    @Override
    public @Nullable Link protocol(int brick) {
        return link(protocol, brick, Hello.Role.BRICK);
    }

    @Override
    public @Nullable Link bulk(int brick) {
        return link(bulk, brick, Hello.Role.BRICK_BULK);
    }

    @Override
    public void ask(Link link, ControlMessage request, Consumer<@Nullable ControlMessage> answer) {
        calls.call(link, request, answer);
        stage.touched(link);
    }

    @Override
    public void touched(Link link) {
        stage.touched(link);
    }

    /** Opens protocol links to all bricks of the map, so that the first forward finds a link. */
    void dialAll() {
        for (BrickInfo brick : map.bricks()) {
            if (brick.number() != self.get().number()) {
                protocol(brick.number());
            }
        }
    }

    /** A dialed link is down. */
    void linkDown(Link link) {
        forget(protocol, link);
        forget(bulk, link);
    }

    void close() {
        protocol.values().forEach(PeerLinks::closeLink);
        bulk.values().forEach(PeerLinks::closeLink);
    }

    private static void closeLink(Dialed dialed) {
        if (dialed.link != null) {
            dialed.link.close();
        }
    }

    private void forget(Map<Integer, Dialed> links, Link link) {
        for (Dialed dialed : links.values()) {
            if (dialed.link == link) {
                dialed.link = null;
                dialed.failed = true;
                dialed.failedNanos = env.nowNanos();
            }
        }
    }

    private @Nullable Link link(Map<Integer, Dialed> links, int brick, Hello.Role role) {
        BrickInfo info = map.brick(brick);
        if (info == null) {
            return null;
        }
        Dialed dialed = links.computeIfAbsent(brick, b -> new Dialed());
        Link before = dialed.link;
        if (before != null && (!dialed.address.equals(info.address()) || isToOlderProcess(before, dialed, info))) {
            before.close(); // the brick has another address or process now; the link reports that it is down
            if (!before.isUp()) {
                dialed.link = null; // a link that is being dialed may take long to report this
            }
        }
        if (dialed.link == null && mayDial(dialed)) {
            dialed.address = info.address();
            dialed.incarnation = info.incarnation();
            dialed.link = env.dial(info.address(), hello.apply(role), node);
        }
        return dialed.link != null && dialed.link.isUp() ? dialed.link : null;
    }

    /**
     * Whether a link leads to an earlier process of the brick, or is still being dialed to one. It may take long until
     * such a link is reported as down.
     */
    private static boolean isToOlderProcess(Link link, Dialed dialed, BrickInfo now) {
        if (!link.isUp()) {
            return dialed.incarnation < now.incarnation();
        }
        long theirs = link.peer().incarnation();
        return theirs != 0 && theirs < now.incarnation();
    }

    private boolean mayDial(Dialed dialed) {
        return !dialed.failed || env.nowNanos() - dialed.failedNanos >= REDIAL_NANOS;
    }
}
