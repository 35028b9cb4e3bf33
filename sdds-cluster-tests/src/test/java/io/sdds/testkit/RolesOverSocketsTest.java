package io.sdds.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.TableOptions;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.Roles;
import io.sdds.core.netty.RawClient;
import io.sdds.core.protocol.Hello.Role;
import io.sdds.core.protocol.Opcode;
import io.sdds.sim.fault.RandomRecords;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Frames and control messages that a brick or coordinator does not take from the role that sends them: each ends its
 * own connection, and nothing else.
 */
class RolesOverSocketsTest {
    private static final int PATIENCE_MILLIS = 10_000;
    private static final int OPCODES = 64;

    /** A stage looks at what clients send before it queues that. */
    private static final String REFUSAL = "takes no|a client sends no|a client sends requests alone|is not asked this";

    @Test
    void whateverComesFromARoleThatMayNotSendItEndsItsConnectionAndNothingElse() throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(1)) {
            HashTable<String, String> table =
                    cluster.client().createHashTable("t", TableOptions.defaults(), Codec.utf8(), Codec.utf8());
            table.put("k", "v");
            for (Role sender : List.of(Role.CLIENT, Role.BRICK, Role.BRICK_BULK, Role.COORDINATOR)) {
                for (ByteBuf frame : forbidden(Role.BRICK, sender)) {
                    assertThat(goodbye(cluster.brickAddresses().get(0), sender, frame))
                            .containsPattern(REFUSAL);
                }
                for (ByteBuf frame : forbidden(Role.COORDINATOR, sender)) {
                    assertThat(goodbye(cluster.address(), sender, frame)).containsPattern(REFUSAL);
                }
            }
            assertThat(table.get("k")).isEqualTo("v");
            assertThat(cluster.failedBricks()).isEmpty();
        }
    }

    private static List<ByteBuf> forbidden(Role taker, Role sender) {
        RandomRecords records = new RandomRecords(new SplittableRandom(1));
        List<ByteBuf> frames = new ArrayList<>();
        for (byte opcode = 0; opcode < OPCODES; opcode++) {
            if (Opcode.isKnown(opcode) && !Opcode.isOfLink(opcode) && !Roles.takes(taker, sender, opcode)) {
                frames.add(Unpooled.buffer().writeIntLE(64).writeIntLE(opcode).writeZero(56));
            }
        }
        for (Class<? extends ControlMessage> type : ControlFrame.types()) {
            for (byte kind = ControlFrame.REQUEST; kind <= ControlFrame.NOTICE; kind++) {
                if (Roles.takes(taker, sender, Opcode.CONTROL) && !Roles.takes(taker, sender, kind, type)) {
                    ByteBuf frame = Unpooled.buffer();
                    ControlFrame.write(frame, kind, 1, records.make(type));
                    frames.add(frame);
                }
            }
        }
        return frames;
    }

    /** What is said last to somebody who sends a frame. */
    private static String goodbye(String address, Role role, ByteBuf frame) throws IOException {
        try (RawClient client = new RawClient(address, role, "somebody")) {
            client.send(frame);
            String said = "";
            for (ByteBuf got = client.receive(PATIENCE_MILLIS); got != null; got = client.receive(PATIENCE_MILLIS)) {
                said = RawClient.opcode(got) == Opcode.GOODBYE ? RawClient.text(got) : said;
            }
            return said;
        }
    }
}
