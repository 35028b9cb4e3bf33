package io.sdds.core.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.sdds.core.Buffers;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of records that one version writes and another version reads. */
class RecordCodecTest {
    /** The record in version 1. */
    public record Inner1(int a) {}

    /** The record in version 2. */
    public record Inner2(int a, String b, List<Long> c) {
        public Inner2(int a) {
            this(a, "none", List.of(7L));
        }
    }

    public enum Color1 {
        RED,
        GREEN,
        UNKNOWN
    }

    public enum Color2 {
        RED,
        GREEN,
        BLUE,
        UNKNOWN
    }

    public record Outer1(long x, Inner1 inner, List<Inner1> list, Color1 color) {}

    public record Outer2(long x, Inner2 inner, List<Inner2> list, Color2 color, boolean extra) {
        public Outer2(long x, Inner2 inner, List<Inner2> list, Color2 color) {
            this(x, inner, list, color, true);
        }
    }

    public enum Bare {
        ONE
    }

    public record WithBare(Bare bare) {}

    public record Positive(int value, long other, boolean flag, String text) {
        public Positive {
            if (value < 0) {
                throw new IllegalArgumentException("negative " + value);
            }
        }
    }

    private static ByteBuf written(Record record) {
        ByteBuf out = Buffers.heap();
        RecordCodec.write(out, record);
        return out;
    }

    private static <R extends Record> R read(ByteBuf in, Class<R> type) {
        R record = RecordCodec.read(in, type);
        assertThat(in.isReadable()).as("bytes left").isFalse();
        return record;
    }

    @Test
    void givesComponentsThatAnEarlierVersionLacksTheirDeclaredDefaults() {
        Outer1 old = new Outer1(5, new Inner1(6), List.of(new Inner1(1), new Inner1(2)), Color1.GREEN);
        assertThat(read(written(old), Outer2.class))
                .isEqualTo(new Outer2(5, new Inner2(6), List.of(new Inner2(1), new Inner2(2)), Color2.GREEN, true));
    }

    @Test
    void skipsComponentsThatALaterVersionAdded() {
        Outer2 later = new Outer2(
                5,
                new Inner2(6, "text", List.of(1L, 2L)),
                List.of(new Inner2(1, "", List.of()), new Inner2(2, "b", List.of(3L))),
                Color2.RED,
                false);
        assertThat(read(written(later), Outer1.class))
                .isEqualTo(new Outer1(5, new Inner1(6), List.of(new Inner1(1), new Inner1(2)), Color1.RED));
    }

    @Test
    void readsConstantsOfALaterVersionAsUnknownAndKeepsUnknownAsItIs() {
        Outer2 later = new Outer2(5, new Inner2(6), List.of(), Color2.BLUE, false);
        assertThat(read(written(later), Outer1.class).color()).isEqualTo(Color1.UNKNOWN);
        Outer2 unknown = new Outer2(5, new Inner2(6), List.of(), Color2.UNKNOWN, false);
        assertThat(read(written(unknown), Outer1.class).color()).isEqualTo(Color1.UNKNOWN);
        assertThat(read(written(unknown), Outer2.class).color()).isEqualTo(Color2.UNKNOWN);
    }

    @Test
    void refusesARecordThatLacksComponentsOfWhichNoDefaultIsDeclared() {
        assertThatThrownBy(() -> read(Buffers.heap().writeIntLE(8).writeLongLE(5), Outer2.class))
                .isInstanceOf(ProtocolViolation.class)
                .hasMessage("message ends early: 1 of 5 components of a Outer2");
    }

    @Test
    void refusesAnEnumWithoutAConstantForThoseOfLaterVersions() {
        assertThatThrownBy(() -> written(new WithBare(Bare.ONE)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("UNKNOWN");
    }

    @Test
    void takesNoMoreThanTheRecordsOwnBytes() {
        ByteBuf bytes = written(new Inner1(6));
        bytes.setIntLE(0, 3).writeLongLE(0);
        assertThatThrownBy(() -> RecordCodec.read(bytes, Inner1.class)).isInstanceOf(ProtocolViolation.class);
    }

    @Test
    void refusesLengthsAndCountsBeyondTheBytesThatAreThere() {
        for (int length : new int[] {-1, Integer.MIN_VALUE, 5, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> read(Buffers.heap().writeIntLE(length).writeIntLE(1), Inner1.class))
                    .isInstanceOf(ProtocolViolation.class);
        }
        for (int count : new int[] {-1, Integer.MIN_VALUE, 3, Integer.MAX_VALUE}) {
            ByteBuf bytes = Buffers.heap().writeLongLE(5).writeIntLE(4).writeIntLE(6);
            bytes.writeIntLE(count).writeIntLE(0).writeIntLE(0);
            ByteBuf framed = Buffers.heap().writeIntLE(bytes.readableBytes()).writeBytes(bytes);
            assertThatThrownBy(() -> read(framed, Outer1.class)).isInstanceOf(ProtocolViolation.class);
        }
    }

    /** A type that is used often is read and made by linked code. */
    @Test
    void writesAndReadsTheSameWhenATypeIsUsedOften() {
        ByteBuf first = written(new Positive(1, 2, true, "t"));
        for (int k = 0; k < 30_000; k++) {
            Positive value = new Positive(k, -k, k % 2 == 0, "text " + k);
            assertThat(read(written(value), Positive.class)).isEqualTo(value);
        }
        assertThat(written(new Positive(1, 2, true, "t"))).isEqualTo(first);
        ByteBuf negative = written(new Positive(1, 2, true, "t"));
        negative.setIntLE(4, -1);
        assertThatThrownBy(() -> RecordCodec.read(negative, Positive.class))
                .isInstanceOf(ProtocolViolation.class)
                .hasMessage("values out of range: negative -1");
        ByteBuf cut = written(new Inner2(1, "b", List.of()));
        cut.setIntLE(0, 9);
        assertThatThrownBy(() -> RecordCodec.read(cut, Inner2.class)).isInstanceOf(ProtocolViolation.class);
    }
}
