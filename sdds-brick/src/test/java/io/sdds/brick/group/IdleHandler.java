package io.sdds.brick.group;

import io.netty.buffer.ByteBuf;
import io.sdds.core.node.Link;
import io.sdds.core.stage.Stage;

/** The handler of a stage of which a test uses the queues alone: takes requests, and answers none. */
public final class IdleHandler implements Stage.Handler {
    @Override
    public int onRequests(Link from, ByteBuf frames, int at, int to) {
        return to;
    }

    @Override
    public void onProtocol(Link from, ByteBuf frames, int index, int length) {
        throw new IllegalStateException("a frame at the stage");
    }

    @Override
    public int onControl(Link from, ByteBuf frames, int index, int length) {
        throw new IllegalStateException("a control request at the stage");
    }
}
