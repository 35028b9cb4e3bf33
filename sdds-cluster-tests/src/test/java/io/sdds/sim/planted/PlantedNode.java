package io.sdds.sim.planted;

import io.netty.buffer.ByteBuf;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage.Activate;
import io.sdds.core.control.ControlMessage.Done;
import io.sdds.core.control.ControlMessage.SnapshotAck;
import io.sdds.core.node.ForwardingNode;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.node.SilentConnection;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import io.sdds.sim.frame.DecodedRequest;
import io.sdds.sim.frame.DecodedSlice;
import io.sdds.sim.frame.FrameText;
import io.sdds.sim.frame.SliceHeader;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.world.PlantedFailure;
import io.sdds.sim.world.SimEnv;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Stands before a brick's node and takes some of what comes for itself. */
abstract class PlantedNode extends ForwardingNode {
    final SimEnv env;

    PlantedNode(SimEnv env, Node node) {
        super(node);
        this.env = env;
    }

    /** Whether the node shall never see the frame. */
    abstract boolean takes(Link link, ByteBuf frames, int at);

    @Override
    public void onFrames(Link link, ByteBuf frames) {
        int run = frames.readerIndex();
        for (int at = run; at < frames.writerIndex(); ) {
            int next = at + frames.getIntLE(at);
            if (takes(link, frames, at)) {
                String taken = FrameText.of(frames, at, next - at);
                env.simulation().tampering().happened(() -> env + " never sees " + taken);
                pass(link, frames, run, at);
                run = next;
            }
            at = next;
        }
        pass(link, frames, run, frames.writerIndex());
    }

    /** Hands the node frames as if they had come over a link. */
    final void pass(Link link, ByteBuf frames, int from, int to) {
        if (from < to) {
            ByteBuf part = frames.alloc().directBuffer(to - from);
            part.writeBytes(frames, from, to - from);
            super.onFrames(link, part);
            part.release();
        }
    }

    /** Acknowledges a SEAL, says of an Activate that it is done, and forgets both. */
    static final class ForgottenHandOvers extends PlantedNode {
        private static final long KNOWN_FOR_EVER = Long.MAX_VALUE;

        ForgottenHandOvers(SimEnv env, Node node) {
            super(env, node);
        }

        @Override
        boolean takes(Link link, ByteBuf frames, int at) {
            byte opcode = frames.getByte(at + 4);
            return opcode == Opcode.SLICE && takesSeal(link, frames, at)
                    || opcode == Opcode.CONTROL && takesActivate(link, frames, at);
        }

        private static boolean takesSeal(Link link, ByteBuf frames, int at) {
            if (!DecodedSlice.isSealed(frames, at, frames.getIntLE(at))) {
                return false;
            }
            SliceHeader slice = SliceHeader.read(frames, at);
            SnapshotAck acked = new SnapshotAck(slice.migration(), slice.attempt(), slice.number(), KNOWN_FOR_EVER);
            ControlFrame.write(link.claim(0), ControlFrame.NOTICE, 0, acked);
            link.commit();
            link.flush();
            return true;
        }

        private static boolean takesActivate(Link link, ByteBuf frames, int at) {
            if (!(ControlFrame.read(frames, at, frames.getIntLE(at)) instanceof Activate)) {
                return false;
            }
            int correlation = frames.getIntLE(at + ControlFrame.CORRELATION);
            ControlFrame.write(link.claim(0), ControlFrame.ANSWER, correlation, new Done(1));
            link.commit();
            link.flush();
            return true;
        }
    }

    /** Does not take some requests, and says nothing. */
    static final class ForgottenRequests extends PlantedNode {
        private static final int REQUESTS_A_FORGOTTEN_ONE = 1000;

        private final SplittableRandom random;

        ForgottenRequests(SimEnv env, Node node, SplittableRandom random) {
            super(env, node);
            this.random = random;
        }

        @Override
        boolean takes(Link link, ByteBuf frames, int at) {
            return Opcode.isRequest(frames.getByte(at + 4)) && random.nextInt(REQUESTS_A_FORGOTTEN_ONE) == 0;
        }
    }

    /** Takes a stranger's frames of one opcode as if they came from a brick. */
    static final class Gullible extends PlantedNode {
        private final byte opcode;
        private final Impostors impostors;

        Gullible(SimEnv env, Node node, byte opcode, Impostors impostors) {
            super(env, node);
            this.opcode = opcode;
            this.impostors = impostors;
        }

        /** Who the sender of a frame is taken for. */
        interface Impostors {
            /** What that brick says of itself; null: the frame is seen as what it is. */
            @Nullable
            Hello takenFor(SimEnv by, ByteBuf frames, int at, int length);
        }

        @Override
        boolean takes(Link link, ByteBuf frames, int at) {
            boolean isStrange = !ClusterPlan.isBrick(link.peer().name());
            int length = frames.getIntLE(at);
            Hello brick =
                    isStrange && frames.getByte(at + 4) == opcode ? impostors.takenFor(env, frames, at, length) : null;
            if (brick != null) {
                pass(Link.view(env, this, brick, new SilentConnection("nowhere")), frames, at, at + length);
            }
            return brick != null;
        }
    }

    /** Fails at some requests. */
    static final class Failing extends PlantedNode {
        private static final int REQUESTS_A_FAILURE = 1000;

        private final SplittableRandom random;

        Failing(SimEnv env, Node node, SplittableRandom random) {
            super(env, node);
            this.random = random;
        }

        @Override
        boolean takes(Link link, ByteBuf frames, int at) {
            if (Opcode.isRequest(frames.getByte(at + 4)) && random.nextInt(REQUESTS_A_FAILURE) == 0) {
                env.simulation().tampering().happened(() -> env + " fails at a request");
                throw new PlantedFailure("a request");
            }
            return false;
        }
    }

    /** Answers some puts at once, and has them done a moment later, over a connection of its own. */
    static final class EarlyAnswers extends PlantedNode {
        private static final int PUTS_AN_EARLY_ONE = 20;
        private static final long LATER_NANOS = 5_000_000;

        private final SplittableRandom random;
        private int correlation;

        EarlyAnswers(SimEnv env, Node node, SplittableRandom random) {
            super(env, node);
            this.random = random;
        }

        @Override
        boolean takes(Link link, ByteBuf frames, int at) {
            if (frames.getByte(at + 4) != Opcode.PUT
                    || frames.getByte(at + RequestFrame.HOPS) != 0
                    || random.nextInt(PUTS_AN_EARLY_ONE) != 0) {
                return false;
            }
            DecodedRequest request = DecodedRequest.read(frames, at, frames.getIntLE(at));
            env.schedule(LATER_NANOS, () -> doLater(request));
            ReplyFrame.writeHeader(
                    link.claim(ReplyFrame.HEADER), ReplyFrame.HEADER, 0, Status.OK, 0, request.correlation());
            link.commit();
            link.flush();
            return true;
        }

        private void doLater(DecodedRequest request) {
            Hello hello = Hello.of(Hello.Role.CLIENT, "later", 0);
            env.dial(env.name() + ":7000", hello, new Node() {
                @Override
                public void onLinkUp(Link up) {
                    ByteBuf frame = request.withCorrelation(++correlation).frame();
                    up.claim(frame.readableBytes()).writeBytes(frame);
                    up.commit();
                    up.flush();
                }

                @Override
                public void onFrames(Link from, ByteBuf frames) {
                    from.close();
                }

                @Override
                public void onLinkDown(Link down, String reason) {}
            });
        }
    }
}
