package io.sdds.core.node;

import io.netty.buffer.ByteBuf;

/** A deterministic single-threaded state machine at the ends of links: a brick's stage, a coordinator, a client. */
public interface Node {
    /** Somebody has connected, and has not said who it is. */
    default void onLinkOpened(Link link) {}

    /** The hello of the other end has come and was accepted. */
    void onLinkUp(Link link);

    /**
     * Whole frames have come, one after the other from the reader index on. The buffer is the caller's: valid during
     * the call, longer only if retained.
     */
    void onFrames(Link link, ByteBuf frames);

    /**
     * Bytes that came were not those that were sent: the checksum tells. The link is closed next; nothing of these
     * bytes takes effect.
     */
    default void onDamagedBytes(Link link) {}

    /** The link is gone, or a dial failed; never called twice. Frames sent may or may not have arrived. */
    void onLinkDown(Link link, String reason);

    /** The other end takes frames again after {@link Link#isFull} refused. */
    default void onWritable(Link link) {}
}
