package io.sdds.sim.world;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.core.node.Connection;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.BatchFrame;
import io.sdds.core.protocol.Checksum;
import io.sdds.core.protocol.Opcode;
import io.sdds.sim.frame.FrameText;
import java.util.ArrayDeque;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One end of a simulated connection. */
final class SimConnection implements Connection {
    private static final int READ_BYTES_MAX = 64 << 10;
    private static final int FRAGMENT_HEADER = 8;
    private static final int FRAGMENT_LAST = 5;

    /** Only one who watches whether anybody is there waits for so long, whatever its clock. */
    private static final long SILENT_NANOS = 12_000_000_000L;

    /** The same, whether anybody reads. */
    private static final long UNREAD_NANOS = 7_000_000_000L;

    private final SimNetwork network;
    private final SimEnv env;
    private final Listener listener;
    private final long number;
    private final String remote;
    private final SplittableRandom random;
    private final ArrayDeque<ByteBuf> unflushed = new ArrayDeque<>();
    private final Runnable read = this::read;

    @SuppressWarnings("NullAway.Init") // joined right after both are made
    private SimConnection peer;

    @SuppressWarnings("NullAway.Init")
    private Wire out;

    @SuppressWarnings("NullAway.Init")
    private Wire in;

    private @Nullable ByteBuf overtaken;
    private boolean withinMessage;
    private long unflushedBytes;
    private boolean reading = true;
    private boolean readQueued;
    private boolean full;
    private boolean closing;
    private boolean closed;

    SimConnection(
            SimNetwork network, SimEnv env, Listener listener, long number, String remote, SplittableRandom random) {
        this.network = network;
        this.env = env;
        this.listener = listener;
        this.number = number;
        this.remote = remote;
        this.random = random;
    }

    void join(SimConnection other) {
        peer = other;
        other.peer = this;
        out = new Wire(network, this, other, random.split());
        in = new Wire(network, other, this, random.split());
        other.out = in;
        other.in = out;
    }

    SimEnv env() {
        return env;
    }

    SimConnection peer() {
        return peer;
    }

    boolean isBetween(String one, String other) {
        return env.name().equals(one) && peer.env.name().equals(other)
                || env.name().equals(other) && peer.env.name().equals(one);
    }

    /** One of its ends is on another machine. */
    void moved() {
        out.moved();
        in.moved();
    }

    /** Whether the listener has heard the end, or never will. */
    boolean isClosed() {
        return closed;
    }

    /** Whether a flipped bit came, or comes, to this end. */
    boolean isDamaged() {
        return in.isDamaged();
    }

    boolean isWhole() {
        return !closing && !closed && !peer.closing && !peer.closed && !out.isBroken();
    }

    // ---- what the node does

    @Override
    public void write(ByteBuf bytes) {
        if (closing || closed) {
            bytes.release();
            return;
        }
        unflushed.add(bytes);
        unflushedBytes += bytes.readableBytes();
        if (!full && pendingBytes() > Link.PENDING_BYTES_FULL) {
            full = true;
            network.onFull(peer.env);
        }
    }

    @Override
    public void flush() {
        if (closing || closed) {
            return;
        }
        while (!unflushed.isEmpty()) {
            ByteBuf bytes = unflushed.removeFirst();
            send(bytes);
            bytes.release();
        }
        unflushedBytes = 0;
        out.pump();
        if (full && random.nextBoolean()) {
            relieved(); // an event loop may say so right inside the flush
        }
    }

    private void send(ByteBuf bytes) {
        if (env.isStranger() || peer.env.isStranger()) {
            env.charge(env.times().sendNanos(1, bytes.readableBytes()));
            out.add(bytes);
            return;
        }
        String problem = Frames.problem(env, bytes);
        if (problem != null) {
            throw new SimulationFailure(problem);
        }
        int[] frames = new int[1];
        Frames.each(bytes, (index, length) -> {
            frames[0]++;
            seen(bytes, index);
        });
        env.charge(env.times().sendNanos(frames[0], bytes.readableBytes()));
        SimNetwork.FrameFilter filter = network.filter();
        if (filter == null) {
            out.add(bytes);
        } else {
            sendFiltered(bytes, filter);
        }
    }

