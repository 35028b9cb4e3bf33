package io.sdds.coordinator.control;

import io.netty.buffer.ByteBuf;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.CoordinatorDescribed;
import io.sdds.core.control.ControlMessage.DescribeCoordinator;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ProtocolViolation;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Asks the other coordinators who they are and what they have of the log, until each has said so. On its environment's thread. */
public final class Introduction implements Node {
    private static final long AGAIN_NANOS = 100_000_000L;
    private static final long ANSWER_NANOS_MAX = 1_000_000_000L;
    private static final int MESSAGE_BYTES = 128;

    private final Env env;
    private final String self;
    private final Map<String, String> open;
    private final Map<String, CoordinatorDescribed> described = new LinkedHashMap<>();
    private final Consumer<Map<String, CoordinatorDescribed>> done;
    private boolean closed;

    /**
     * @param self id of the one who asks
     * @param others addresses of the others by their ids
     * @param done hears, once, what each has said, by the id it is known by here
     */
    public Introduction(
            Env env, String self, Map<String, String> others, Consumer<Map<String, CoordinatorDescribed>> done) {
        this.env = env;
        this.self = self;
        this.open = new LinkedHashMap<>(others);
        this.done = done;
    }

    /** Begins to ask. */
    public void start() {
        open.keySet().forEach(this::dial);
    }

    /** Asks nobody any more. */
    public void close() {
        closed = true;
    }

    private void dial(String id) {
        String address = open.get(id);
        if (address != null && !closed) {
            Link link = env.dial(address, Hello.of(Hello.Role.COORDINATOR, self, 0), this);
            link.attach(id);
            env.schedule(ANSWER_NANOS_MAX, link::close);
        }
    }

    @Override
    public void onLinkUp(Link link) {
        ByteBuf bytes = env.allocate(MESSAGE_BYTES);
        try {
            ControlFrame.write(bytes, ControlFrame.REQUEST, 1, new DescribeCoordinator(self));
            link.claim(bytes.readableBytes()).writeBytes(bytes);
            link.commit();
            link.flush();
        } finally {
            bytes.release();
        }
    }

    @Override
    public void onFrames(Link link, ByteBuf frames) {
        int at = frames.readerIndex();
        if (frames.getByte(at + 4) != Opcode.CONTROL) {
            link.violated(new ProtocolViolation("a coordinator answers with control messages only"));
            return;
        }
        ControlMessage answer = ControlFrame.read(frames, at, frames.getIntLE(at));
        if (answer instanceof CoordinatorDescribed told
                && link.attachment() instanceof String id
                && open.remove(id) != null) {
            described.put(id, told);
        }
        link.close(); // who is not ready is asked again
        if (open.isEmpty() && !closed) {
            closed = true;
            done.accept(described);
        }
    }

    @Override
    public void onLinkDown(Link link, String reason) {
        if (link.attachment() instanceof String id) {
            env.schedule(AGAIN_NANOS, () -> dial(id));
        }
    }
}
