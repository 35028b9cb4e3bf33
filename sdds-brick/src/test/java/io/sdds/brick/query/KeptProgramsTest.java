package io.sdds.brick.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.query.Instruction;
import io.sdds.core.query.Op;
import io.sdds.core.query.Output;
import io.sdds.core.query.Program;
import io.sdds.core.query.ProgramCodec;
import io.sdds.core.query.ProgramHash;
import io.sdds.core.query.RowShape;
import io.sdds.core.row.ValueType;
import io.sdds.core.row.Values;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KeptProgramsTest {
    private static final ProgramHash FIRST = new ProgramHash(1, 1);
    private static final ProgramHash SECOND = new ProgramHash(2, 2);
    private static final ProgramHash THIRD = new ProgramHash(3, 3);

    private static Instruction in(long... values) {
        List<byte @Nullable []> list = new ArrayList<>();
        for (long value : values) {
            list.add(Values.encode(ValueType.BIGINT, value, null));
        }
        return new Instruction(Op.IN, ValueType.BOOLEAN, 0, -1, -1, list);
    }

    private static byte[] encoded(Instruction in) {
        Instruction version = new Instruction(Op.RECORD_VERSION, ValueType.BIGINT, -1, -1, -1, List.of());
        return ProgramCodec.encode(
                new Program(RowShape.BYTES, List.of(version, in), 1, new Output.Project(List.of(0), 1)));
    }

    private static KeptProgram load(byte[] program, int part) {
        ProgramLoader loader = new ProgramLoader(Unpooled.wrappedBuffer(program));
        KeptProgram loaded = null;
        while (loaded == null) {
            loaded = loader.advance(part);
        }
        return loaded;
    }

    private static KeptProgram small() {
        return load(encoded(in(1, 2, 3)), 1_000);
    }

    @Test
    void dropsWhatWasUsedLongestAgoBeyondItsMemory() {
        KeptPrograms kept = new KeptPrograms(2 * small().bytes());
        kept.keep(FIRST, small(), 0);
        kept.keep(SECOND, small(), 0);
        assertThat(kept.use(FIRST, 0)).isNotNull();
        kept.keep(THIRD, small(), 0);
        assertThat(kept.use(SECOND, 0)).isNull();
        assertThat(kept.use(FIRST, 0)).isNotNull();
        assertThat(kept.use(THIRD, 0)).isNotNull();
        assertThat(kept.bytes()).isEqualTo(2 * small().bytes());
    }

    @Test
    void keepsOneProgramOfAnySize() {
        KeptPrograms kept = new KeptPrograms(1);
        kept.keep(FIRST, small(), 0);
        assertThat(kept.use(FIRST, 0)).isNotNull();
    }

    @Test
    void dropsWhatWasNotUsedForAMinute() {
        KeptPrograms kept = new KeptPrograms();
        kept.keep(FIRST, small(), 0);
        kept.keep(SECOND, small(), 0);
        assertThat(kept.use(FIRST, KeptPrograms.IDLE_NANOS - 1)).isNotNull();
        kept.expire(KeptPrograms.IDLE_NANOS);
        assertThat(kept.size()).isEqualTo(1);
        assertThat(kept.use(SECOND, KeptPrograms.IDLE_NANOS)).isNull();
        assertThat(kept.use(FIRST, KeptPrograms.IDLE_NANOS)).isNotNull();
        kept.expire(2 * KeptPrograms.IDLE_NANOS);
        assertThat(kept.bytes()).isZero();
    }

    @Test
    void readsALongListInPartsAndFindsItsConstants() {
        long[] values = new long[100_000];
        for (int k = 0; k < values.length; k++) {
            values[k] = 3L * k - 50_000;
        }
        for (int part : new int[] {10_000, 1 << 30}) {
            ConstantTable table = load(encoded(in(values)), part).tables().get(1);
            Lane lane = Lane.of(ValueType.BIGINT);
            for (long value = -50_010; value < 250_010; value++) {
                lane.values[0] = value;
                boolean isThere = value >= -50_000 && value < 250_000 && (value + 50_000) % 3 == 0;
                assertThat(table.contains(lane, 0)).isEqualTo(isThere);
            }
        }
    }

    @Test
    void findsTextsOfAllLengths() {
        List<byte @Nullable []> texts = new ArrayList<>();
        for (int length : new int[] {0, 1, 4_095, 4_096, 4_097, 65_535, 65_536}) {
            texts.add(text(length, 'a'));
            texts.add(text(length, 'a'));
            texts.add(text(length, 'b'));
            texts.add(text(0, 'c'));
        }
        for (int k = 0; k < 20_000; k++) {
            texts.add(("text " + k).getBytes(StandardCharsets.UTF_8));
        }
        texts.add(null);
        Instruction key = new Instruction(Op.KEY, ValueType.VARBINARY, -1, -1, -1, List.of());
        Instruction in = new Instruction(Op.IN, ValueType.BOOLEAN, 0, -1, -1, texts);
        byte[] program = ProgramCodec.encode(
                new Program(RowShape.BYTES, List.of(key, in), 1, new Output.Project(List.of(0), 1)));
        ConstantTable table = load(program, 10_000).tables().get(1);
        assertThat(table.hasNull()).isTrue();
        for (byte[] text : texts) {
            assertThat(text == null || contains(table, text)).isTrue();
        }
        for (int length : new int[] {2, 4_094, 65_534}) {
            assertThat(contains(table, text(length, 'a'))).isFalse();
        }
        assertThat(contains(table, text(65_536, 'c'))).isFalse();
        assertThat(contains(table, "text 20000".getBytes(StandardCharsets.UTF_8)))
                .isFalse();
    }

    private static byte[] text(int length, char sign) {
        byte[] text = new byte[length];
        Arrays.fill(text, (byte) sign);
        return text;
    }

    private static boolean contains(ConstantTable table, byte[] text) {
        Lane lane = Lane.of(ValueType.VARBINARY);
        MemorySegment memory = Arena.ofAuto().allocate(text.length + 1L);
        MemorySegment.copy(MemorySegment.ofArray(text), 0, memory, 1, text.length);
        lane.text(0, memory, 1, text.length);
        return table.contains(lane, 0);
    }

    @Test
    void moreConstantsThanTheirBoundAreRefusedBeforeTheyAreRead() {
        List<byte @Nullable []> nulls = Collections.nCopies(Program.CONSTANTS_MAX + 1, null);
        Instruction tooMany = new Instruction(Op.IN, ValueType.BOOLEAN, 0, -1, -1, nulls);
        assertThatThrownBy(() -> encoded(tooMany))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2097153 constants, 2097152 are allowed");

        byte[] program = encoded(new Instruction(Op.IN, ValueType.BOOLEAN, 0, -1, -1, nulls.subList(0, 70_000)));
        assertThat(load(program, 1 << 30)).isNotNull();
        ByteBuf bytes = Unpooled.wrappedBuffer(program);
        int count = 0;
        while (bytes.getIntLE(count) != 70_000) {
            count++;
        }
        bytes.setIntLE(count, Program.CONSTANTS_MAX + 1);
        ProgramLoader loader = new ProgramLoader(bytes);
        assertThatThrownBy(() -> loader.advance(1_000))
                .isInstanceOf(ProtocolViolation.class)
                .hasMessageContaining("2097153 constants, 2097152 are allowed");
    }

    @Test
    void constantsChosenForTheirHashesAreRefused() {
        long[] values = new long[2_000];
        for (int k = 0; k < values.length; k++) {
            values[k] = numberOf((long) k << 32);
        }
        assertThatThrownBy(() -> load(encoded(in(values)), 1 << 30))
                .isInstanceOf(ProtocolViolation.class)
                .hasMessageContaining("chosen for their hashes");
    }

    /** The number of a hash: the finalizer of MurmurHash3, backwards. */
    private static long numberOf(long hash) {
        long h = hash ^ hash >>> 33;
        h *= 0x9cb4b2f8129337dbL;
        h ^= h >>> 33;
        h *= 0x4f74430c22a54005L;
        return h ^ h >>> 33;
    }
}
