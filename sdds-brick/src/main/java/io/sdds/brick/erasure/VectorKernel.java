package io.sdds.brick.erasure;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The kernel of the Java Vector API. Needs the module {@code jdk.incubator.vector}, and without the optimizing compiler
 * it is slower than {@link ReedSolomonKernel}.
 */
final class VectorKernel implements ErasureKernel {
    /*
     * A product with a constant is the sum of two table look-ups, because multiplication distributes over XOR: one
     * table has the products of the lower four bits, the other those of the upper four. A vector holds a whole table,
     * and one instruction looks up all bytes of another vector in it. (Plank, Greenan, Miller: Screaming Fast Galois
     * Field Arithmetic Using Intel SIMD Instructions, FAST 2013.)
     */
    private static final int NIBBLES = 16;

    /** Vectors hold a table at least, also where the JVM prefers shorter ones because it does not compile them. */
    private static final VectorSpecies<Byte> SPECIES =
            ByteVector.SPECIES_PREFERRED.length() < NIBBLES ? ByteVector.SPECIES_128 : ByteVector.SPECIES_PREFERRED;

    private static final int LANES = SPECIES.length();

    private static final ByteOrder ORDER = ByteOrder.nativeOrder();

    /** Tables of all coefficients: two of {@code LANES} bytes each, which repeat the products. */
    private final byte[] tables = new byte[GaloisField.SIZE * 2 * LANES];

    VectorKernel() {
        for (int c = 0; c < GaloisField.SIZE; c++) {
            byte[] products = GaloisField.products(c);
            for (int i = 0; i < LANES; i++) {
                tables[lowTable(c) + i] = products[i % NIBBLES];
                tables[highTable(c) + i] = products[(i % NIBBLES) * NIBBLES];
            }
        }
    }

    private static int lowTable(int coefficient) {
        return coefficient * 2 * LANES;
    }

    private static int highTable(int coefficient) {
        return lowTable(coefficient) + LANES;
    }

    @Override
    public String name() {
        return "vector";
    }

    @Override
    public void fold(
            MemorySegment dst, long dstOffset, MemorySegment src, long srcOffset, int coefficient, int length) {
        Ranges.checkFold(dst, dstOffset, src, srcOffset, coefficient, length);
        if (coefficient == 1) {
            xor(dst, dstOffset, src, srcOffset, length);
        } else if (coefficient != 0) {
            addMultiple(dst, dstOffset, src, srcOffset, coefficient, length);
        }
    }

    @Override
    public Product product(byte[][] rows) {
        return new FoldProduct(this, rows);
    }

    private static void xor(MemorySegment dst, long dstOffset, MemorySegment src, long srcOffset, int length) {
        int whole = SPECIES.loopBound(length);
        for (int i = 0; i < whole; i += LANES) {
            load(dst, dstOffset + i)
                    .lanewise(VectorOperators.XOR, load(src, srcOffset + i))
                    .intoMemorySegment(dst, dstOffset + i, ORDER);
        }
        if (whole < length) {
            VectorMask<Byte> mask = SPECIES.indexInRange(whole, length);
            load(dst, dstOffset + whole, mask)
                    .lanewise(VectorOperators.XOR, load(src, srcOffset + whole, mask))
                    .intoMemorySegment(dst, dstOffset + whole, ORDER, mask);
        }
    }

    private void addMultiple(
            MemorySegment dst, long dstOffset, MemorySegment src, long srcOffset, int coefficient, int length) {
        ByteVector low = ByteVector.fromArray(SPECIES, tables, lowTable(coefficient));
        ByteVector high = ByteVector.fromArray(SPECIES, tables, highTable(coefficient));
        int whole = SPECIES.loopBound(length);
        for (int i = 0; i < whole; i += LANES) {
            ByteVector product = product(load(src, srcOffset + i), low, high);
            load(dst, dstOffset + i)
                    .lanewise(VectorOperators.XOR, product)
                    .intoMemorySegment(dst, dstOffset + i, ORDER);
        }
        if (whole < length) {
            VectorMask<Byte> mask = SPECIES.indexInRange(whole, length);
            ByteVector product = product(load(src, srcOffset + whole, mask), low, high);
            load(dst, dstOffset + whole, mask)
                    .lanewise(VectorOperators.XOR, product)
                    .intoMemorySegment(dst, dstOffset + whole, ORDER, mask);
        }
    }

    private static ByteVector load(MemorySegment segment, long offset) {
        return ByteVector.fromMemorySegment(SPECIES, segment, offset, ORDER);
    }

    private static ByteVector load(MemorySegment segment, long offset, VectorMask<Byte> mask) {
        return ByteVector.fromMemorySegment(SPECIES, segment, offset, ORDER, mask);
    }

    private static ByteVector product(ByteVector bytes, ByteVector low, ByteVector high) {
        ByteVector lower = bytes.and((byte) (NIBBLES - 1));
        // There are no shifts of bytes in hardware.
        IntVector shifted = bytes.reinterpretAsInts().lanewise(VectorOperators.LSHR, 4);
        ByteVector upper = shifted.reinterpretAsBytes().and((byte) (NIBBLES - 1));
        return lower.selectFrom(low).lanewise(VectorOperators.XOR, upper.selectFrom(high));
    }
}
