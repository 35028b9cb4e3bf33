package io.sdds.sim.world;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.SplittableRandom;

/**
 * One direction of a connection. Bytes that are flushed at one end arrive at the other end later and in order. The last
 * bytes may be lost.
 */
final class Wire {
    /*
     * Bytes have four states: unsent, while the window is full or the path is clogged; in flight; arrived; read. The
     * window opens when bytes are read. A blocked sender learns of this after a delay.
     */
    private final SimNetwork network;
    private final SimConnection sender;
    private final SimConnection receiver;
    private SimPath path;
    private final SplittableRandom random;
    private final ArrayDeque<Piece> unsent = new ArrayDeque<>();
    private final ArrayDeque<Piece> arrived = new ArrayDeque<>();
    private long unsentBytes;
    private long unreadBytes;
    private int arrivedBytes;
    private long sentTotal;
    private long arrivedTotal;
    private long keptTotal = Long.MAX_VALUE;
    private long wireFreeNanos;
    private long lastArrivalNanos;
    private boolean pumpScheduled;
    private boolean damaged;
    private boolean ending;
    private long endedNanos;
    private long brokenNanos;

    private static final class Piece {
        final byte[] bytes;
        int from;
        final int to;

        /** By the clock of the sender, whose turn may be ahead of the world: nothing leaves before. */
        final long flushedNanos;

        Piece(byte[] bytes, int from, int to, long flushedNanos) {
            this.bytes = bytes;
            this.from = from;
            this.to = to;
            this.flushedNanos = flushedNanos;
        }
    }

    Wire(SimNetwork network, SimConnection sender, SimConnection receiver, SplittableRandom random) {
        this.network = network;
        this.sender = sender;
        this.receiver = receiver;
        this.random = random;
        this.path = network.path(sender.env().name(), receiver.env().name());
    }

    /** One of the ends has moved to another machine. */
    void moved() {
        path = network.path(sender.env().name(), receiver.env().name());
    }

    /** Takes a copy of flushed bytes. */
    void add(ByteBuf bytes) {
        byte[] copy = new byte[bytes.readableBytes()];
        bytes.getBytes(bytes.readerIndex(), copy);
        if (copy.length > 0) {
            if (path.takesFlip()) {
                network.flipBit(copy, random);
                damaged = true;
            }
            unsent.add(new Piece(copy, 0, copy.length, sender.env().localNanos()));
            unsentBytes += copy.length;
        }
    }

    /** Whether a bit was flipped in this direction. */
    boolean isDamaged() {
        return damaged;
    }

    long unsentBytes() {
        return unsentBytes;
    }

    int arrivedBytes() {
        return arrivedBytes;
    }

    /** Sends as many bytes as the window admits. */
    void pump() {
        if (isBroken()) {
            return;
        }
        long now = sender.env().localNanos();
        if (path.heldUntilNanos() > now) {
            if (unsentBytes > 0) {
                coverage().hit(path.heldBy(now));
            }
            pumpAt(path.heldUntilNanos());
            return;
        }
        NetworkModel model = network.model();
        while (!unsent.isEmpty() && unreadBytes < model.windowBytes()) {
            Piece piece = unsent.getFirst();
            if (piece.flushedNanos > now) {
                pumpAt(piece.flushedNanos);
                return;
            }
            send(piece, (int) (model.windowBytes() - unreadBytes), now, model);
        }
        if (ending && unsent.isEmpty() && endedNanos > now) {
            pumpAt(endedNanos);
        } else if (ending && unsent.isEmpty()) {
            ending = false;
            network.simulation().at(arrivalNanos(now, 0, model), () -> receiver.hears("closed by the other end"));
        }
    }

