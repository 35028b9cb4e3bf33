package io.sdds.core.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.netty.buffer.Unpooled;
import io.sdds.core.Seeds;
import io.sdds.core.row.ValueType;
import io.sdds.core.row.Values;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BloomFilterTest {
    private static byte[] stored(ValueType type, Object value) {
        return Values.encode(type, value, null);
    }

    private static boolean contains(BloomFilter filter, ValueType type, Object value) {
        return BloomFilter.contains(filter.bytes(), BloomFilter.hash(type, stored(type, value)));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.1, 0.01, 0.001})
    void hasAllItsKeysAndAboutAsManyOthersAsItWasMadeFor(double rate) {
        SplittableRandom random = Seeds.random("BloomFilterTest." + rate);
        int keys = 20_000;
        BloomFilter filter = new BloomFilter(ValueType.BIGINT, keys, rate);
        List<Long> added = new ArrayList<>();
        for (int k = 0; k < keys; k++) {
            added.add(random.nextLong());
            filter.add(stored(ValueType.BIGINT, added.get(k)));
        }
        assertThat(added).allMatch(key -> contains(filter, ValueType.BIGINT, key));
        int others = 200_000;
        int found = 0;
        for (int k = 0; k < others; k++) {
            found += contains(filter, ValueType.BIGINT, random.nextLong()) ? 1 : 0;
        }
        assertThat(found / (double) others).isBetween(rate / 2, rate * 1.25);
    }

    @Test
    void sizesGrowWithKeysAndAreBounded() {
        assertThat(BloomFilter.bytes(0, 0.01)).isEqualTo(BloomFilter.BLOCK_BYTES);
        assertThat(BloomFilter.bytes(1_000_000, 0.01)).isBetween(1_200_000L, 1_400_000L);
        assertThat(new BloomFilter(ValueType.BIGINT, 5_000_000, 0.01).bytes().length)
                .isLessThanOrEqualTo(BloomFilter.BYTES_MAX);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new BloomFilter(ValueType.BIGINT, 10_000_000, 0.01))
                .withMessageContaining("10000000 keys")
                .withMessageContaining("8388608 are allowed");
        assertThatIllegalArgumentException().isThrownBy(() -> BloomFilter.bytes(1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> BloomFilter.bytes(1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> BloomFilter.bytes(-1, 0.1));
    }

    @Test
    void valuesThatAreEqualHaveOneHash() {
        BloomFilter decimals = new BloomFilter(ValueType.decimal(10, 2), 10, 0.001);
        decimals.add(stored(ValueType.decimal(10, 2), new BigDecimal("17.50")));
        assertThat(contains(decimals, ValueType.decimal(38, 2), new BigDecimal("17.50")))
                .isTrue();

        BloomFilter doubles = new BloomFilter(ValueType.DOUBLE, 10, 0.001);
        doubles.add(RandomPrograms.fixed(Double.doubleToRawLongBits(-0.0), Long.BYTES));
        doubles.add(RandomPrograms.fixed(0x7ff8_0000_0000_0001L, Long.BYTES)); // another NaN
        assertThat(contains(doubles, ValueType.DOUBLE, 0.0)).isTrue();
        assertThat(contains(doubles, ValueType.DOUBLE, Double.NaN)).isTrue();
        assertThat(contains(doubles, ValueType.DOUBLE, 1.0)).isFalse();

        BloomFilter integers = new BloomFilter(ValueType.INTEGER, 10, 0.001);
        integers.add(stored(ValueType.INTEGER, -3));
        assertThat(contains(integers, ValueType.BIGINT, -3L)).isTrue();
    }

    @Test
    void theHashesArePartOfTheProtocolAndNeverChange() {
        assertThat(BloomFilter.hash(ValueType.BIGINT, stored(ValueType.BIGINT, 1L)))
                .isEqualTo(0xb456bcfc34c2cb2cL);
        UUID uuid = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
        BloomFilter filter = new BloomFilter(ValueType.UUID, 1, 0.5);
        filter.add(stored(ValueType.UUID, uuid));
        assertThat(java.util.HexFormat.of().formatHex(filter.bytes()))
                .isEqualTo("0000000100000080002000000008000080000000002000002000000000001000");
    }

    @Test
    void nullIsNeitherInTheFilterNorOutside() {
        BloomFilter filter = new BloomFilter(ValueType.BIGINT, 1, 0.01);
        filter.add(stored(ValueType.BIGINT, 5L));
        assertThat(evaluated(filter.bytes(), 5L)).isEqualTo(true);
        assertThat(evaluated(filter.bytes(), 6L)).isEqualTo(false);
        assertThat(evaluated(filter.bytes(), null)).isNull();
    }

    private static @Nullable Object evaluated(byte[] filter, @Nullable Long value) {
        List<byte @Nullable []> constant = new ArrayList<>();
        constant.add(value == null ? null : stored(ValueType.BIGINT, value));
        Program program = program(
                new Instruction(Op.CONSTANT, ValueType.BIGINT, -1, -1, -1, constant),
                new Instruction(Op.BLOOM, ValueType.BOOLEAN, 0, -1, -1, List.of(filter)));
        assertThat(ProgramValidator.problem(program)).isNull();
        Evaluation evaluation = new Evaluation(program);
        evaluation.begin(List.of());
        byte[] result = evaluation.value(1);
        return result == null ? null : Values.decode(ValueType.BOOLEAN, result);
    }

    private static Program program(Instruction... instructions) {
        return new Program(
                RowShape.BYTES, List.of(instructions), -1, new Output.Project(List.of(instructions.length - 1), 1));
    }

    @Test
    void constantsThatAreNoFilterAreRefused() {
        Instruction version = new Instruction(Op.RECORD_VERSION, ValueType.BIGINT, -1, -1, -1, List.of());
        for (int bytes : new int[] {0, 31, 33, BloomFilter.BYTES_MAX + BloomFilter.BLOCK_BYTES}) {
            List<byte @Nullable []> constants = List.of(new byte[bytes]);
            Program program = program(version, new Instruction(Op.BLOOM, ValueType.BOOLEAN, 0, -1, -1, constants));
            assertThat(ProgramValidator.problem(program))
                    .as("%d bytes", bytes)
                    .isEqualTo("instruction 1, BLOOM: no filter");
        }
    }

    @Test
    void theLargestFilterFitsIntoAProgram() {
        Instruction version = new Instruction(Op.RECORD_VERSION, ValueType.BIGINT, -1, -1, -1, List.of());
        byte[] filter = new byte[BloomFilter.BYTES_MAX];
        Program program = program(version, new Instruction(Op.BLOOM, ValueType.BOOLEAN, 0, -1, -1, List.of(filter)));
        byte[] encoded = ProgramCodec.encode(program);
        ProgramDecoder decoder = new ProgramDecoder(Unpooled.wrappedBuffer(encoded));
        Program decoded = null;
        int parts = 0;
        while (decoded == null) {
            decoded = decoder.advance(100_000);
            parts++;
        }
        assertThat(decoded).isEqualTo(program);
        assertThat(parts).isBetween(80, 90);
    }
}
