package io.sdds.core.node;

import io.netty.buffer.ByteBuf;
import io.sdds.core.protocol.ChecksumMismatch;
import io.sdds.core.protocol.ClusterId;
import io.sdds.core.protocol.Features;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.HelloFrame;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ProtocolViolation;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One connection between two nodes, as frames: who is at the other end, and whether anybody still is. What goes out is
 * gathered until the end of a turn. First in, first out; when it goes down its tail may be lost. A link is never opened
 * again: a new one is a new generation.
 *
 * <p>Used by its node's thread alone.
 */
public final class Link implements Connection.Listener {
    /**
     * Pending bytes from which a link counts as full; fewer for one that holds part of an {@link UnreadBudget} of which
     * little is left.
     */
    public static final long PENDING_BYTES_FULL = 4 << 20;

    private static final int FRAME_HEADER = 8;
    private static final long HELLO_TIMEOUT_NANOS = 5_000_000_000L;

    /** Of a peer's name, in log lines. */
    private static final int NAME_CHARS_MAX = 64;

    private final Env env;
    private final Node node;
    private final Supplier<Hello> ownHello;
    private final boolean dialed;
    private final Inbox inbox;
    private final Outbox outbox;

    private @Nullable Connection connection;
    private @Nullable Hello peer;
    private int version;
    private long features;
    private @Nullable Timer timer;
    private @Nullable Vigil vigil;
    private boolean unwanted;
    private boolean foreign;
    private boolean down;
    private boolean heard;
    private boolean pongDue;
    private int pauses;
    private @Nullable Object attachment;

    private Link(Env env, Node node, Supplier<Hello> ownHello, boolean dialed) {
        this.env = env;
        this.node = node;
        this.ownHello = ownHello;
        this.dialed = dialed;
        this.outbox = new Outbox(env, this::onWritable);
        this.inbox = new Inbox(env, new FrameAssembler.Sink() {
            @Override
            public void frames(ByteBuf run) {
                passOn(run);
            }

            @Override
            public void linkFrame(ByteBuf buffer, int index, int length) {
                onLinkFrame(buffer, index, length);
            }
        });
    }

    /** The end that dials; its transport calls {@link #onOpened} or {@link #onClosed}. */
    public static Link dialed(Env env, Node node, Hello hello) {
        return new Link(env, node, () -> hello, true);
    }

    /** The end that was dialed; it answers the hello. */
    public static Link accepted(Env env, Node node, Supplier<Hello> hello) {
        return new Link(env, node, hello, false);
    }

    /**
     * A link of another stage, which is up, as this one sees it: up from the start, its frames are handed over by the
     * connection. What it writes, batches with their checksums included, the link that is seen takes as it is
     * ({@link #append}).
     */
    public static Link view(Env env, Node node, Link seen, Connection connection) {
        Link view = view(env, node, seen.peer(), connection);
        view.version = seen.version;
        view.features = seen.features;
        if (seen.has(Features.CHECKSUMS)) {
            view.outbox.checkFrames();
        }
        return view;
    }

    /** The same for tests: of a link whose frames have no checksums. */
    public static Link view(Env env, Node node, Hello peer, Connection connection) {
        Link view = new Link(env, node, () -> peer, false);
        view.connection = connection;
        view.outbox.open(connection);
        view.peer = peer;
        return view;
    }

    /** From now on what its other end does not read is counted against a budget. At most once, when it comes up. */
    public void holdWithin(UnreadBudget budget) {
        outbox.holdWithin(budget);
    }

    /** The same of a view: what the link that is seen holds is judged, and counted there alone. */
    public void holdWithBudgetOf(Link seen) {
        outbox.holdWithBudgetOf(seen.outbox);
    }

    /**
     * From now on what it holds of messages that are not whole is counted against a budget. At most once, when it comes
     * up.
     */
    public void receiveWithin(IncomingBudget budget) {
        inbox.holdWithin(new IncomingBudget.Holding(budget, env, this));
    }

    /** Whether an answer of so many bytes may be begun; a short one always may. */
    public boolean admits(long bytes) {
        return bytes <= UnreadBudget.SHARE_BYTES_MIN || outbox.hasRoom();
    }

    /** Whether this end opened it. */
    public boolean isDialed() {
        return dialed;
    }

    /** Whether frames can be sent. */
    public boolean isUp() {
        return peer != null && !down;
    }

    /** Whether it is gone for good. */
    public boolean isDown() {
        return down;
    }

    /** Whether it was closed because its other end belongs to another cluster. */
    public boolean isForeign() {
        return foreign;
    }

    /** Who is at the other end; only of a link that is or was up. */
    public Hello peer() {
        if (peer == null) {
            throw new IllegalStateException("no hello yet");
        }
        return peer;
    }

