package io.sdds.core.node;

import io.netty.buffer.ByteBuf;
import io.sdds.core.protocol.ChecksumMismatch;
import io.sdds.core.protocol.ClusterId;
import io.sdds.core.protocol.Features;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.HelloFrame;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.Printable;
import io.sdds.core.protocol.ProtocolViolation;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One connection between two nodes, as frames. A link knows who is at its other end, and notices when the other end
 * falls silent. Outgoing frames are gathered until the end of a turn. Frames arrive in the order in which they were
 * sent; when a link goes down, the last frames may be lost. A link that is down is never opened again.
 *
 * <p>Only the thread of its node uses a link.
 */
public final class Link implements Connection.Listener {
    /** Pending bytes from which a link counts as full. Fewer bytes fill a link whose {@link UnreadBudget} is short. */
    public static final long PENDING_BYTES_FULL = 4 << 20;

    private static final int FRAME_HEADER = 8;
    private static final long HELLO_TIMEOUT_NANOS = 5_000_000_000L;

    /** Longest part of a peer's name that a log line holds. */
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
    private @Nullable KeepAlive keepAlive;
    private boolean unwanted;
    private boolean foreign;
    private boolean requestsBlamed;
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

    /** The link of the end that dials. Its transport calls {@link #onOpened} or {@link #onClosed}. */
    public static Link dialed(Env env, Node node, Hello hello) {
        return new Link(env, node, () -> hello, true);
    }

    /** The link of the end that was dialed. This end answers the hello. */
    public static Link accepted(Env env, Node node, Supplier<Hello> hello) {
        return new Link(env, node, hello, false);
    }

    /**
     * A view of another stage's link that is up. The view is up from the start. The connection hands the view's frames,
     * as batches with their checksums, to the seen link, which sends them as they are ({@link #append}).
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

    /** A view of a link whose frames have no checksums; for tests. */
    public static Link view(Env env, Node node, Hello peer, Connection connection) {
        Link view = new Link(env, node, () -> peer, false);
        view.connection = connection;
        view.outbox.open(connection);
        view.peer = peer;
        return view;
    }

    /** Counts unread bytes against a budget from now on. To be called at most once, when the link comes up. */
    public void holdWithin(UnreadBudget budget) {
        outbox.holdWithin(budget);
    }

    /** Lets a view be full when the seen link is full by its budget. Only the seen link counts the bytes. */
    public void holdWithBudgetOf(Link seen) {
        outbox.holdWithBudgetOf(seen.outbox);
    }

    /**
     * Counts {@link #incomingBytes} against a budget from now on. To be called at most once, when the link comes up.
     */
    public void receiveWithin(IncomingBudget budget) {
        inbox.holdWithin(new IncomingBudget.Holding(budget, env, this));
    }

    /** Whether an answer of {@code bytes} may be begun. A short answer always may. */
    public boolean admits(long bytes) {
        return bytes <= UnreadBudget.SHARE_BYTES_MIN || outbox.hasRoom();
    }

    /** Whether this end opened the link. */
    public boolean isDialed() {
        return dialed;
    }

    /** Whether frames can be sent. */
    public boolean isUp() {
        return peer != null && !down;
    }

    /** Whether the link is closed. */
    public boolean isDown() {
        return down;
    }

    /** Whether the link was closed because its other end belongs to another cluster. */
    public boolean isForeign() {
        return foreign;
    }

    /** The hello of the other end. Only a link that is or was up has one. */
    public Hello peer() {
        if (peer == null) {
            throw new IllegalStateException("no hello yet");
        }
        return peer;
    }

    /** The protocol version that both ends use; 0 before the hello has come. */
    public int version() {
        return version;
    }

    /** Whether both ends support features: all these bits of {@link io.sdds.core.protocol.Features}. */
    public boolean has(long wanted) {
        return (features & wanted) == wanted;
    }

    /** Whether the other end's hello is of a brick or a coordinator. */
    boolean isWithServer() {
        return peer != null && peer.role() != Hello.Role.CLIENT;
    }

    /** Role, name and address of the other end, for log lines. */
    public String remote() {
        return (peer == null ? "" : peer.role() + " " + Printable.of(peer.name(), NAME_CHARS_MAX) + " ") + "at "
                + (connection == null ? "?" : connection.remote());
    }

    /**
     * Whether the process at the other end failed, and any request that it has not answered may be the cause. A process
     * that is killed blames no request.
     */
    public boolean blamesRequests() {
        return requestsBlamed;
    }

    /** The object that the node keeps with this link. */
    public @Nullable Object attachment() {
        return attachment;
    }

    public void attach(@Nullable Object value) {
        attachment = value;
    }

    /** Whether the other end is behind with reading, so that nothing new should be sent. Each flush judges anew. */
    public boolean isFull() {
        return outbox.isFull();
    }

    /** Tells this link that a view of it is about to find it full. Any thread may call. */
    public void willBeFoundFull() {
        outbox.willBeFoundFull();
    }

    /**
     * Makes room for a message of exactly {@code bytes}. The caller writes the message at the writer index and then
     * calls {@link #commit}. The message leaves with the next {@link #flush}, or earlier when hundreds of messages
     * wait. The link must be up.
     */
    public ByteBuf claim(int bytes) {
        return outbox.claim(bytes);
    }

