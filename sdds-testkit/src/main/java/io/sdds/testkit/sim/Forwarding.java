package io.sdds.testkit.sim;

import io.netty.buffer.ByteBuf;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage.HandOver;
import io.sdds.core.protocol.Limits;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.RequestFrame;
import java.util.ArrayDeque;

/**
 * That no request is forwarded more than twice for its address (LH*, section 3.2), and never without end. The bound is that of a quiet file: each
 * split that hands over while a request is on its way may cost it one forward more.
 */
final class Forwarding implements SimNetwork.FrameWatch {
    /** A deadline counts anew from each forward. */
    private static final int LIFETIMES = Limits.ADDRESSING_HOPS_MAX + 2;

    private static final int HAND_OVER = ControlFrame.types().indexOf(HandOver.class) + 1;

    private final Simulation simulation;
    private final long lifetimeNanos;
    private final ArrayDeque<Long> handOvers = new ArrayDeque<>();

    /** @param timeoutNanos of a request */
    Forwarding(Simulation simulation, long timeoutNanos) {
        this.simulation = simulation;
        this.lifetimeNanos = LIFETIMES * timeoutNanos;
    }

    @Override
    public void onFrame(long connection, SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        byte opcode = frame.getByte(index + 4);
        if (opcode == Opcode.CONTROL && frame.getUnsignedShortLE(index + ControlFrame.CODE) == HAND_OVER) {
            handOvers.add(simulation.nowNanos());
        } else if (Opcode.isRequest(opcode) && tooFar(frame, index)) {
            throw new SimulationFailure(
                    "too many forwards, from " + from + " to " + to + ": " + FrameText.of(frame, index, length));
        }
    }

    private boolean tooFar(ByteBuf frame, int index) {
        int forAddress = frame.getByte(index + RequestFrame.ADDRESSING_HOPS);
        return frame.getByte(index + RequestFrame.HOPS) > Limits.HOPS_MAX
                || (forAddress > Limits.ADDRESSING_HOPS_MAX
                        && forAddress > Limits.ADDRESSING_HOPS_MAX + handOversDuringARequest());
    }

    private int handOversDuringARequest() {
        while (!handOvers.isEmpty() && handOvers.peekFirst() < simulation.nowNanos() - lifetimeNanos) {
            handOvers.removeFirst();
        }
        return handOvers.size();
    }
}
