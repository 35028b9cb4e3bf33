package io.sdds.sim.cluster;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.node.BrickNode;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Request;
import io.sdds.core.addressing.PseudoKey;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.sim.world.Coverage;
import io.sdds.sim.world.RareEvent;
import java.util.HashMap;
import java.util.Map;

/** Counts rare events among the requests that arrive at one process of a brick. */
final class Arrivals {
    private static final int SESSION_SHIFT = 40;

    private final Coverage coverage;
    private final SimBrick brick;
    private final Request asked = new Request();

    /** By the id of a write, the newest connection over which the write came. */
    private final Map<Long, Integer> youngest = new HashMap<>();

    private int connections;

    Arrivals(Coverage coverage, SimBrick brick) {
        this.coverage = coverage;
        this.brick = brick;
    }

    /** Numbers a new connection. Newer connections have higher numbers. */
    int connection() {
        return ++connections;
    }

    /** A request has arrived over a connection. */
    void request(int connection, ByteBuf frame, int at) {
        byte opcode = frame.getByte(at + 4);
        if (frame.getIntLE(at) < RequestFrame.body(opcode)) {
            return; // a request of a stranger
        }
        int table = frame.getIntLE(at + RequestFrame.TABLE);
        int number = frame.getIntLE(at + RequestFrame.PARTITION);
        boolean isHere = false;
        for (BrickNode stage : brick.nodes()) {
            Partition partition = stage.tables().find(table, number);
            isHere |= partition != null;
            if (partition != null && partition.mover() != null && Opcode.isWrite(opcode)) {
                atParent(partition.mover(), frame, at);
            }
        }
        if (!isHere) {
            atChild(table, number);
        }
        if (Opcode.isWrite(opcode)) {
            write(connection, frame, at);
        }
    }

    private void write(int connection, ByteBuf frame, int at) {
        long session = frame.getLongLE(at + RequestFrame.SESSION);
        long id = session << SESSION_SHIFT ^ frame.getLongLE(at + RequestFrame.SEQ);
        Integer before = youngest.get(id);
        if (before == null || before < connection) {
            youngest.put(id, connection);
        }
        if (before != null && before != connection) {
            coverage.hit(RareEvent.DUPLICATED);
        }
        if (before != null && before > connection) {
            coverage.hit(RareEvent.REORDERED);
        }
    }

    private void atParent(Partition.Mover mover, ByteBuf frame, int at) {
        int keyLength = frame.getUnsignedShortLE(at + RequestFrame.KEY_LENGTH);
        if (keyLength == 0) {
            return;
        }
        asked.frame = Request.memoryOf(frame);
        asked.opcode = frame.getByte(at + RequestFrame.OPCODE);
        asked.keyOffset = at + RequestFrame.WRITE_BODY;
        asked.keyLength = keyLength;
        asked.hash = PseudoKey.of(frame, at + RequestFrame.WRITE_BODY, keyLength);
        if (mover.holds(asked)) {
            coverage.hit(RareEvent.PARKED_AT_PARENT);
        }
    }

    private void atChild(int table, int number) {
        for (BrickNode stage : brick.nodes()) {
            for (MigrationOrder order : stage.map().migrations()) {
                var target = stage.map().brick(order.target().brick());
                if (!order.isLearner()
                        && order.table() == table
                        && order.child() == number
                        && target != null
                        && target.id().equals(brick.name())) {
                    coverage.hit(RareEvent.PARKED_AT_CHILD);
                    return;
                }
            }
        }
    }
}
