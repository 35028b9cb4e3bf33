package io.sdds.core.node;

import io.netty.buffer.ByteBuf;

/** A deterministic single-threaded state machine at the ends of links: a brick's stage, a coordinator, a client. */
public interface Node {
    /** A peer has connected and has not sent its hello yet. */
    default void onLinkOpened(Link link) {}

    /** The hello of the other end has come and was accepted. */
    void onLinkUp(Link link);

    /**
     * Whole frames have come, one after the other from the reader index on. The buffer belongs to the caller: it is
     * valid during the call, and longer only if it is retained.
     */
    void onFrames(Link link, ByteBuf frames);

    /**
     * Received bytes were damaged, because their checksum is wrong. The link is closed next, and the bytes have no
     * effect.
     */
    default void onDamagedBytes(Link link) {}

    /** The link is gone, or a dial failed; never called twice. Frames sent may or may not have arrived. */
    void onLinkDown(Link link, String reason);

    /** The other end takes frames again after {@link Link#isFull} refused. */
    default void onWritable(Link link) {}
}
