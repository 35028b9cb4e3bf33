package io.sdds.core.query;

import io.sdds.core.protocol.Limits;
import io.sdds.core.row.Schema;
import io.sdds.core.row.ValueType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks programs: operands are earlier instructions, types are those that {@link Op} tells, constants are values of
 * their types, numbers and sizes are within the limits of {@link Program}. A program that passes can be evaluated
 * without further checks.
 */
public final class ProgramValidator {
    private final Program program;
    private final List<ValueType> types = new ArrayList<>();
    private final boolean checksLists;

    /** Bytes of the constants that are no list and no filter. */
    private long bytes;

    private ProgramValidator(Program program, boolean checksLists) {
        this.program = program;
        this.checksLists = checksLists;
    }

    /** What is wrong with the program; null if nothing is. */
    public static @Nullable String problem(Program program) {
        return problem(program, true);
    }

    /** What is wrong with the program, the constants of lists apart, which {@link #fitsList} checks. */
    static @Nullable String problemBesideLists(Program program) {
        return problem(program, false);
    }

    private static @Nullable String problem(Program program, boolean checksLists) {
        ProgramValidator validator = new ProgramValidator(program, checksLists);
        String problem = validator.shapeProblem();
        problem = problem != null ? problem : validator.instructionsProblem();
        problem = problem != null ? problem : validator.filterProblem();
        return problem != null ? problem : validator.outputProblem();
    }

    private @Nullable String shapeProblem() {
        RowShape shape = program.shape();
        for (ValueType type : shape.keys()) {
            if (!Constants.isType(type)) {
                return "a key column of type " + type;
            }
        }
        if (shape.values().size() > Schema.COLUMNS_MAX) {
            return shape.values().size() + " columns, " + Schema.COLUMNS_MAX + " are allowed";
        }
        if (shape.defaults().size() != shape.values().size()) {
            return shape.defaults().size() + " defaults for " + shape.values().size() + " columns";
        }
        for (int k = 0; k < shape.values().size(); k++) {
            ValueType type = shape.values().get(k);
            if (!Constants.isType(type)) {
                return "a column of type " + type;
            }
            if (!Constants.fits(type, shape.defaults().get(k))) {
                return "the default of column " + k + " is no " + type;
            }
        }
        return null;
    }

    private @Nullable String instructionsProblem() {
        if (program.instructions().size() > Program.INSTRUCTIONS_MAX) {
            return program.instructions().size() + " instructions, " + Program.INSTRUCTIONS_MAX + " are allowed";
        }
        long constants = 0;
        for (Instruction instruction : program.instructions()) {
            constants += instruction.constants().size();
            if (constants > Program.CONSTANTS_MAX) {
                return constants + " constants, " + Program.CONSTANTS_MAX + " are allowed";
            }
            if (instruction.op() != Op.IN && instruction.op() != Op.BLOOM) {
                instruction.constants().forEach(constant -> bytes += constant == null ? 0 : constant.length);
            }
            if (bytes > Limits.FILTER_BYTES_MAX) {
                return "constants of more than " + Limits.FILTER_BYTES_MAX + " bytes beside lists and filters";
            }
            String problem = instructionProblem(instruction);
            if (problem != null) {
                return "instruction " + types.size() + ", " + instruction.op() + ": " + problem;
            }
            types.add(instruction.type());
        }
        return null;
    }

    private @Nullable String instructionProblem(Instruction instruction) {
        Op op = instruction.op();
        if (op == Op.UNKNOWN || !Constants.isType(instruction.type())) {
            return "no operation with a result of type " + instruction.type();
        }
        List<ValueType> operands = new ArrayList<>();
        int[] numbers = {instruction.a(), instruction.b(), instruction.c()};
        for (int k = 0; k < numbers.length; k++) {
            List<ValueType> sources = k < Typing.operandsMax(op) ? sources(op) : List.of();
            boolean isAbsent = numbers[k] == -1 && k >= Typing.operandsMin(op);
            if (!isAbsent && (numbers[k] < 0 || numbers[k] >= sources.size())) {
                return "operand " + numbers[k] + " of " + sources.size();
            }
            if (!isAbsent) {
                operands.add(sources.get(numbers[k]));
            }
        }
        ValueType result = Typing.result(op, instruction.type(), operands);
        if (!instruction.type().equals(result)) {
            return operands + " do not give " + instruction.type();
        }
        return constantsProblem(instruction);
    }

    private List<ValueType> sources(Op op) {
        return switch (op) {
            case KEY_COLUMN -> program.shape().keys();
            case VALUE_COLUMN -> program.shape().values();
            default -> types;
        };
    }

