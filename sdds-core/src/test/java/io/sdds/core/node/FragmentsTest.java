package io.sdds.core.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.sdds.core.Buffers;
import io.sdds.core.Seeds;
import io.sdds.core.protocol.Limits;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ProtocolViolation;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FragmentsTest {
    private static final int HEADER = 8;
    private static final int LAST = 5;

    private final FakeWorld.FakeEnv env = new FakeWorld(1).newEnv();
    private final Fragments fragments = new Fragments(env);
    private final SplittableRandom random = Seeds.random("FragmentsTest");

    @AfterEach
    void nothingIsHeld() {
        fragments.release();
        assertThat(env.buffersHeld()).isZero();
    }

    @Test
    void aMessageOfAnyLengthComesBackWhole() {
        int piece = Limits.FRAME_BYTES_MAX - HEADER;
        for (int length : new int[] {HEADER, 9, piece - 1, piece, piece + 1, 2 * piece, 2 * piece + 1, 900_000}) {
            ByteBuf sent = message(Opcode.PUT, length);
            ByteBuf taken = takeAll(cut(sent.duplicate()));
            assertThat(taken).as("%d bytes", length).isEqualTo(sent);
            taken.release();
        }
    }

    @Test
    void theMemoryOfALongMessageIsItsLengthAtTheEndAndLittleMoreThanReceivedBytesBefore() {
        int piece = Limits.FRAME_BYTES_MAX - HEADER;
        int length = 16 * piece;
        ByteBuf sent = message(Opcode.PUT, length);
        for (int at = 0; at < length - piece; at += piece) {
            assertThat(take(fragment(sent, at, at + piece, false))).isNull();
            assertThat(fragments.heldBytes())
                    .isBetween(at + piece, Math.max(2 * Limits.FRAME_BYTES_MAX, 4 * (at + piece)))
                    .isLessThanOrEqualTo(length);
        }
        ByteBuf taken = take(fragment(sent, length - piece, length, true));
        assertThat(taken).isEqualTo(sent);
        taken.release();
    }

    @Test
    void aMessageCutAtAnyByteIsItselfAgain() {
        ByteBuf sent = message(Opcode.SLICE, 40);
        for (int at = 0; at <= 40; at++) {
            assertThat(take(fragment(sent, 0, at, false))).isNull();
            ByteBuf taken = take(fragment(sent, at, 40, true));
            assertThat(taken).isEqualTo(sent);
            taken.release();
        }
    }

    @Test
    void aMessageThatEndsEarlyOrLateIsAViolation() {
        ByteBuf sent = message(Opcode.PUT, 40);
        for (int length = 0; length < 40; length++) {
            int end = length;
            assertThatThrownBy(() -> take(fragment(sent, 0, end, true)))
                    .as("cut to %d of 40 bytes", end)
                    .isInstanceOf(ProtocolViolation.class);
        }
        sent.writeByte(0);
        assertThatThrownBy(() -> take(fragment(sent, 0, 41, true))).isInstanceOf(ProtocolViolation.class);
    }

    @Test
    void onlyWhatMayBeLongComesInFragments() {
        for (int opcode = 0; opcode < 256; opcode++) {
            byte code = (byte) opcode;
            boolean refused = !Opcode.isKnown(code) || Opcode.isOfLink(code);
            try {
                take(fragment(message(code, 20), 0, 20, true)).release();
                assertThat(refused).as("opcode %d", opcode).isFalse();
            } catch (ProtocolViolation e) {
                assertThat(refused).as("opcode %d", opcode).isTrue();
            }
        }
    }

    @Test
    void moreThanTheLargestMessageIsRefusedBeforeItIsTaken() {
        ByteBuf zeros = Buffers.heap().writeZero(Limits.FRAME_BYTES_MAX - HEADER);
        ByteBuf fragment = fragment(zeros, 0, zeros.writerIndex(), false);
        assertThatThrownBy(() -> {
                    for (long taken = 0; taken <= Limits.MESSAGE_BYTES_MAX; taken += zeros.writerIndex()) {
                        take(fragment);
                    }
                })
                .isInstanceOf(ProtocolViolation.class)
                .hasMessageContaining("more than");
    }

    @Test
    void mutatedFragmentsAreTakenOrAreViolations() {
        for (int k = 0; k < 1_000; k++) {
            ByteBuf bytes = fragment(message(Opcode.PUT, 30), 0, 30, random.nextBoolean());
            bytes.setByte(LAST + random.nextInt(bytes.writerIndex() - LAST), random.nextInt());
            try {
                ByteBuf taken = take(bytes);
                if (taken != null) {
                    assertThat(taken.getIntLE(0)).isEqualTo(taken.readableBytes());
                    taken.release();
                }
            } catch (ProtocolViolation e) {
                assertThat(e).hasMessageMatching("(?s).+");
            }
            fragments.release();
        }
    }

    private ByteBuf message(byte opcode, int length) {
        byte[] rest = new byte[length - HEADER];
        random.nextBytes(rest);
        return Buffers.heap().writeIntLE(length).writeIntLE(opcode & 0xff).writeBytes(rest);
    }

    private static ByteBuf fragment(ByteBuf message, int from, int to, boolean last) {
        return Buffers.heap()
                .writeIntLE(HEADER + to - from)
                .writeIntLE(Opcode.FRAGMENT | (last ? 1 : 0) << 8)
                .writeBytes(message, from, to - from);
    }

    /** The frames in which a message leaves. */
    private ByteBuf cut(ByteBuf message) {
        FakeConnection connection = new FakeConnection();
        Outbox outbox = new Outbox(env, () -> {});
        outbox.open(connection);
        Fragments.cut(message, outbox);
        outbox.flush();
        return connection.take();
    }

    private ByteBuf takeAll(ByteBuf frames) {
        ByteBuf whole = null;
        while (frames.isReadable()) {
            assertThat(whole).isNull();
            int length = frames.getIntLE(frames.readerIndex());
            assertThat(length).isLessThanOrEqualTo(Limits.FRAME_BYTES_MAX);
            whole = take(frames.readSlice(length));
        }
        frames.release();
        return whole;
    }

    private ByteBuf take(ByteBuf fragment) {
        return fragments.take(fragment, fragment.readerIndex(), fragment.readableBytes());
    }
}
