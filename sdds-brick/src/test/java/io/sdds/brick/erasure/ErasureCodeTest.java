package io.sdds.brick.erasure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.core.Seeds;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ErasureCodeTest {
    private static final int[] COLUMNS = {1, 2, 3, 4, 8, 16};

    private final Arena arena = Arena.ofAuto();

    @ParameterizedTest
    @EnumSource
    void encodesAKnownVector(KernelType type) {
        Shards all = group("0123456789", "abcdefghij", "ABCDEFGHIJ", "!@#$%^&*()");
        ErasureCode code = new ErasureCode(Kernels.open(type), 4, 4);

        code.encode(part(all, 0, 4), part(all, 4, 4), 10);

        assertThat(hex(all, 4)).isEqualTo("31513137314b303d3030");
        assertThat(hex(all, 5)).isEqualTo("fedae0cbc236d4978e8d");
        assertThat(hex(all, 6)).isEqualTo("653dcf7f2cbac62cb7ca");
        assertThat(hex(all, 7)).isEqualTo("bb6d5d1f6a82b60d3edd");
    }

    @ParameterizedTest
    @EnumSource
    void aCodeWithFewerParitiesOrColumnsHasTheSameBytes(KernelType type) {
        Shards all = group("0123456789", "abcdefghij", "\0\0\0\0\0\0\0\0\0\0", "\0\0\0\0\0\0\0\0\0\0");
        ErasureKernel kernel = Kernels.open(type);
        new ErasureCode(kernel, 4, 4).encode(part(all, 0, 4), part(all, 4, 4), 10);
        Shards fewer = part(shards(3, 10), 0, 3);

        new ErasureCode(kernel, 2, 3).encode(part(all, 0, 2), fewer, 10);

        for (int p = 0; p < 3; p++) {
            assertThat(hex(fewer, p)).isEqualTo(hex(all, 4 + p));
        }
    }

    @ParameterizedTest
    @EnumSource
    void foldingTheDeltaOfAColumnEqualsEncodingAgain(KernelType type) {
        SplittableRandom random = Seeds.random("ErasureCodeTest.foldingTheDeltaOfAColumnEqualsEncodingAgain." + type);
        int length = 184;
        ErasureKernel kernel = Kernels.open(type);
        ErasureCode code = new ErasureCode(kernel, 16, 4);
        Shards all = random(random, 20, length);
        code.encode(part(all, 0, 16), part(all, 16, 4), length);
        for (int c = 0; c < 16; c++) {
            MemorySegment delta = random(random, 1, length).segment(0);
            kernel.fold(all.segment(c), 0, delta, 0, 1, length);
            for (int p = 0; p < 4; p++) {
                kernel.fold(all.segment(16 + p), 0, delta, 0, CodingMatrix.coefficient(p, c), length);
            }
        }
        Shards again = shards(4, length);
        code.encode(part(all, 0, 16), again, length);
        for (int p = 0; p < 4; p++) {
            assertThat(hex(all, 16 + p)).isEqualTo(hex(again, p));
        }
    }

    @ParameterizedTest
    @EnumSource
    void decodesEveryLoss(KernelType type) {
        ErasureKernel kernel = Kernels.open(type);
        SplittableRandom random = Seeds.random("ErasureCodeTest.decodesEveryLoss." + type);
        for (int columns : COLUMNS) {
            for (int parities = 1; parities <= CodingMatrix.PARITIES_MAX; parities++) {
                // Two vectors and a bit at least, except where there are thousands of losses.
                int length = columns == 16 && parities > 2 ? 5 : random.nextInt(20, 150);
                decodesEveryLoss(new ErasureCode(kernel, columns, parities), random, length);
            }
        }
    }

    private void decodesEveryLoss(ErasureCode code, SplittableRandom random, int length) {
        int shards = code.columns() + code.parities();
        // Without the optimizing compiler this kernel is slow. Which matrix a loss needs does not depend on the kernel.
        int oneOf = code.kernel().name().equals("vector") && code.columns() > 4 ? code.columns() * 2 : 1;
        Shards all = random(random, shards, length);
        code.encode(part(all, 0, code.columns()), part(all, code.columns(), code.parities()), length);
        byte[][] expected = new byte[shards][];
        for (int i = 0; i < shards; i++) {
            expected[i] = all.segment(i).toArray(ValueLayout.JAVA_BYTE);
        }
        for (int lost = 1; lost < 1 << shards; lost++) {
            if (Integer.bitCount(lost) <= code.parities() && random.nextInt(oneOf) == 0) {
                destroy(all, lost);
                code.decode(((1 << shards) - 1) & ~lost, lost, all, length);
                for (int i = 0; i < shards; i++) {
                    if (all.segment(i).mismatch(MemorySegment.ofArray(expected[i])) != -1) {
                        throw new AssertionError("shard " + i + " of " + code.columns() + " + " + code.parities()
                                + " is wrong after the loss of " + Integer.toBinaryString(lost));
                    }
                }
            }
        }
    }

    private static void destroy(Shards shards, int lost) {
        for (int i = 0; i < shards.size(); i++) {
            if ((lost >>> i & 1) != 0) {
                shards.segment(i).fill((byte) 0x5A);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void decodesOneOfSeveralLostShardsAndTouchesNoOther(KernelType type) {
        SplittableRandom random = Seeds.random("ErasureCodeTest.decodesOneOfSeveralLostShards." + type);
        ErasureCode code = new ErasureCode(Kernels.open(type), 4, 2);
        Shards all = random(random, 6, 100);
        code.encode(part(all, 0, 4), part(all, 4, 2), 100);
        String expected = hex(all, 1);
        destroy(all, 0b10010);
        String destroyed = hex(all, 4);

        code.decode(0b101101, 0b000010, all, 100);

        assertThat(hex(all, 1)).isEqualTo(expected);
        assertThat(hex(all, 4)).isEqualTo(destroyed);
    }

    @ParameterizedTest
    @EnumSource
    void refusesWhatItCannotDecode(KernelType type) {
        ErasureCode code = new ErasureCode(Kernels.open(type), 4, 2);
        Shards all = shards(6, 10);
        assertThatThrownBy(() -> code.decode(0b000111, 0b001000, all, 10)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> code.decode(0b011111, 0b010000, all, 10)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> code.decode(0b1001111, 0b010000, all, 10))
                .isInstanceOf(IllegalArgumentException.class);
        code.decode(0b001111, 0, all, 10);
    }

    private Shards group(String... data) {
        Shards all = shards(data.length + CodingMatrix.PARITIES_MAX, data[0].length());
        for (int i = 0; i < data.length; i++) {
            all.segment(i).copyFrom(MemorySegment.ofArray(data[i].getBytes(StandardCharsets.US_ASCII)));
        }
        return all;
    }

    private Shards random(SplittableRandom random, int count, int length) {
        Shards shards = shards(count, length);
        byte[] bytes = new byte[length];
        for (int i = 0; i < count; i++) {
            random.nextBytes(bytes);
            shards.segment(i).copyFrom(MemorySegment.ofArray(bytes));
        }
        return shards;
    }

    private Shards shards(int count, int length) {
        Shards shards = new Shards(count);
        for (int i = 0; i < count; i++) {
            shards.set(i, arena.allocate(length), 0);
        }
        return shards;
    }

    private static Shards part(Shards all, int from, int count) {
        Shards part = new Shards(count);
        for (int i = 0; i < count; i++) {
            part.set(i, all.segment(from + i), all.offset(from + i));
        }
        return part;
    }

    private static String hex(Shards shards, int index) {
        return HexFormat.of().formatHex(shards.segment(index).toArray(ValueLayout.JAVA_BYTE));
    }
}
