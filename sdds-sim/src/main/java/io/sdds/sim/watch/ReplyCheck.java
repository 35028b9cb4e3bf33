package io.sdds.sim.watch;

import io.netty.buffer.ByteBuf;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import io.sdds.sim.frame.FrameText;
import io.sdds.sim.world.Coverage;
import io.sdds.sim.world.RareEvent;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.SimNetwork;
import io.sdds.sim.world.SimulationFailure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Checks that each request gets one reply on its connection, as long as the connection exists. A request to all bricks
 * is an exception: each stage of a brick, or each partition, may reply at most once. Also checks that all replies with
 * the result of a write have the same result, even if the write was sent repeatedly, because a write that ran twice has
 * two versions.
 */
public final class ReplyCheck implements SimNetwork.FrameWatch {
    private static final int SHOWN_MAX = 5;

    private final Coverage coverage;
    private final int stages;
    private final Map<Asked, Request> open = new LinkedHashMap<>();
    private final Map<WriteId, Result> results = new HashMap<>();

    /** Requests that were sent as datagrams. They may be answered on any connection of the sender, and repeatedly. */
    private final Map<Sent, Optional<WriteId>> datagrams = new HashMap<>();

    /** Correlation id of a client. */
    private record Sent(int asker, int correlation) {}

    /** Connection, sender and correlation id of an open request. */
    private record Asked(long connection, int asker, int correlation) {}

    /**
     * An open request.
     *
     * @param toAll whether the request went to all bricks, of which each may stay silent
     * @param forMany whether each partition may reply
     * @param answersLeft number of stages that may still reply; each stage that had the key on arrival may reply, as
     *     two bricks may
     */
    private record Request(
            SimEnv from, SimEnv to, @Nullable WriteId write, boolean toAll, boolean forMany, int answersLeft) {
        /**
         * The request after a reply, if further replies may follow; else null. A stage may refuse a request to all
         * bricks before the stage knows the receiver.
         */
        @Nullable
        Request after(boolean refused) {
            if (!toAll) {
                return null;
            }
            return forMany || refused ? this : new Request(from, to, write, true, false, answersLeft - 1);
        }
    }

    private record WriteId(long session, long seq) {}

    /** What was answered, and to whom first. */
    private record Result(byte status, long value, SimEnv heardBy) {}

    private final Set<WriteId> mayBeRepeated = new HashSet<>();

    /** @param stages number of stages of each brick */
    public ReplyCheck(Coverage coverage, int stages) {
        this.coverage = coverage;
        this.stages = stages;
    }

    @Override
    public void onFrame(long connection, SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        byte opcode = frame.getByte(index + 4);
        if (opcode == Opcode.CANCEL) {
            return; // has no answer
        }
        if (Opcode.isRequest(opcode)) {
            Asked asked = new Asked(connection, from.index(), frame.getIntLE(index + RequestFrame.CORRELATION));
            WriteId write = Opcode.isWrite(opcode)
                    ? new WriteId(
                            frame.getLongLE(index + RequestFrame.SESSION), frame.getLongLE(index + RequestFrame.SEQ))
                    : null;
            int flags = frame.getByte(index + RequestFrame.FLAGS);
            boolean toAll = (flags & RequestFrame.FLAG_MULTICAST) != 0;
            boolean forMany = toAll && opcode == Opcode.RANGE && (flags & RequestFrame.FLAG_PARALLEL) != 0;
            if (open.put(asked, new Request(from, to, write, toAll, forMany, stages)) != null) {
                throw new SimulationFailure(
                        "one correlation id for two requests: " + FrameText.of(frame, index, length));
            }
        } else if (opcode == Opcode.REPLY) {
            if (frame.getByte(index + ReplyFrame.STATUS) == Status.INTERNAL_ERROR) {
                throw new SimulationFailure(from + " failed at a request of " + to + ": its log has the cause");
            }
            Asked asked = new Asked(connection, to.index(), frame.getIntLE(index + ReplyFrame.CORRELATION));
            Request request = open.remove(asked);
            Optional<WriteId> datagram = datagrams.get(new Sent(to.index(), asked.correlation()));
            if (datagram != null) {
                datagram.ifPresent(write -> answered(write, to, frame, index, length));
                if (request != null) {
                    open.put(asked, request);
                }
                return;
            }
            boolean refused = frame.getByte(index + ReplyFrame.STATUS) == Status.BUSY;
            if (request == null || request.answersLeft() == 0 && !refused) {
                throw new SimulationFailure(from + " answers " + to + " over #" + connection
                        + " what it was not asked, or answered before: " + FrameText.of(frame, index, length));
            }
            Request left = request.after(refused);
            if (left != null) {
                open.put(asked, left);
            }
            if (request.write() != null) {
                answered(request.write(), to, frame, index, length);
            }
        }
    }

    @Override
    public void onDatagram(SimEnv from, ByteBuf frame, int index, int length) {
        Sent sent = new Sent(from.index(), frame.getIntLE(index + RequestFrame.CORRELATION));
        datagrams.put(
                sent,
                Opcode.isWrite(frame.getByte(index + RequestFrame.OPCODE))
                        ? Optional.of(new WriteId(
                                frame.getLongLE(index + RequestFrame.SESSION),
                                frame.getLongLE(index + RequestFrame.SEQ)))
                        : Optional.empty());
    }

    /** Partitions are lost, together with kept results. Any write that was requested before may take effect again. */
    public void onLoss() {
        mayBeRepeated.addAll(results.keySet());
        open.values().stream().map(Request::write).filter(Objects::nonNull).forEach(mayBeRepeated::add);
        datagrams.values().forEach(write -> write.ifPresent(mayBeRepeated::add));
    }

    private void answered(WriteId write, SimEnv to, ByteBuf frame, int index, int length) {
        byte status = frame.getByte(index + ReplyFrame.STATUS);
        int body = ReplyFrame.body(frame, index);
        if (status > Status.UPDATE_FAILED || index + length - body < Long.BYTES) {
            return;
        }
        long value = frame.getLongLE(body);
        Result before = results.putIfAbsent(write, new Result(status, value, to));
        if (before == null) {
            return;
        }
        if (mayBeRepeated.contains(write)) {
            return;
        }
        if (before.status() != status || before.value() != value) {
            throw new SimulationFailure("write " + write.seq() + " of session " + write.session()
                    + " has two results: status " + before.status() + " with " + before.value() + ", and status "
                    + status + " with " + value + ", told to " + to);
        }
        if (before.heardBy().equals(to)) {
            coverage.hit(RareEvent.ANSWERED_AGAIN);
        }
    }

    /**
     * Describes requests without a reply although the connection exists.
     *
     * @param isWhole whether a connection exists for both of its ends
     */
    public List<String> missing(LongPredicate isWhole) {
        List<String> missing = new ArrayList<>();
        open.forEach((asked, request) -> {
            if (!request.toAll() && isWhole.test(asked.connection()) && missing.size() < SHOWN_MAX) {
                missing.add(request.from() + " asked " + request.to() + " over #" + asked.connection()
                        + ": correlation " + asked.correlation() + " was never answered");
            }
        });
        return missing;
    }
}
