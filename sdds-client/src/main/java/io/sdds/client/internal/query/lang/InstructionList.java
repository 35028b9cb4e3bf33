package io.sdds.client.internal.query.lang;

import io.sdds.core.query.Evaluation;
import io.sdds.core.query.EvaluationFailure;
import io.sdds.core.query.Instruction;
import io.sdds.core.query.Op;
import io.sdds.core.query.Output;
import io.sdds.core.query.Program;
import io.sdds.core.query.RowShape;
import io.sdds.core.query.Typing;
import io.sdds.core.row.ValueType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The instructions of a program that grows. Equal instructions are there once, and constants are computed here. */
final class InstructionList {
    /** Most instructions of a query or an update. */
    static final int QUERY_MAX = 256;

    private final List<Instruction> instructions = new ArrayList<>();
    private final Map<Instruction, Integer> numbers = new HashMap<>();
    private final int instructionsMax;
    private String what = "";

    InstructionList(int instructionsMax) {
        this.instructionsMax = instructionsMax;
    }

    /** Names the text whose expressions come next, for errors. */
    void begin(String text) {
        what = text;
    }

    List<Instruction> instructions() {
        return instructions;
    }

    NoProgramException error(int at, String problem) {
        String place = at == Expression.NOWHERE ? "" : ", position " + (at + 1);
        return new NoProgramException(what + place + ": " + problem);
    }

    /** A column, or a part of the record. */
    Operand source(Op op, int column, ValueType type, int at) {
        return new Operand(type, intern(new Instruction(op, type, column, -1, -1, List.of()), at), null, at);
    }

    /** An operation whose result has the one type that follows from its operands. */
    Operand compute(Op op, int at, Operand... operands) {
        return compute(op, ValueType.BOOLEAN, List.of(), at, operands);
    }

    /**
     * An operation.
     *
     * @param wanted see {@link Typing#result}
     * @param operands none of which is NULL without a type
     */
    Operand compute(Op op, ValueType wanted, List<byte @Nullable []> constants, int at, Operand... operands) {
        List<ValueType> types = new ArrayList<>();
        boolean isConstant = true;
        for (Operand operand : operands) {
            if (operand.type() != null) {
                types.add(operand.type());
            }
            isConstant &= operand.isConstant();
        }
        ValueType type = Typing.result(op, wanted, types);
        if (type == null) {
            throw error(at, op + " does not take " + types);
        }
        Operand folded = isConstant ? fold(op, type, constants, at, operands) : null;
        return folded != null ? folded : new Operand(type, add(op, type, constants, at, operands), null, at);
    }

    private int add(Op op, ValueType type, List<byte @Nullable []> constants, int at, Operand... operands) {
        int[] operandNumbers = {-1, -1, -1};
        for (int k = 0; k < operands.length; k++) {
            operandNumbers[k] = number(operands[k]);
        }
        return intern(
                new Instruction(op, type, operandNumbers[0], operandNumbers[1], operandNumbers[2], constants), at);
    }

    /** The number of the instruction of an operand, which has a type. */
    int number(Operand operand) {
        return operand.isConstant() && operand.type() != null
                ? intern(constant(operand.type(), operand.constant()), operand.at())
                : operand.number();
    }

    private static Instruction constant(ValueType type, byte @Nullable [] value) {
        List<byte @Nullable []> constants = new ArrayList<>();
        constants.add(value);
        return new Instruction(Op.CONSTANT, type, -1, -1, -1, constants);
    }

    /** The result for constants; null if it is an error, which counts only where rows need the value. */
    private static @Nullable Operand fold(
            Op op, ValueType type, List<byte @Nullable []> constants, int at, Operand... operands) {
        List<Instruction> program = new ArrayList<>();
        int[] operandNumbers = {-1, -1, -1};
        for (Operand operand : operands) {
            if (operand.type() != null) {
                operandNumbers[program.size()] = program.size();
                program.add(constant(operand.type(), operand.constant()));
            }
        }
        int result = program.size();
        program.add(new Instruction(op, type, operandNumbers[0], operandNumbers[1], operandNumbers[2], constants));
        Evaluation evaluation =
                new Evaluation(new Program(RowShape.BYTES, program, -1, new Output.Project(List.of(result), 1)));
        evaluation.begin(List.of());
        try {
            return Operand.constant(type, evaluation.value(result), at);
        } catch (EvaluationFailure e) {
            return null;
        }
    }

    private int intern(Instruction instruction, int at) {
        Integer known = numbers.get(instruction);
        if (known != null) {
            return known;
        }
        if (instructions.size() == instructionsMax) {
            throw error(at, "more than " + instructionsMax + " operations in one query");
        }
        instructions.add(instruction);
        numbers.put(instruction, instructions.size() - 1);
        return instructions.size() - 1;
    }
}
