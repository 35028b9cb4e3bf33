package io.sdds.core.node;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The receiving half of a link: it cuts the received bytes into frames, puts fragments together, and counts the bytes
 * that it holds for messages of which not all bytes have come. {@link Outbox} is the sending half.
 */
final class Inbox {
    private final FrameAssembler assembler;
    private final Fragments fragments;
    private final FrameAssembler.Sink sink;
    private IncomingBudget.@Nullable Holding holding;

    Inbox(Env env, FrameAssembler.Sink sink) {
        this.assembler = new FrameAssembler(env, sink);
        this.fragments = new Fragments(env);
        this.sink = sink;
    }

    /** From now on the held bytes are counted against a budget. */
    void holdWithin(IncomingBudget.Holding counted) {
        holding = counted;
    }

    /** Takes bytes as they were received, and passes whole frames on. */
    void bytes(ByteBuf received) {
        assembler.bytes(received);
    }

    /** Takes a fragment, and passes the message on if this was its last fragment. */
    void fragment(ByteBuf buffer, int index, int length) {
        ByteBuf message = fragments.take(buffer, index, length);
        if (message != null) {
            sink.frames(message);
            message.release();
        }
    }

    /** See {@link FrameAssembler#helloHasCome}. */
    void helloHasCome(boolean checked) {
        assembler.helloHasCome(checked);
    }

    /** Bytes of memory held for messages of which not all bytes have come. */
    long heldBytes() {
        return (long) assembler.heldBytes() + fragments.heldBytes();
    }

    /** Tells the budget how many bytes are held now. The budget may close links for that, this one too. */
    void count() {
        if (holding != null) {
            holding.changed(heldBytes());
        }
    }

    void release() {
        assembler.release();
        fragments.release();
        count();
    }
}