    private void send(Piece piece, int room, long now, NetworkModel model) {
        int bytes = cut(Math.min(piece.to - piece.from, room), model);
        Piece part = new Piece(piece.bytes, piece.from, piece.from + bytes, now);
        piece.from += bytes;
        if (piece.from == piece.to) {
            unsent.removeFirst();
        }
        unsentBytes -= bytes;
        unreadBytes += bytes;
        sentTotal += bytes;
        network.simulation().at(arrivalNanos(now, bytes, model), () -> arrive(part));
    }

    private int cut(int bytes, NetworkModel model) {
        if (bytes > 1 && random.nextInt(100) < model.cutPercent()) {
            coverage().hit(RareEvent.CUT);
            return 1 + random.nextInt(bytes - 1);
        }
        return bytes;
    }

    private Coverage coverage() {
        return network.simulation().coverage();
    }

    private long arrivalNanos(long now, int bytes, NetworkModel model) {
        wireFreeNanos = Math.max(wireFreeNanos, now) + bytes * 1_000_000_000L / model.bytesPerSecond();
        long delay = network.delayNanos(random) + path.extraNanos(now, coverage());
        lastArrivalNanos = Math.max(lastArrivalNanos, wireFreeNanos + delay);
        return lastArrivalNanos;
    }

    private void arrive(Piece part) {
        int bytes = (int) Math.min(part.to - part.from, keptTotal - arrivedTotal);
        if (bytes > 0 && !receiver.isClosed()) {
            arrived.add(new Piece(part.bytes, part.from, part.from + bytes, part.flushedNanos));
            arrivedBytes += bytes;
            arrivedTotal += bytes;
            receiver.readable();
        }
    }

    /** Reads arrived bytes: all, a full buffer, or randomly fewer. */
    ByteBuf read(int most) {
        int bytes = cut(Math.min(arrivedBytes, most), network.model());
        ByteBuf in = receiver.env().allocate(bytes);
        while (in.readableBytes() < bytes) {
            Piece piece = arrived.getFirst();
            int part = Math.min(piece.to - piece.from, bytes - in.readableBytes());
            in.writeBytes(piece.bytes, piece.from, part);
            piece.from += part;
            if (piece.from == piece.to) {
                arrived.removeFirst();
            }
        }
        arrivedBytes -= bytes;
        unreadBytes -= bytes;
        if (unsentBytes > 0) {
            pumpAt(receiver.env().localNanos() + network.delayNanos(random));
        }
        return in;
    }

    private void pumpAt(long timeNanos) {
        if (!pumpScheduled) {
            pumpScheduled = true;
            network.simulation().at(timeNanos, this::pumpNow);
        }
    }

    /** Continues to send after the end of a blocking fault. */
    void pumpNow() {
        pumpScheduled = false;
        pump();
        sender.relieved();
    }

    /** The receiver learns of the end of the connection behind the flushed bytes. */
    void end() {
        ending = true;
        endedNanos = sender.env().localNanos();
        pump();
    }

    /** Breaks the connection: nothing is sent any more, and a random tail of the bytes in flight is lost. */
    void breaks() {
        brokenNanos = network.simulation().nowNanos();
        long onTheWay = sentTotal - arrivedTotal;
        keptTotal = arrivedTotal + (random.nextBoolean() ? onTheWay : random.nextLong(onTheWay + 1));
        if (keptTotal < sentTotal || unsentBytes > 0) {
            coverage().hit(RareEvent.TAIL_LOST);
        }
    }

    /** The instant at which the connection broke. */
    long brokenNanos() {
        return brokenNanos;
    }

    boolean isBroken() {
        return keptTotal != Long.MAX_VALUE;
    }

    /** The instant at which the receiver learns of a loss: at once, or much later during faults. */
    long hearingNanos() {
        long soon = network.delayNanos(random);
        return !network.isHealed() && random.nextInt(3) == 0 ? soon + random.nextLong(2_000_000_000L) : soon;
    }

    void forgetArrived() {
        arrived.clear();
        arrivedBytes = 0;
    }

    void forgetUnsent() {
        unsent.clear();
        unsentBytes = 0;
    }
}
