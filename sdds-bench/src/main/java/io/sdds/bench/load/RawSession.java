package io.sdds.bench.load;

import io.netty.buffer.ByteBuf;
import io.sdds.client.internal.routing.SequenceWindow;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.CloseSession;
import io.sdds.core.control.ControlMessage.OpenSession;
import io.sdds.core.control.ControlMessage.RenewSession;
import io.sdds.core.control.ControlMessage.SessionOpened;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.RequestFrame;
import org.jspecify.annotations.Nullable;

/** The session of the writes of a raw client, renewed over a connection to the leading coordinator. */
final class RawSession implements Node {
    private static final int RENEWALS_A_LEASE = 3;
    private static final long MILLI = 1_000_000;

    private final Env env;
    private final RawLoop loop;
    private final SequenceWindow seqs = new SequenceWindow();
    private long number;
    private @Nullable Link link;

    RawSession(Env env, RawLoop loop) {
        this.env = env;
        this.loop = loop;
    }

    /** Opens the session. Reports success and failure to the loop, as connections do. */
    void open(String coordinator) {
        env.dial(coordinator, RawLoop.HELLO, this);
    }

    boolean hasRoom() {
        return seqs.hasRoom();
    }

    /** Numbers the write whose frame begins at an index, and returns the seq. */
    long stamp(ByteBuf out, int start) {
        long seq = seqs.open();
        out.setIntLE(start + RequestFrame.LOW_DISTANCE, (int) (seq - seqs.low()));
        out.setLongLE(start + RequestFrame.SESSION, number);
        out.setLongLE(start + RequestFrame.SEQ, seq);
        return seq;
    }

    /** A write has ended, or was refused, and is never sent again. */
    void ended(long seq) {
        seqs.close(seq);
    }

    void close() {
        if (link != null && link.isUp() && number != 0) {
            send(link, new CloseSession(number));
            link.close();
        }
    }

    @Override
    public void onLinkUp(Link opened) {
        link = opened;
        send(opened, new OpenSession("raw"));
    }

    @Override
    public void onFrames(Link from, ByteBuf frames) {
        int length;
        for (int at = frames.readerIndex(); at < frames.writerIndex(); at += length) {
            length = frames.getIntLE(at);
            if (frames.getByte(at + RequestFrame.OPCODE) == Opcode.CONTROL) {
                onMessage(from, ControlFrame.read(frames, at, length));
            }
        }
    }

    private void onMessage(Link from, ControlMessage message) {
        if (message instanceof SessionOpened opened) {
            number = opened.session();
            loop.onUp();
            renewLater(from, opened.leaseMillis() / RENEWALS_A_LEASE * MILLI);
        } else if (message instanceof ControlMessage.Refused refused) {
            loop.onTrouble(refused.text());
        }
    }

    private void renewLater(Link to, long nanos) {
        env.schedule(nanos, () -> {
            if (to.isUp()) {
                send(to, new RenewSession(number));
                renewLater(to, nanos);
            }
        });
    }

    private static void send(Link to, ControlMessage message) {
        ControlFrame.write(to.claim(0), ControlFrame.REQUEST, 0, message);
        to.commit();
        to.flush();
    }

    @Override
    public void onLinkDown(Link down, String reason) {
        loop.onTrouble(reason);
    }
}
