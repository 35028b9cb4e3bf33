package io.sdds.sim.watch;

import io.netty.buffer.ByteBuf;
import io.sdds.core.protocol.Limits;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.sim.frame.FrameText;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.SimNetwork;
import io.sdds.sim.world.SimulationFailure;

/** Checks that no request is forwarded more than twice for its address (LH*, section 3.2), and never endlessly. */
public final class Forwarding implements SimNetwork.FrameWatch {
    @Override
    public void onFrame(long connection, SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        if (Opcode.isRequest(frame.getByte(index + 4)) && tooFar(frame, index)) {
            throw new SimulationFailure(
                    "too many forwards, from " + from + " to " + to + ": " + FrameText.of(frame, index, length));
        }
    }

    private static boolean tooFar(ByteBuf frame, int index) {
        return frame.getByte(index + RequestFrame.HOPS) > Limits.HOPS_MAX
                || frame.getByte(index + RequestFrame.ADDRESSING_HOPS) > Limits.ADDRESSING_HOPS_MAX;
    }
}
