package io.sdds.testkit.sim;

import io.netty.buffer.ByteBuf;
import io.sdds.core.protocol.Opcode;
import io.sdds.testkit.sim.SimNetwork.Fate;

/** Where the entries of a group's log have what, as a primary sends them, and what bugs do to them. */
final class PlantedEntries {
    static final int KIND = 4;
    static final int SESSION = 32;
    static final int RESULT = 56;
    static final int BODY = 80;
    static final byte CLEAR = 3;
    static final byte HANDOVER = 4;
    static final byte HANDOVER_ALL = 5;
    static final byte TAKE = 6;

    private static final int FIRST = 56;
    private static final int LEVEL = 88;
    private static final long OTHER_LEVEL = 31;

    private PlantedEntries() {}

    /** What is done to an entry that is received. */
    interface Tampering {
        void on(ByteBuf frame, int at);
    }

    static SimNetwork.FrameFilter each(Tampering tampering) {
        return (from, to, frame, index, length) -> {
            if (frame.getByte(index + 4) == Opcode.PREPARE) {
                for (int at = index + FIRST; at < index + length; at += frame.getIntLE(at)) {
                    tampering.on(frame, at);
                }
            }
            return Fate.SENT;
        };
    }

    static SimNetwork.FrameFilter each(byte kind, Tampering tampering) {
        return each((frame, at) -> {
            if (frame.getByte(at + KIND) == kind) {
                tampering.on(frame, at);
            }
        });
    }

    /** Whoever receives such an entry, of a hash table's partition, does not do what it says. */
    static SimNetwork.FrameFilter ignored(byte kind) {
        return each(kind, (frame, at) -> frame.setLongLE(at + LEVEL, OTHER_LEVEL));
    }
}
