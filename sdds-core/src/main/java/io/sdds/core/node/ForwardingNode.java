package io.sdds.core.node;

import io.netty.buffer.ByteBuf;

/** Passes everything on to another node. A subclass sees what comes before the other node does. */
public abstract class ForwardingNode implements Node {
    private final Node node;

    protected ForwardingNode(Node node) {
        this.node = node;
    }

    @Override
    public void onLinkOpened(Link link) {
        node.onLinkOpened(link);
    }

    @Override
    public void onLinkUp(Link link) {
        node.onLinkUp(link);
    }

    @Override
    public void onFrames(Link link, ByteBuf frames) {
        node.onFrames(link, frames);
    }

    @Override
    public void onDamagedBytes(Link link) {
        node.onDamagedBytes(link);
    }

    @Override
    public void onLinkDown(Link link, String reason) {
        node.onLinkDown(link, reason);
    }

    @Override
    public void onWritable(Link link) {
        node.onWritable(link);
    }
}