    /**
     * A number that changes when {@link #claim} returns another buffer than before. Callers that keep a view of the
     * buffer's memory compare it.
     */
    public long buffers() {
        return outbox.buffers();
    }

    /** Ends the message that was claimed last. */
    public void commit() {
        outbox.commit();
    }

    /** Drops the message that was claimed and not committed. */
    public void abandon() {
        outbox.abandon();
    }

    /** Sends the frames of a view with the next {@link #flush}. The reference passes to this link. */
    public void append(ByteBuf frames) {
        outbox.append(frames);
    }

    /** Bytes that were sent and that the network has not taken yet. Any thread may call. */
    public long pendingBytes() {
        return outbox.pendingBytes();
    }

    /**
     * Sends the committed messages if they fill a batch, so that the other end works on them while this node writes to
     * other links. Fewer messages leave with the next {@link #flush}.
     */
    public void endBatch() {
        outbox.endBatch();
    }

    /** Sends the messages that were committed since the last flush. */
    public void flush() {
        outbox.flush();
        if (outbox.isOverflowing()) {
            closeBecause("the other end does not read its answers");
        }
    }

    /** Number of flushes: times that the link has given messages to the network. */
    public long flushes() {
        return outbox.flushes();
    }

    /** Stops reading until {@link #resumeReading} has been called as often as this method. */
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

    /** Closes the link, tells the other end and the log why, and calls {@link Node#onLinkDown}. */
    public void giveUp(String reason) {
        closeBecause(reason);
    }

    /**
     * Closes the link because this process fails. The node hears nothing of this.
     *
     * @param blamesRequests whether any request that came over the link and was not answered may be the cause
     */
    public void fail(String reason, boolean blamesRequests) {
        if (!down) {
            sayGoodbye(reason, blamesRequests);
            close();
        }
    }

    /**
     * Closes the link because the other end belongs to another cluster.
     *
     * @param cluster the cluster of this end
     */
    public void refuseForeign(ClusterId cluster) {
        Hello own = ownHello.get();
        foreign = true;
        closeBecause("it belongs to cluster " + peer().cluster() + ", this "
                + own.role().word() + " '" + own.name() + "' to cluster " + cluster);
    }

    /**
     * Closes the link once the flushed messages have left, or once a dial under way is answered. The node hears
     * {@link Node#onLinkDown}.
     */
    public void close() {
        unwanted = true;
        if (connection != null) {
            connection.close();
        }
    }

    /** Closes the link because the other end broke the protocol. Tells both builds if they differ. */
    public void violated(ProtocolViolation violation) {
        closeBecause(violation.getMessage() + (peer == null ? "" : otherBuild(ownHello.get(), peer)));
    }

    private static String otherBuild(Hello own, Hello peer) {
        return peer.build().equals(own.build()) ? "" : " (" + own.sender() + ", " + peer.sender() + ")";
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

    /** Bytes of memory that the link holds for messages of which not all bytes have come. */
    public long incomingBytes() {
        return inbox.heldBytes();
    }

    private void closeBecause(String reason) {
        if (down) {
            return;
        }
        Goodbye.log(this, reason, env.nowNanos());
        sayGoodbye(reason, false);
        close();
        onClosed(reason);
    }

    /**
     * Discards unflushed bytes, whose last message may not be whole, and sends GOODBYE if the peer still reads. An end
     * that dialed and has no hello can't know whether the other end has taken its own, and expects checksums by now: it
     * says nothing.
     */
    private void sayGoodbye(String reason, boolean blamesRequests) {
        outbox.discard();
        boolean isFormKnown = !dialed || peer != null;
        if (connection != null && isFormKnown && !isFull()) {
            Goodbye.write(claim(0), reason, blamesRequests);
            outbox.flush();
        }
    }

    /** Checks from time to time whether the other end lives and reads. */
    private void watch() {
        timer = env.schedule(KeepAlive.NANOS, this::watch);
        if (keepAlive == null) {
            keepAlive = new KeepAlive();
        }
        boolean paused = pauses > 0;
        boolean counts = isFull() || !outbox.hasRoom();
        String trouble = keepAlive.trouble(heard || paused, counts ? pendingBytes() : 0, outbox.takenBytes());
        heard = false;
        if (trouble != null) {
            closeBecause(trouble);
        } else if (keepAlive.wantsPing()) {
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
            return; // a frame before this one in the same read has closed the link
        }
        switch (buffer.getByte(index + 4)) {
            case Opcode.HELLO -> onHello(buffer, index, length);
            case Opcode.GOODBYE -> onGoodbye(buffer, index, length);
            case Opcode.PING -> pongDue = true;
            case Opcode.PONG -> {} // any received bytes are the sign of life
            default -> onFragment(buffer, index, length);
        }
    }

    /** Answers all pings of a read with one PONG, because each answer costs a flush. */
    private void sendPong() {
        if (isUp() && !isFull()) {
            sendBare(Opcode.PONG);
        }
    }

    /** The other end closes the link, for the reason in the frame. */
    private void onGoodbye(ByteBuf buffer, int index, int length) {
        String reason = Goodbye.read(buffer, index, length);
        requestsBlamed = Goodbye.blamesRequests(buffer, index);
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
        timer = env.schedule(KeepAlive.NANOS, this::watch);
        if (!dialed) {
            sayHello(own);
        }
        peer = hello;
        if (own.cluster().conflictsWith(hello.cluster())) { // the other end sees the conflict in this end's hello
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