    /** The protocol version that both ends use; 0 before the hellos. */
    public int version() {
        return version;
    }

    /** Whether both ends support a feature: a bit of {@link io.sdds.core.protocol.Features}. */
    public boolean has(long feature) {
        return (features & feature) != 0;
    }

    /** Whether the other end has said that it is a brick or a coordinator. */
    boolean isWithServer() {
        return peer != null && peer.role() != Hello.Role.CLIENT;
    }

    /** The other end, for log lines. */
    public String remote() {
        return (peer == null ? "" : peer.role() + " " + Printable.of(peer.name(), NAME_CHARS_MAX) + " ") + "at "
                + (connection == null ? "?" : connection.remote());
    }

    /**
     * Of a link that is down: whether it was up and the other end closed it without a word, as the sockets of a process
     * do that has ended.
     */
    public boolean wasDropped() {
        return down && peer != null && !unwanted;
    }

    /** Whatever the node keeps with this link. */
    public @Nullable Object attachment() {
        return attachment;
    }

    public void attach(@Nullable Object value) {
        attachment = value;
    }

    /**
     * Whether the other end is behind with reading: start nothing new towards it. Judged anew at each flush, and while
     * it is.
     */
    public boolean isFull() {
        return outbox.isFull();
    }

    /** A view of it is about to find it full, by bytes that it holds. Any thread. */
    public void willBeFoundFull() {
        outbox.willBeFoundFull();
    }

    /**
     * Room for a message of exactly so many bytes: write them at the writer index, then call {@link #commit}. It leaves
     * with the next {@link #flush}, or as soon as some hundred messages wait for one. Only on a link that
     * {@link #isUp}.
     */
    public ByteBuf claim(int bytes) {
        return outbox.claim(bytes);
    }

    /**
     * Changes whenever {@link #claim} answers with another buffer than before; for those who keep a view of its memory.
     */
    public long buffers() {
        return outbox.buffers();
    }

    /** The message claimed last is written. */
    public void commit() {
        outbox.commit();
    }

    /** A message that was claimed and is not committed is given up: nothing of it leaves. */
    public void abandon() {
        outbox.abandon();
    }

    /** Takes what a view of this link wrote, whose reference passes over; it leaves with the next {@link #flush}. */
    public void append(ByteBuf frames) {
        outbox.append(frames);
    }

    /** Bytes sent and not yet given to the network; may be asked by any thread. */
    public long pendingBytes() {
        return outbox.pendingBytes();
    }

    /**
     * Messages to others follow: sends what was committed if it is a batch, so that the other end works on it
     * meanwhile; else it goes with the next {@link #flush}.
     */
    public void endBatch() {
        outbox.endBatch();
    }

    /** Sends what was committed since the last flush. */
    public void flush() {
        outbox.flush();
        if (outbox.isOverflowing()) {
            closeBecause("the other end does not read its answers");
        }
    }

    /** How often it has given messages to the network. */
    public long flushes() {
        return outbox.flushes();
    }

    /** Stops reading; counted: as many {@link #resumeReading} start it again. */
    public void pauseReading() {
        if (pauses++ == 0 && connection != null) {
            connection.reading(false);
        }
    }

    public void resumeReading() {
        if (--pauses == 0 && connection != null && !down) {
            connection.reading(true);
        }
    }

    /** Gives the other end up, tells it why, and says so in the log; the node hears {@link Node#onLinkDown}. */
    public void giveUp(String reason) {
        closeBecause(reason);
    }

    /**
     * Gives the other end up because it belongs to another cluster than this one.
     *
     * @param cluster of this end
     */
    public void refuseForeign(ClusterId cluster) {
        Hello own = ownHello.get();
        foreign = true;
        closeBecause("it belongs to cluster " + peer().cluster() + ", this "
                + own.role().word() + " '" + own.name() + "' to cluster " + cluster);
    }

    /**
     * Closes after what was flushed, or, while it is being dialed, as soon as that is answered; the node hears
     * {@link Node#onLinkDown}.
     */
    public void close() {
        unwanted = true;
        if (connection != null) {
            connection.close();
        }
    }

    /** The other end broke the protocol: says so in the log and closes this link. */
    public void violated(ProtocolViolation violation) {
        closeBecause(String.valueOf(violation.getMessage()));
    }

    @Override
    public void onOpened(Connection opened) {
        connection = opened;
        outbox.open(opened);
        if (unwanted) {
            opened.close();
            return;
        }
        timer = env.schedule(HELLO_TIMEOUT_NANOS, () -> closeBecause("no hello came in time"));
        if (dialed) {
            sayHello(own());
        } else {
            node.onLinkOpened(this);
        }
    }

