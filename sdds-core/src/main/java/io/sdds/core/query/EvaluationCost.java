package io.sdds.core.query;

import org.jspecify.annotations.Nullable;

/** What an operation costs for one row in an {@link Evaluation}, in about nanoseconds. */
final class EvaluationCost {
    private static final int OPERATION = 100;

    private EvaluationCost() {}

    /**
     * The cost of an operation.
     *
     * @param pattern of LIKE
     * @param a the first operand
     * @param b the second operand, or again the first one
     */
    static long of(Instruction instruction, @Nullable LikePattern pattern, byte[] a, byte[] b) {
        return OPERATION
                + switch (instruction.op()) {
                    case CONTAINS -> 4L * (a.length + b.length);
                    case LIKE -> 2L * a.length * (pattern == null ? 1 : pattern.stepsOfByte());
                    case IN -> 10L * instruction.constants().size() + a.length;
                    case LOWER, UPPER, CAST, SUBSTRING -> 4L * a.length;
                    default -> Math.max(a.length, b.length);
                };
    }
}
