package io.sdds.core.stage;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.node.Link;

/** The answer to control requests that a node has no room for. It is encoded once: a refusal must cost little. */
final class ControlRefusal {
    private static final long HINT_MILLIS_MIN = 10;
    private static final long HINT_MILLIS_MAX = 1000;
    private static final long MILLI = 1_000_000L;

    private final ByteBuf frame = Unpooled.buffer();

    /** Index of the hint in the encoded answer: the hint is the last component. */
    private final int hint;

    ControlRefusal() {
        Refused busy = new Refused(Refusal.BUSY, "too many control requests of clients wait here", 0);
        ControlFrame.write(frame, ControlFrame.ANSWER, 0, busy);
        hint = frame.writerIndex() - Integer.BYTES;
    }

    /** Refuses a request. The client may try again after the hint's time, within bounds. */
    void write(Link link, int correlation, long hintNanos) {
        int hintMillis = (int) Math.max(HINT_MILLIS_MIN, Math.min(HINT_MILLIS_MAX, hintNanos / MILLI));
        frame.setIntLE(ControlFrame.CORRELATION, correlation).setIntLE(hint, hintMillis);
        link.claim(frame.readableBytes()).writeBytes(frame, 0, frame.readableBytes());
        link.commit();
    }
}