    @Override
    public void onBytes(ByteBuf bytes) {
        if (down) {
            return;
        }
        heard = true;
        try {
            inbox.bytes(bytes);
        } catch (ChecksumMismatch e) {
            node.onDamagedBytes(this);
            violated(e);
        } catch (ProtocolViolation e) {
            violated(e);
        }
        if (pongDue) {
            pongDue = false;
            sendPong();
        }
        inbox.count();
    }

    @Override
    public void onWritable() {
        if (isUp()) {
            node.onWritable(this);
        }
    }

    @Override
    public void onClosed(String reason) {
        if (down) {
            return;
        }
        down = true;
        cancelTimer();
        inbox.release();
        outbox.close();
        node.onLinkDown(this, reason);
    }

    /** Bytes of memory that it holds for messages of which not all bytes have come. */
    public long incomingBytes() {
        return inbox.heldBytes();
    }

    private void closeBecause(String reason) {
        if (down) {
            return;
        }
        Goodbye.log(this, reason, env.nowNanos());
        sayGoodbye(reason);
        close();
        onClosed(reason);
    }

    /**
     * Discards what was not flushed, whose last message may not be whole, and sends GOODBYE if the peer still reads.
     */
    private void sayGoodbye(String reason) {
        outbox.discard();
        if (connection != null && !isFull()) {
            Goodbye.write(claim(0), reason);
            outbox.flush();
        }
    }

    /** Stands by the link once a while: is anybody there, and do they read? */
    private void watch() {
        timer = env.schedule(Vigil.NANOS, this::watch);
        if (vigil == null) {
            vigil = new Vigil();
        }
        boolean paused = pauses > 0;
        boolean counts = isFull() || !outbox.hasRoom();
        String trouble = vigil.trouble(heard || paused, counts ? pendingBytes() : 0, outbox.takenBytes());
        heard = false;
        if (trouble != null) {
            closeBecause(trouble);
        } else if (vigil.wantsPing()) {
            sendBare(Opcode.PING);
        }
    }

    private void sendBare(byte opcode) {
        claim(FRAME_HEADER).writeIntLE(FRAME_HEADER).writeIntLE(opcode);
        flush();
    }

    private void passOn(ByteBuf run) {
        if (peer == null) {
            throw new ProtocolViolation("frames before the hello");
        }
        if (!down) {
            node.onFrames(this, run);
        }
    }

    private void onLinkFrame(ByteBuf buffer, int index, int length) {
        if (down) {
            return; // by what came right before
        }
        switch (buffer.getByte(index + 4)) {
            case Opcode.HELLO -> onHello(buffer, index, length);
            case Opcode.GOODBYE -> onGoodbye(buffer, index, length);
            case Opcode.PING -> pongDue = true;
            case Opcode.PONG -> {} // it came: that is all it says
            default -> onFragment(buffer, index, length);
        }
    }

    /** One answers all pings of a read: each asks for a sign of life, and every answer costs a flush. */
    private void sendPong() {
        if (isUp() && !isFull()) {
            sendBare(Opcode.PONG);
        }
    }

    /** The other end closes the link, and says why. */
    private void onGoodbye(ByteBuf buffer, int index, int length) {
        String reason = Goodbye.read(buffer, index, length);
        close();
        onClosed("closed by the other end: " + reason);
    }

    private void onFragment(ByteBuf buffer, int index, int length) {
        if (peer == null) {
            throw new ProtocolViolation("fragment before the hello");
        }
        inbox.fragment(buffer, index, length);
    }

    private void onHello(ByteBuf buffer, int index, int length) {
        if (peer != null) {
            throw new ProtocolViolation("second hello");
        }
        Hello hello = HelloFrame.read(buffer, index, length);
        Hello own = own();
        version = own.commonVersion(hello);
        features = own.features() & hello.features();
        cancelTimer();
        timer = env.schedule(Vigil.NANOS, this::watch);
        if (!dialed) {
            sayHello(own);
        }
        peer = hello;
        if (own.cluster().conflictsWith(hello.cluster())) { // the other end sees it as well, by this end's hello
            refuseForeign(own.cluster());
            return;
        }
        boolean checked = has(Features.CHECKSUMS);
        if (checked) {
            outbox.checkFrames();
        }
        inbox.helloHasCome(checked);
        node.onLinkUp(this);
    }

    private Hello own() {
        Hello hello = ownHello.get();
        return hello.withFeatures(hello.features() & env.featuresAllowed());
    }

    private void sayHello(Hello own) {
        HelloFrame.write(claim(0), own);
        flush();
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
