package io.sdds.brick.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.brick.memory.RecordStore;
import io.sdds.core.Seeds;
import io.sdds.core.protocol.ProtocolViolation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SliceFrameTest {
    private final ByteBuf frame = Unpooled.directBuffer();
    private final List<Integer> ends = new ArrayList<>();
    private final List<String> taken = new ArrayList<>();

    SliceFrameTest() {
        frame.writeZero(SliceFrame.ENTRIES);
        frame.writeByte(SliceFrame.RECORD).writeShortLE(3).writeIntLE(5).writeLongLE(42);
        text("keyvalue");
        frame.writeByte(SliceFrame.REMOVE).writeShortLE(4);
        text("gone");
        frame.writeByte(SliceFrame.RESULT)
                .writeLongLE(1)
                .writeLongLE(2)
                .writeLongLE(3)
                .writeLongLE(4);
        frame.writeByte(5).writeLongLE(6);
        ends.add(frame.writerIndex());
        frame.writeByte(SliceFrame.EXPIRING_RECORD)
                .writeShortLE(1)
                .writeIntLE(2)
                .writeLongLE(8)
                .writeLongLE(99);
        text("xyz");
        frame.writeByte(SliceFrame.RECORD).writeShortLE(1).writeIntLE(0).writeLongLE(7);
        text("k");
        frame.writeByte(SliceFrame.RANKED_RECORD)
                .writeShortLE(1)
                .writeIntLE(1)
                .writeLongLE(9)
                .writeLongLE(0)
                .writeIntLE(21);
        text("rv");
        frame.writeByte(SliceFrame.SEAL)
                .writeLongLE(3)
                .writeLongLE(41)
                .writeLongLE(17)
                .writeLongLE(1_000);
        ends.add(frame.writerIndex());
    }

    @AfterEach
    void release() {
        frame.release();
    }

    @Test
    void readsEveryEntryInOrder() {
        read(frame.writerIndex());
        assertThat(taken)
                .containsExactly(
                        "put key=value v42",
                        "remove gone",
                        "result 1 2 3 4 5 6",
                        "put x=yz v8 until 99",
                        "put k= v7",
                        "put r=v v9 rank 21",
                        "seal epoch 3 index 41 v17 at 1000");
    }

    @Test
    void everyCutWithinAnEntryIsAViolation() {
        for (int length = SliceFrame.ENTRIES + 1; length < frame.writerIndex(); length++) {
            int cut = length;
            taken.clear();
            if (!ends.contains(cut) && cut != 54 && cut != 61) {
                assertThatThrownBy(() -> read(cut)).as("cut at %d", cut).isInstanceOf(ProtocolViolation.class);
            }
        }
    }

    @Test
    void anUnknownKindIsAViolation() {
        frame.setByte(SliceFrame.ENTRIES, 9);
        assertThatThrownBy(() -> read(frame.writerIndex())).isInstanceOf(ProtocolViolation.class);
    }

    @Test
    void aNegativeLengthIsAViolation() {
        frame.setIntLE(SliceFrame.ENTRIES + 3, -1);
        assertThatThrownBy(() -> read(frame.writerIndex())).isInstanceOf(ProtocolViolation.class);
    }

    /** The buffer ends where the frame does: reading behind it would be another exception. */
    @Test
    void mutatedSlicesAreReadWithinTheirFramesOrAreViolations() {
        SplittableRandom random = Seeds.random("SliceFrameTest");
        int whole = 0;
        for (int k = 0; k < 50_000; k++) {
            int length = random.nextInt(4) == 0
                    ? random.nextInt(SliceFrame.ENTRIES, frame.writerIndex() + 1)
                    : frame.writerIndex();
            ByteBuf mutated = Unpooled.directBuffer(length, length).writeBytes(frame, 0, length);
            for (int changes = length == SliceFrame.ENTRIES ? 0 : random.nextInt(4); changes > 0; changes--) {
                mutated.setByte(random.nextInt(SliceFrame.ENTRIES, length), random.nextInt());
            }
            try {
                SliceFrame.read(mutated, 0, length, new Within(length));
                whole++;
            } catch (ProtocolViolation e) {
                assertThat(e).hasMessageMatching("(?s).+");
            }
            mutated.release();
        }
        assertThat(whole).isBetween(5_000, 45_000);
    }

    @Test
    void anEntryEndsWhereItsBytesDo() {
        int at = SliceFrame.ENTRIES;
        for (int entry = 0; entry < 7; entry++) {
            at += SliceFrame.entryBytes(frame, at);
            assertThat(ends).contains(at);
        }
        assertThat(at).isEqualTo(frame.writerIndex());
    }

    /** Takes entries that lie within the frame. */
    private record Within(int end) implements SliceFrame.Sink {
        @Override
        public void record(
                int keyAt, int keyLength, int valueAt, int valueLength, long version, long expiry, int rank) {
            remove(keyAt, keyLength);
            assertThat(valueAt).isEqualTo(keyAt + keyLength);
            assertThat(valueLength).isBetween(0, end - valueAt);
        }

        @Override
        public void remove(int keyAt, int keyLength) {
            assertThat(keyAt).isGreaterThan(SliceFrame.ENTRIES);
            assertThat(keyLength).isBetween(0, end - keyAt);
        }

        @Override
        public void result(long session, long seq, long low, long hash, byte status, long value) {}

        @Override
        public void seal(SliceFrame.Seal seal) {}
    }

    private void text(String text) {
        ends.add(frame.writerIndex() + text.length());
        frame.writeCharSequence(text, StandardCharsets.US_ASCII);
    }

    private void read(int length) {
        SliceFrame.read(frame, 0, length, new SliceFrame.Sink() {
            @Override
            public void record(
                    int keyAt, int keyLength, int valueAt, int valueLength, long version, long expiry, int rank) {
                taken.add("put " + at(keyAt, keyLength) + "=" + at(valueAt, valueLength) + " v" + version
                        + (expiry == 0 ? "" : " until " + expiry)
                        + (rank == RecordStore.NO_RANK ? "" : " rank " + rank));
            }

            @Override
            public void remove(int keyAt, int keyLength) {
                taken.add("remove " + at(keyAt, keyLength));
            }

            @Override
            public void result(long session, long seq, long low, long hash, byte status, long value) {
                taken.add("result " + session + " " + seq + " " + low + " " + hash + " " + status + " " + value);
            }

            @Override
            public void seal(SliceFrame.Seal seal) {
                taken.add("seal epoch " + seal.epoch() + " index " + seal.index() + " v" + seal.version() + " at "
                        + seal.timeNanos());
            }
        });
    }

    private String at(int index, int length) {
        return frame.toString(index, length, StandardCharsets.US_ASCII);
    }
}
