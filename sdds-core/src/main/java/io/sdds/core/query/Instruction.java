package io.sdds.core.query;

import io.sdds.core.row.ValueType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An instruction. Its result is the value with the instruction's number, from 0 on.
 *
 * @param type of the result
 * @param a number of an earlier instruction, or of a column; -1 if the operation has no such operand
 * @param b like {@code a}
 * @param c like {@code a}
 * @param constants of {@link Op#CONSTANT} one, of {@link Op#IN} the list, of {@link Op#LIKE} the pattern and the escape
 *     (empty: none); each as a row stores it, or null for NULL
 */
public record Instruction(Op op, ValueType type, int a, int b, int c, List<byte @Nullable []> constants) {}