    private void sendFiltered(ByteBuf bytes, SimNetwork.FrameFilter filter) {
        for (int at = bytes.readerIndex(); at < bytes.writerIndex(); at += bytes.getIntLE(at)) {
            if (Frames.isBatch(bytes, at)) {
                sendFilteredBatch(bytes, at, filter);
            } else {
                sendFiltered(bytes, at, filter, out::add);
            }
        }
    }

    /** What the filter leaves of a batch travels in one too. */
    private void sendFilteredBatch(ByteBuf bytes, int index, SimNetwork.FrameFilter filter) {
        ByteBuf batch = Unpooled.buffer();
        BatchFrame.begin(batch);
        int end = index + bytes.getIntLE(index) - BatchFrame.TRAILER;
        Frames.within(
                bytes,
                index + BatchFrame.HEADER,
                end,
                (at, length) -> sendFiltered(
                        bytes,
                        at,
                        filter,
                        frame -> batch.writeBytes(frame, frame.readerIndex(), frame.readableBytes())));
        if (batch.readableBytes() > BatchFrame.HEADER) {
            BatchFrame.seal(batch, 0, new Checksum());
            out.add(batch);
        }
    }

    private void sendFiltered(ByteBuf bytes, int at, SimNetwork.FrameFilter filter, Consumer<ByteBuf> sink) {
        ByteBuf frame = bytes.slice(at, bytes.getIntLE(at));
        SimNetwork.Fate fate = filter.fate(env, peer.env, bytes.asReadOnly(), at, frame.readableBytes());
        boolean waits = fate.way() == SimNetwork.Fate.Way.OVERTAKEN;
        if (fate.changes(frame) && !(waits && overtaken != null)) {
            network.simulation()
                    .tampering()
                    .happened(() -> env + " -> " + peer.env + " #" + number + " " + fate.text());
        }
        if (waits && overtaken == null) {
            overtaken = frame.copy();
            return;
        }
        if (fate.way() != SimNetwork.Fate.Way.LOST) {
            sink.accept(fate.instead() == null ? frame : fate.instead());
        }
        if (overtaken != null) {
            sink.accept(overtaken);
            overtaken.release();
            overtaken = null;
        }
    }

    private void seen(ByteBuf bytes, int index) {
        int length = bytes.getIntLE(index);
        network.simulation()
                .trace()
                .line(() -> env + " -> " + peer.env + " #" + number + " " + FrameText.of(bytes, index, length));
        if (bytes.getByte(index + 4) != Opcode.FRAGMENT) {
            watched(bytes, index, length);
            return;
        }
        if (!withinMessage) {
            network.simulation().coverage().hit(RareEvent.FRAGMENTED);
            watched(bytes, index + FRAGMENT_HEADER, length - FRAGMENT_HEADER);
        }
        withinMessage = bytes.getByte(index + FRAGMENT_LAST) == 0;
    }

    private void watched(ByteBuf bytes, int index, int length) {
        for (SimNetwork.FrameWatch watch : network.watches()) {
            watch.onFrame(number, env, peer.env, bytes, index, length);
        }
    }

    @Override
    public long pendingBytes() {
        return (unflushedBytes + out.unsentBytes()) * network.model().pendingScale();
    }

    @Override
    public void reading(boolean on) {
        if (reading && !on) {
            network.simulation().coverage().hit(RareEvent.READING_PAUSED);
        }
        reading = on;
        readable();
    }

    @Override
    public void close() {
        if (!closing && !closed) {
            closing = true;
            countGivenUp();
            dropUnflushed();
            in.forgetArrived();
            out.end();
            env.deliver(() -> closes("closed here"));
        }
    }

    /** Whether this end has closed the connection. */
    boolean isClosing() {
        return closing;
    }

