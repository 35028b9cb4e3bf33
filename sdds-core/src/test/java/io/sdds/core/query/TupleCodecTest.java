package io.sdds.core.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.core.Seeds;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.row.ValueType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TupleCodecTest {
    private final SplittableRandom random = Seeds.random("TupleCodecTest");
    private final RandomPrograms programs = new RandomPrograms(random);

    private TupleCodec codec() {
        List<ValueType> types = new ArrayList<>();
        for (int k = 1 + random.nextInt(20); k > 0; k--) {
            types.add(programs.type());
        }
        return new TupleCodec(types);
    }

    private List<byte @Nullable []> tuple(TupleCodec codec) {
        List<byte @Nullable []> values = new ArrayList<>();
        codec.types().forEach(type -> values.add(programs.value(type)));
        return values;
    }

    @Test
    void comesBackAsItWasOneBehindTheOther() {
        for (int k = 0; k < 2_000; k++) {
            TupleCodec codec = codec();
            List<byte @Nullable []> first = tuple(codec);
            List<byte @Nullable []> second = tuple(codec);
            ByteBuf bytes = Unpooled.buffer();
            codec.write(first, bytes);
            codec.write(second, bytes);
            assertThat(Instruction.equal(codec.read(bytes), first)).isTrue();
            assertThat(Instruction.equal(codec.read(bytes), second)).isTrue();
            assertThat(bytes.isReadable()).isFalse();
        }
    }

    @Test
    void everyTruncationIsAViolation() {
        for (int k = 0; k < 300; k++) {
            TupleCodec codec = codec();
            byte[] bytes = codec.encode(tuple(codec));
            for (int length = 0; length < bytes.length; length++) {
                ByteBuf shorter = Unpooled.wrappedBuffer(Arrays.copyOf(bytes, length));
                assertThatThrownBy(() -> codec.read(shorter)).isInstanceOf(ProtocolViolation.class);
            }
        }
    }

    @Test
    void hasNullsThenValuesWithLengthsWhereTypesHaveNone() {
        TupleCodec codec = new TupleCodec(List.of(ValueType.INTEGER, ValueType.VARCHAR, ValueType.VARBINARY));
        List<byte @Nullable []> values = new ArrayList<>();
        values.add(new byte[] {1, 2, 3, 4});
        values.add(null);
        values.add(new byte[130]);
        byte[] bytes = codec.encode(values);
        assertThat(Arrays.copyOf(bytes, 7)).containsExactly(2, 1, 2, 3, 4, 0x82, 1);
        assertThat(bytes).hasSize(7 + 130);
    }

    @Test
    void refusesLengthsThatAreTooLargeOrNotShortest() {
        TupleCodec codec = new TupleCodec(List.of(ValueType.VARBINARY));
        for (byte[] length : new byte[][] {{(byte) 0x80, 0}, {-1, -1, -1, -1, 0x0f}, {-1, -1, -1, -1, -1, 0}, {-1}}) {
            byte[] bytes = new byte[1 + length.length];
            System.arraycopy(length, 0, bytes, 1, length.length);
            assertThatThrownBy(() -> codec.read(Unpooled.wrappedBuffer(bytes))).isInstanceOf(ProtocolViolation.class);
        }
        assertThatThrownBy(() -> codec.read(Unpooled.wrappedBuffer(new byte[] {2, 0})))
                .isInstanceOf(ProtocolViolation.class)
                .hasMessageContaining("beyond");
    }
}
