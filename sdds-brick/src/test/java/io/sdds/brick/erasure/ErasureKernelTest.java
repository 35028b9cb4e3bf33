package io.sdds.brick.erasure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.core.Seeds;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ErasureKernelTest {

    @ParameterizedTest
    @EnumSource
    void namesItselfAsItsTypeDoes(KernelType type) {
        assertThat(Kernels.open(type).name()).isEqualTo(type.toString());
    }

    @Test
    void theFastestTypeIsAvailable() {
        assertThat(KernelType.fastest().isAvailable()).isTrue();
        assertThat(KernelType.REED_SOLOMON.isAvailable()).isTrue();
        assertThat(KernelType.VECTOR.isAvailable())
                .as("the tests run with --add-modules=jdk.incubator.vector")
                .isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void longFoldsHaveNoSeams(KernelType type) {
        ErasureKernel kernel = Kernels.open(type);
        SplittableRandom random = Seeds.random("ErasureKernelTest.longFoldsHaveNoSeams." + type);
        int[] lengths = {65_535, 65_536, 65_537, 65_599, 65_600, 131_073};
        int most = type == KernelType.VECTOR ? 1 : lengths.length; // slow where the JVM does not optimize
        for (int i = 0; i < most; i++) {
            byte[] bytes = new byte[lengths[i]];
            random.nextBytes(bytes);
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment src = arena.allocate(bytes.length).copyFrom(MemorySegment.ofArray(bytes));
                MemorySegment dst = arena.allocate(bytes.length);
                kernel.fold(dst, 0, src, 0, 29, bytes.length);
                for (int k = 0; k < bytes.length; k++) {
                    bytes[k] = (byte) GaloisField.multiply(bytes[k] & 0xFF, 29);
                }
                assertThat(dst.mismatch(MemorySegment.ofArray(bytes))).isEqualTo(-1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesRangesOutsideOfTheirSegments(KernelType type) {
        ErasureKernel kernel = Kernels.open(type);
        MemorySegment dst = MemorySegment.ofArray(new byte[200]);
        MemorySegment src = Arena.ofAuto().allocate(200);
        src.fill((byte) 1);
        assertThatThrownBy(() -> kernel.fold(dst, 1, src, 0, 3, 200)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> kernel.fold(dst, 0, src, 1, 3, 200)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> kernel.fold(dst, -1, src, 0, 3, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> kernel.fold(dst, 0, src, 0, 256, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> kernel.fold(dst, 0, src, 0, 3, -1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(dst.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(new byte[200]);
    }

    @ParameterizedTest
    @EnumSource
    void refusesMemoryThatIsClosedOrReadOnly(KernelType type) {
        ErasureKernel kernel = Kernels.open(type);
        MemorySegment src = Arena.ofAuto().allocate(200);
        Arena arena = Arena.ofConfined();
        MemorySegment closed = arena.allocate(200);
        arena.close();
        assertThatThrownBy(() -> kernel.fold(closed, 0, src, 0, 3, 200)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> kernel.fold(src, 0, closed, 0, 3, 200)).isInstanceOf(IllegalStateException.class);
        MemorySegment readOnly = Arena.ofAuto().allocate(200).asReadOnly();
        assertThatThrownBy(() -> kernel.fold(readOnly, 0, src, 0, 3, 200)).isInstanceOf(RuntimeException.class);
    }
}
