package io.sdds.sim.world;

import io.netty.buffer.ByteBuf;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Opcode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sends numbered frames of random lengths to whom it is told to, and remembers what came in; echoes when asked to. */
final class ToyNode implements Node {
    private static final int HEADER = 16;

    final SimEnv env;
    final boolean echoes;
    final List<Long> received = new ArrayList<>();
    final List<String> ends = new ArrayList<>();
    int ups;
    int writable;
    String peerBuild = "";

    @Nullable
    Link link;

    ToyNode(SimEnv env, boolean echoes) {
        this.env = env;
        this.echoes = echoes;
    }

    Hello hello() {
        return Hello.of(Hello.Role.BRICK, env.name(), 1);
    }

    void listen(String address) {
        env.simulation().network().listen(address, env, this::hello, () -> this);
    }

    void dial(String address) {
        env.execute(() -> link = env.dial(address, hello(), this));
    }

    void send(long number, int bytes) {
        env.execute(() -> sendNow(number, bytes));
    }

    /** In a turn of this node. */
    void sendNow(long number, int bytes) {
        Link to = link;
        if (to != null && to.isUp()) {
            write(to, number, Math.max(HEADER, bytes));
            to.flush();
        }
    }

    private static void write(Link to, long number, int length) {
        ByteBuf out = to.claim(length);
        out.writeIntLE(length).writeIntLE(Opcode.SLICE).writeLongLE(number).writeZero(length - HEADER);
        to.commit();
    }

    @Override
    public void onLinkUp(Link up) {
        ups++;
        peerBuild = up.peer().build();
    }

    @Override
    public void onFrames(Link from, ByteBuf frames) {
        for (int at = frames.readerIndex(); at < frames.writerIndex(); at += frames.getIntLE(at)) {
            long number = frames.getLongLE(at + 8);
            received.add(number);
            if (echoes) {
                write(from, number, frames.getIntLE(at));
            }
        }
        from.flush();
    }

    @Override
    public void onLinkDown(Link down, String reason) {
        ends.add(reason);
        if (down == link) {
            link = null;
        }
    }

    @Override
    public void onWritable(Link to) {
        writable++;
    }
}
