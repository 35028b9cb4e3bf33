package io.sdds.sim.world;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.sdds.core.protocol.DatagramFrame;
import io.sdds.core.protocol.Opcode;
import io.sdds.sim.check.History;
import io.sdds.sim.frame.DecodedRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The datagrams between simulated nodes: groups, who has joined them, and what can go wrong with each datagram. */
public final class SimDatagrams {
    private static final int LOST_PERCENT = 10;
    private static final int DOUBLED_PERCENT = 5;
    private static final int LATE_PERCENT = 5;
    private static final long LATE_NANOS_MAX = 3_000_000_000L;

    private final SimNetwork network;
    private final SplittableRandom random;
    private final Map<String, List<Member>> groups = new TreeMap<>();
    private final List<History.Copy> lateWrites = new ArrayList<>();

    private record Member(SimEnv env, Consumer<ByteBuf> listener) {}

    SimDatagrams(SimNetwork network) {
        this.network = network;
        this.random = network.simulation().fork("datagrams");
    }

    /** Lets a node hear the datagrams that are sent to a group. */
    public void join(String group, SimEnv env, Consumer<ByteBuf> listener) {
        groups.computeIfAbsent(group, name -> new ArrayList<>()).add(new Member(env, listener));
    }

    /** Each member gets a copy in its own time, or not, or twice; nobody waits for those that are held up. */
    void multicast(SimEnv from, String group, ByteBuf datagram) {
        int frame = datagram.readerIndex() + DatagramFrame.HEADER;
        network.watches().forEach(watch -> watch.onDatagram(from, datagram, frame, datagram.writerIndex() - frame));
        DecodedRequest request = DecodedRequest.read(datagram, frame, datagram.writerIndex() - frame);
        History.Copy write = Opcode.isWrite(request.opcode())
                ? new History.Copy(new String(request.key(), StandardCharsets.UTF_8), from.localNanos())
                : null;
        List<Member> members = groups.getOrDefault(group, List.of());
        members.removeIf(member -> member.env().isStopped());
        for (Member member : members) {
            boolean lost = random.nextInt(100) < LOST_PERCENT
                    || network.path(from.name(), member.env().name()).heldUntilNanos()
                            > network.simulation().nowNanos();
            int copies = lost ? 0 : random.nextInt(100) < DOUBLED_PERCENT ? 2 : 1;
            if (copies != 1) {
                network.simulation().coverage().hit(lost ? RareEvent.DATAGRAM_LOST : RareEvent.DATAGRAM_DOUBLED);
            }
            boolean flips = network.path(from.name(), member.env().name()).takesFlip();
            for (int k = 0; k < copies; k++) {
                byte[] bytes = ByteBufUtil.getBytes(datagram);
                if (flips) {
                    network.flipBit(bytes, random);
                }
                deliver(from, member, bytes, write);
            }
        }
        datagram.release();
    }

    /** The datagrams of writes that are on their way long after others. */
    public List<History.Copy> lateWrites() {
        return List.copyOf(lateWrites);
    }

    /** @param write that it is a copy of; null: none */
    private void deliver(SimEnv from, Member member, byte[] bytes, History.@Nullable Copy write) {
        boolean late = random.nextInt(100) < LATE_PERCENT;
        if (late) {
            network.simulation().coverage().hit(RareEvent.DATAGRAM_OVERTAKEN);
        }
        long delayNanos = network.delayNanos(random) + (late ? random.nextLong(LATE_NANOS_MAX) : 0);
        if (late && write != null) {
            lateWrites.add(write);
        }
        network.simulation()
                .at(
                        from.localNanos() + delayNanos,
                        () -> member.env().deliver(() -> {
                            if (late && write != null) {
                                lateWrites.remove(write);
                            }
                            ByteBuf received =
                                    member.env().allocate(bytes.length).writeBytes(bytes);
                            member.listener().accept(received);
                            received.release();
                        }));
    }
}
