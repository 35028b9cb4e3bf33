package io.sdds.coordinator.control;

import io.netty.buffer.ByteBuf;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.node.FakeWorld;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.protocol.Features;
import io.sdds.core.protocol.Hello;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A client or brick that sends requests to a coordinator and keeps the answers and notices. */
public class FakePeer implements Node {
    protected final FakeWorld world;
    protected final FakeWorld.FakeEnv env;
    protected final List<ControlMessage> notices = new ArrayList<>();
    protected @Nullable Link link;
    public boolean down;
    protected long supported = Features.ALL;
    protected String downBecause = "";
    private final Map<Integer, ControlMessage> answers = new TreeMap<>();
    private int correlation;

    public FakePeer(FakeWorld world) {
        this.world = world;
        this.env = world.newEnv();
    }

    public void dial(String address, Hello.Role role, String name) {
        dial(address, Hello.of(role, name, 0).withFeatures(supported));
    }

    void dial(String address, Hello hello) {
        link = env.dial(address, hello, this);
        down = false;
        world.run(Duration.ofMillis(1));
    }

    /** Sends a request and does not wait. */
    public int send(ControlMessage message) {
        Link to = link();
        int id = ++correlation;
        ByteBuf bytes = env.allocate(256);
        ControlFrame.write(bytes, ControlFrame.REQUEST, id, message);
        to.claim(bytes.readableBytes()).writeBytes(bytes);
        to.commit();
        to.flush();
        return id;
    }

    /** Sends a request, and waits a little for the answer. */
    public ControlMessage ask(ControlMessage message) {
        int id = send(message);
        world.run(Duration.ofMillis(2));
        ControlMessage answer = answer(id);
        if (answer == null) {
            throw new AssertionError("no answer to " + message);
        }
        return answer;
    }

    public @Nullable ControlMessage answer(int id) {
        return answers.get(id);
    }

    Link link() {
        if (link == null) {
            throw new IllegalStateException("not dialed");
        }
        return link;
    }

    public void hangUp() {
        link().close();
        world.run(Duration.ofMillis(1));
    }

    /** Kills the process. */
    public void crash() {
        env.crash();
        world.run(Duration.ofMillis(1));
    }

    protected void onAnswer(ControlMessage message) {}

    @Override
    public void onLinkUp(Link up) {}

    @Override
    public void onFrames(Link from, ByteBuf frames) {
        int at = frames.readerIndex();
        while (at < frames.writerIndex()) {
            int length = frames.getIntLE(at);
            ControlMessage message = ControlFrame.read(frames, at, length);
            if (frames.getByte(at + ControlFrame.KIND) == ControlFrame.NOTICE) {
                notices.add(message);
            } else {
                answers.put(frames.getIntLE(at + ControlFrame.CORRELATION), message);
            }
            onAnswer(message);
            at += length;
        }
    }

    @Override
    public void onLinkDown(Link gone, String reason) {
        down = true;
        downBecause = reason;
    }
}
