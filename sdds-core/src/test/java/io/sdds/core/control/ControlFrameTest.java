package io.sdds.core.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.sdds.core.Buffers;
import io.sdds.core.Seeds;
import io.sdds.core.node.Env;
import io.sdds.core.node.FakeConnection;
import io.sdds.core.node.FakeWorld;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.HelloFrame;
import io.sdds.core.protocol.Limits;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ProtocolViolation;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Tests of all control messages, filled at random. */
class ControlFrameTest {
    private final SplittableRandom random = Seeds.random("ControlFrameTest");
    private final SampleRecords samples = new SampleRecords(random);

    @Test
    void everyMessageTypeHasACode() {
        assertThat(ControlFrame.types()).containsExactlyInAnyOrderElementsOf(permitted(ControlMessage.class));
    }

    @Test
    void everyMessageComesBackAsItWasSent() throws Exception {
        for (Class<? extends ControlMessage> type : ControlFrame.types()) {
            for (int k = 0; k < 50; k++) {
                ControlMessage message = type.cast(samples.make(type, 0));
                ByteBuf frame = Buffers.heap().writeZero(3);
                ControlFrame.write(frame, ControlFrame.REQUEST, 77, message);
                int length = frame.writerIndex() - 3;
                assertThat(frame.getIntLE(3)).isEqualTo(length);
                assertThat(frame.getIntLE(3 + ControlFrame.CORRELATION)).isEqualTo(77);
                assertThat(ControlFrame.read(frame, 3, length)).isEqualTo(message);
            }
        }
    }

    @Test
    void everyTruncatedMessageIsAViolation() throws Exception {
        for (Class<? extends ControlMessage> type : ControlFrame.types()) {
            ByteBuf frame = Buffers.heap();
            ControlFrame.write(frame, ControlFrame.REQUEST, 1, type.cast(samples.make(type, 0)));
            for (int length = 0; length < frame.writerIndex(); length++) {
                int cut = length;
                assertThatThrownBy(() -> ControlFrame.read(frame, 0, cut))
                        .as("%s cut to %d of %d", type.getSimpleName(), cut, frame.writerIndex())
                        .isInstanceOf(ProtocolViolation.class);
            }
        }
    }

    @Test
    void mutatedMessagesAreReadOrAreViolations() throws Exception {
        for (int k = 0; k < 20_000; k++) {
            Class<? extends ControlMessage> type =
                    ControlFrame.types().get(random.nextInt(ControlFrame.types().size()));
            ByteBuf frame = Buffers.heap();
            ControlFrame.write(frame, ControlFrame.REQUEST, 1, type.cast(samples.make(type, 0)));
            for (int bytes = 1 + random.nextInt(4); bytes > 0; bytes--) {
                frame.setByte(6 + random.nextInt(frame.writerIndex() - 6), random.nextInt());
            }
            try {
                ControlFrame.read(frame, 0, frame.writerIndex());
            } catch (ProtocolViolation expected) {
                assertThat(expected).hasMessageMatching("(?s).+");
            }
        }
    }

    @Test
    void aMessageThatIsLongerThanAFrameIsSentInFragments() {
        FakeConnection connection = new FakeConnection();
        Env env = new FakeWorld(1).newEnv();
        Link link = Link.view(env, null, Hello.of(Hello.Role.CLIENT, "c", 0), connection);
        ControlMessage large = new ControlMessage.FindTable("t".repeat(2 * Limits.FRAME_BYTES_MAX));
        assertThat(ControlFrame.send(env, link, ControlFrame.ANSWER, 1, large))
                .isGreaterThan(2 * Limits.FRAME_BYTES_MAX);
        link.flush();
        ByteBuf sent = connection.take();
        assertThat(sent.getIntLE(0)).isEqualTo(Limits.FRAME_BYTES_MAX);
        assertThat(sent.getByte(Integer.BYTES)).isEqualTo(Opcode.FRAGMENT);
        sent.release();
    }

    @Test
    void helloComesBackAsItWasSent() {
        Hello hello = Hello.of(Hello.Role.BRICK_BULK, "b7 – ü", Long.MIN_VALUE);
        ByteBuf out = Buffers.heap();
        HelloFrame.write(out, hello);
        assertThat(HelloFrame.read(out, 0, out.readableBytes())).isEqualTo(hello);
    }

    /** The records of all families. */
    private static Set<Class<? extends ControlMessage>> permitted(Class<?> family) {
        Set<Class<? extends ControlMessage>> messages = new LinkedHashSet<>();
        for (Class<?> type : family.getPermittedSubclasses()) {
            if (type.isRecord()) {
                messages.add(type.asSubclass(ControlMessage.class));
            } else {
                messages.addAll(permitted(type));
            }
        }
        return messages;
    }
}