    private void countGivenUp() {
        long now = network.simulation().nowNanos();
        if (out.isBroken() && now - out.brokenNanos() >= SILENT_NANOS) {
            network.simulation().coverage().hit(RareEvent.HALF_OPEN_GIVEN_UP);
        } else if (full && peer.env.isPaused() && now - peer.env.pausedSinceNanos() >= UNREAD_NANOS) {
            network.simulation().coverage().hit(RareEvent.UNREAD_GIVEN_UP);
        }
    }

    @Override
    public String remote() {
        return remote;
    }

    // ---- what happens to it

    void opens() {
        env.deliver(() -> {
            if (!closed) {
                network.simulation().trace().fold(1, env.index(), number);
                listener.onOpened(this);
            }
        });
    }

    /** Bytes have arrived, or are read again. */
    void readable() {
        if (reading && !readQueued && !closing && !closed && in.arrivedBytes() > 0) {
            readQueued = true;
            env.deliver(read);
        }
    }

    private void read() {
        readQueued = false;
        if (!reading || closing || closed || in.arrivedBytes() == 0) {
            return;
        }
        ByteBuf bytes = in.read(READ_BYTES_MAX);
        env.charge(env.times().readNanos(bytes.readableBytes()));
        Trace trace = network.simulation().trace();
        trace.fold(2, env.index(), number);
        trace.fold(bytes);
        trace.line(() -> env + " <- " + peer.env + " #" + number + " " + bytes.readableBytes() + " bytes");
        try {
            listener.onBytes(bytes);
        } finally {
            bytes.release();
        }
        env.hasRead(listener);
        readable();
    }

    /** Pending bytes may have fallen low. */
    void relieved() {
        if (full && !closed && pendingBytes() < Link.PENDING_BYTES_FULL / 2) {
            full = false;
            if (network.simulation().running() == env) {
                listener.onWritable();
            } else {
                env.deliver(listener::onWritable);
            }
        }
    }

    void unclog() {
        if (out.unsentBytes() > 0) {
            out.pump();
            relieved();
        }
    }

    /** The connection is lost from now on, in both directions; false when it was already. */
    boolean breaks() {
        if (out.isBroken()) {
            return false;
        }
        out.breaks();
        in.breaks();
        return true;
    }

    void hearsLater(String reason) {
        network.simulation().after(in.hearingNanos(), () -> hears(reason));
    }

    /**
     * The end has come to this end's machine; the node hears it after what it has still to read, unless that is lost.
     */
    void hears(String reason) {
        if (env.isStopped()) {
            drop();
            forgetWhenBoth();
        } else {
            env.deliver(() -> hearsAfterReading(reason));
        }
    }

    private void hearsAfterReading(String reason) {
        if (reading && !closing && !closed && in.arrivedBytes() > 0) {
            read();
            env.deliver(() -> hearsAfterReading(reason));
        } else if (!reading && !closing && !closed && !in.isBroken() && in.arrivedBytes() > 0) {
            network.simulation().after(1_000_000, () -> hears(reason)); // an orderly end waits until it is read
        } else {
            closes(reason);
        }
    }

    private void closes(String reason) {
        if (closed) {
            return;
        }
        network.simulation().trace().fold(3, env.index(), number);
        network.simulation()
                .trace()
                .line(() -> env + " hears that #" + number + " to " + peer.env + " is down: " + reason);
        drop();
        if (!closing) { // the other end ended it: what it still sends to us goes nowhere
            closing = true;
            out.end();
        }
        listener.onClosed(reason);
        forgetWhenBoth();
    }

    private void forgetWhenBoth() {
        if (closed && peer.closed) {
            network.forget(number);
        }
    }

    /** Lets go of everything, without a word to the node. */
    void drop() {
        closed = true;
        dropUnflushed();
        in.forgetArrived();
        if (!closing) {
            out.forgetUnsent();
        }
    }

    private void dropUnflushed() {
        while (!unflushed.isEmpty()) {
            unflushed.removeFirst().release();
        }
        unflushedBytes = 0;
        if (overtaken != null) {
            overtaken.release();
            overtaken = null;
        }
    }

    @Override
    public String toString() {
        return "#" + number + " " + env + "-" + peer.env;
    }
}