    private @Nullable String constantsProblem(Instruction instruction) {
        List<byte @Nullable []> constants = instruction.constants();
        return switch (instruction.op()) {
            case BLOOM -> constants.size() == 1 && BloomFilter.isFilter(constants.get(0)) ? null : "no filter";
            case CONSTANT -> constants.size() != 1 ? "no constant" : typeProblem(constants, instruction.type());
            // A column may be compared with a constant that is too long for it
            case IN -> constants.isEmpty() ? "no constant" : checksLists ? listProblem(program, instruction) : null;
            case LIKE -> LikePattern.problem(constants);
            default -> constants.isEmpty() ? null : "a constant";
        };
    }

    /** The type of the constants of a list. */
    private static ValueType listType(Program program, Instruction in) {
        return Typing.widest(program.instructions().get(in.a()).type());
    }

    /** Whether a constant may stand in the list of an {@link Op#IN}. */
    static boolean fitsList(Program program, Instruction in, byte @Nullable [] constant) {
        return (constant == null || constant.length <= Program.TEXT_BYTES_MAX)
                && Constants.fits(listType(program, in), constant);
    }

    private static @Nullable String listProblem(Program program, Instruction in) {
        boolean fit = in.constants().stream().allMatch(constant -> fitsList(program, in, constant));
        return fit ? null : "a constant is no " + listType(program, in);
    }

    private static @Nullable String typeProblem(List<byte @Nullable []> constants, ValueType type) {
        boolean fit = constants.stream().allMatch(constant -> Constants.fits(type, constant));
        return fit ? null : "a constant is no " + type;
    }

    private @Nullable String filterProblem() {
        int filter = program.filter();
        boolean fits = filter == -1 || isNumber(filter) && types.get(filter).equals(ValueType.BOOLEAN);
        return fits ? null : "instruction " + filter + " is no filter";
    }

    private @Nullable String outputProblem() {
        if (program.output() instanceof Output.Project project) {
            return project.limit() < 1 ? "a limit of " + project.limit() : columnsProblem(project.columns(), 0);
        }
        if (program.output() instanceof Output.Aggregate aggregate) {
            return aggregateProblem(aggregate);
        }
        if (program.output() instanceof Output.Write write) {
            return writeProblem(write);
        }
        if (program.output() instanceof Output.Remove) {
            return null;
        }
        Output.Top top = (Output.Top) program.output();
        if (top.limit() < 1 || top.limit() > Program.TOP_ROWS_MAX) {
            return "a limit of " + top.limit() + ", 1 to " + Program.TOP_ROWS_MAX + " are allowed";
        }
        if (top.order().isEmpty()) {
            return "no order";
        }
        String problem =
                columnsProblem(top.order().stream().map(Output.SortKey::value).toList(), 0);
        return problem != null
                ? problem
                : columnsProblem(top.columns(), top.order().size());
    }

    private @Nullable String aggregateProblem(Output.Aggregate aggregate) {
        for (Output.Aggregation aggregation : aggregate.aggregations()) {
            int operand = aggregation.operand();
            boolean fits = switch (aggregation.function()) {
                case COUNT_ROWS -> operand == -1;
                case COUNT, MIN, MAX -> isNumber(operand);
                case SUM -> isNumber(operand) && Typing.isNumber(types.get(operand));
                case UNKNOWN -> false;
            };
            if (!fits) {
                return "no " + aggregation.function() + " of instruction " + operand;
            }
        }
        return columnsProblem(aggregate.keys(), aggregate.aggregations().size());
    }

    private @Nullable String writeProblem(Output.Write write) {
        int count = write.assignments().size();
        if (count < 1 || count > Program.TUPLE_MAX) {
            return count + " assignments, 1 to " + Program.TUPLE_MAX + " are allowed";
        }
        Set<Integer> assigned = new HashSet<>();
        for (Output.Assignment assignment : write.assignments()) {
            int column = assignment.column();
            boolean isWhole = column == Output.Assignment.WHOLE_VALUE && count == 1;
            boolean isThere =
                    isWhole || column >= 0 && column < program.shape().values().size();
            if (!isThere || !assigned.add(column)) {
                return "no assignment to column " + column + " can stand here";
            }
            ValueType type =
                    isWhole ? ValueType.VARBINARY : program.shape().values().get(column);
            if (!isNumber(assignment.value()) || !Typing.alike(types.get(assignment.value()), type)) {
                return "instruction " + assignment.value() + " is no value for column " + column;
            }
        }
        return null;
    }

    private @Nullable String columnsProblem(List<Integer> columns, int others) {
        int count = columns.size() + others;
        if (count < 1 || count > Program.TUPLE_MAX) {
            return count + " columns of a tuple, 1 to " + Program.TUPLE_MAX + " are allowed";
        }
        for (int column : columns) {
            if (!isNumber(column)) {
                return "no instruction has number " + column;
            }
        }
        return null;
    }

    private boolean isNumber(int instruction) {
        return instruction >= 0 && instruction < types.size();
    }
}
