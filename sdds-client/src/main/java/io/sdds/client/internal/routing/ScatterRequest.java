package io.sdds.client.internal.routing;

import io.netty.buffer.ByteBuf;
import io.sdds.core.model.KeySpan;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.protocol.RequestFrame;
import org.jspecify.annotations.Nullable;

/** A range query that goes to all bricks of a table. Each partition of the range answers it. */
final class ScatterRequest extends RangeRequest {
    private final ScatterSweep sweep;
    private @Nullable KeySpan answering;

    ScatterRequest(ScatterSweep sweep, KeyBounds bounds, long deadlineNanos) {
        super(sweep, bounds, sweep.firstBytes(), deadlineNanos);
        this.sweep = sweep;
    }

    @Override
    boolean isForMany() {
        return true;
    }

    @Override
    int flags() {
        return super.flags()
                | RequestFrame.FLAG_PARALLEL
                | (sweep.isProbabilistic() ? RequestFrame.FLAG_FOUND_ONLY : 0);
    }

    @Override
    void spanTold(KeySpan span) {
        answering = span;
    }

    @Override
    protected void answered(byte status, ByteBuf frame, int body, int end) {
        KeySpan span = answering;
        answering = null;
        if (span == null) {
            throw new ProtocolViolation("answer to a range query that went to all, without a span");
        }
        if (sweep.accepts(this)) {
            sweep.onAnswer(span, frame, body, end);
        }
    }

    @Override
    void silent() {
        sweep.onSilence();
    }
}
