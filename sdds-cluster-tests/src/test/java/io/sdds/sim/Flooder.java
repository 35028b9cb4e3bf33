package io.sdds.sim;

import io.netty.buffer.ByteBuf;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.FetchBlock;
import io.sdds.core.control.ControlMessage.FetchStatus;
import io.sdds.core.control.ControlMessage.FindTable;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Opcode;
import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.world.ServiceTimes;
import io.sdds.sim.world.SimEnv;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A hostile client of a simulated cluster: sends every brick and coordinator far more control requests than they can
 * answer, and begins messages that it never ends.
 */
final class Flooder implements Node {
    private static final long TICK_NANOS = 2_000_000L;
    private static final long START_NANOS = 100_000_000L;
    private static final long REDIAL_NANOS = 20_000_000L;
    private static final int BURST_MAX = 2000;
    private static final int FRAGMENT_BYTES = 10_000;

    private final SimCluster cluster;
    private final SimEnv env;
    private final SplittableRandom random;
    private final long endNanos;
    private final List<Link> links = new ArrayList<>();
    private int correlation;
    private long answered;
    private long refused;

    private Flooder(SimCluster cluster, long forNanos) {
        this.cluster = cluster;
        env = cluster.simulation().env("flood", ServiceTimes.DEFAULT);
        random = cluster.simulation().fork("flood");
        endNanos = cluster.simulation().nowNanos() + forNanos;
    }

    /** One that begins when the cluster has started, and whose process is killed after a time. */
    static Flooder of(SimCluster cluster, long forNanos) {
        Flooder flooder = new Flooder(cluster, forNanos);
        cluster.simulation().after(START_NANOS, flooder::begin);
        return flooder;
    }

    long answered() {
        return answered;
    }

    long refused() {
        return refused;
    }

    private void begin() {
        env.execute(() -> cluster.addresses().forEach(this::dial));
        tick();
    }

    private void dial(String address) {
        env.dial(address, Hello.of(Hello.Role.CLIENT, "flood", 0), this).attach(address);
    }

    private void tick() {
        if (cluster.simulation().nowNanos() >= endNanos) {
            cluster.simulation().network().crash(List.of(env));
            return;
        }
        env.execute(() -> List.copyOf(links).forEach(this::flood));
        cluster.simulation().after(TICK_NANOS, this::tick);
    }

    private void flood(Link link) {
        if (!link.isUp() || link.isFull()) {
            return;
        }
        if (random.nextInt(50) == 0) {
            beginMessage(link);
            return;
        }
        ControlMessage message = switch (random.nextInt(3)) {
            case 0 -> new FindTable("t");
            case 1 -> new FetchStatus(true);
            default -> new FetchBlock(1, 0);
        };
        for (int k = random.nextInt(BURST_MAX); k > 0; k--) {
            ControlFrame.send(env, link, ControlFrame.REQUEST, ++correlation, message);
        }
        link.flush();
    }

    /** The other end keeps what has come of the message, which never ends. */
    private static void beginMessage(Link link) {
        link.claim(8 + FRAGMENT_BYTES)
                .writeIntLE(8 + FRAGMENT_BYTES)
                .writeIntLE(Opcode.FRAGMENT)
                .writeZero(FRAGMENT_BYTES);
        link.commit();
        link.flush();
    }

    @Override
    public void onLinkUp(Link link) {
        links.add(link);
    }

    @Override
    public void onFrames(Link link, ByteBuf frames) {
        for (int at = frames.readerIndex(); at < frames.writerIndex(); at += frames.getIntLE(at)) {
            if (frames.getByte(at + Integer.BYTES) == Opcode.CONTROL) {
                ControlMessage answer = ControlFrame.read(frames, at, frames.getIntLE(at));
                if (answer instanceof Refused no && no.reason() == Refusal.BUSY) {
                    refused++;
                } else {
                    answered++;
                }
            }
        }
    }

    @Override
    public void onLinkDown(Link link, String reason) {
        links.remove(link);
        env.schedule(REDIAL_NANOS, () -> dial((String) link.attachment()));
    }
}
