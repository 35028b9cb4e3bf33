package io.sdds.core.query;

import io.sdds.core.row.ValueType;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An instruction. Its result is the value with the instruction's number, from 0 on.
 *
 * @param type of the result
 * @param a number of an earlier instruction, or of a column; -1 if the operation has no such operand
 * @param b like {@code a}
 * @param c like {@code a}
 * @param constants of {@link Op#CONSTANT} one, of {@link Op#IN} the list, of {@link Op#BLOOM} the filter, of
 *     {@link Op#LIKE} the pattern and the escape (empty: none), of other operations none; each as a row stores it, or
 *     null for NULL. Not changed any more
 */
public record Instruction(Op op, ValueType type, int a, int b, int c, List<byte @Nullable []> constants) {
    @Override
    public boolean equals(Object other) {
        return other instanceof Instruction that
                && op == that.op
                && type.equals(that.type)
                && a == that.a
                && b == that.b
                && c == that.c
                && equal(constants, that.constants);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(new int[] {op.ordinal(), type.precision(), type.scale(), a, b, c, hash(constants)});
    }

    /** Whether the values are the same bytes or NULL, in the same order. */
    static boolean equal(List<byte @Nullable []> some, List<byte @Nullable []> others) {
        if (some.size() != others.size()) {
            return false;
        }
        for (int k = 0; k < some.size(); k++) {
            if (!Arrays.equals(some.get(k), others.get(k))) {
                return false;
            }
        }
        return true;
    }

    static int hash(List<byte @Nullable []> values) {
        int hash = 1;
        for (byte[] value : values) {
            hash = 31 * hash + Arrays.hashCode(value);
        }
        return hash;
    }
}
