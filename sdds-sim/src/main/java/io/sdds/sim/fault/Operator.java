package io.sdds.sim.fault;

import io.netty.buffer.ByteBuf;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.protocol.Hello;
import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.world.SimEnv;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Somebody at a terminal: asks the coordinators the same again and again until the errand is over, whatever else goes
 * on.
 */
final class Operator implements Node {
    private static final long LOOK_NANOS = 100_000_000L;
    private static final long ANSWER_NANOS_MAX = 1_000_000_000L;

    private final SimCluster cluster;
    private final Errand errand;
    private final SimEnv env;
    private @Nullable Link link;
    private boolean asking;
    private long askedNanos;
    private int correlation;

    /** Links that have ended. */
    private int tried;

    /** What an operator is to do. */
    interface Errand {
        boolean isOver();

        /** What is to be asked next; null: nothing at present. */
        @Nullable
        ControlMessage question();

        /** @return false: another coordinator may know better */
        boolean heard(ControlMessage answer);
    }

    private Operator(SimCluster cluster, Errand errand) {
        this.cluster = cluster;
        this.errand = errand;
        this.env = cluster.simulation().env("operator", cluster.plan().work());
    }

    /** Sends an operator for something. */
    static void sendFor(SimCluster cluster, Errand errand) {
        Operator operator = new Operator(cluster, errand);
        operator.env.execute(operator::look);
    }

    private void look() {
        Link up = link;
        if (errand.isOver()) {
            if (up != null) {
                up.close();
            }
            return;
        }
        if (up == null) {
            List<String> coordinators = cluster.coordinatorAddresses();
            String next = coordinators.get(tried % coordinators.size());
            link = env.dial(next, Hello.of(Hello.Role.CLIENT, "operator", 0), this);
        } else if (asking && env.nowNanos() - askedNanos > ANSWER_NANOS_MAX) {
            up.close();
        } else if (up.isUp() && !asking) {
            ask(up);
        }
        env.schedule(LOOK_NANOS, this::look);
    }

    private void ask(Link up) {
        ControlMessage question = errand.question();
        if (question != null) {
            asking = true;
            askedNanos = env.nowNanos();
            ControlFrame.write(up.claim(0), ControlFrame.REQUEST, ++correlation, question);
            up.commit();
            up.flush();
        }
    }

    @Override
    public void onLinkUp(Link up) {}

    @Override
    public void onFrames(Link from, ByteBuf frames) {
        for (int at = frames.readerIndex(); at < frames.writerIndex(); at += frames.getIntLE(at)) {
            asking = false;
            ControlMessage answer = ControlFrame.read(frames, at, frames.getIntLE(at));
            if (!errand.heard(answer)) {
                from.close();
            }
        }
        if (errand.isOver()) {
            from.close();
        }
    }

    @Override
    public void onLinkDown(Link gone, String reason) {
        link = null;
        asking = false;
        tried++;
    }
}
