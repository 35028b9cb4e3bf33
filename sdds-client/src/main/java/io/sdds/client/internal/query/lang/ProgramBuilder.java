package io.sdds.client.internal.query.lang;

import io.sdds.client.internal.query.lang.Expression.Aggregate;
import io.sdds.client.internal.query.lang.Expression.Call;
import io.sdds.client.internal.query.lang.Expression.Cast;
import io.sdds.client.internal.query.lang.Expression.Literal;
import io.sdds.client.internal.query.lang.Expression.Name;
import io.sdds.client.internal.query.lang.Scope.Source;
import io.sdds.core.query.BloomFilter;
import io.sdds.core.query.Instruction;
import io.sdds.core.query.Op;
import io.sdds.core.query.Output;
import io.sdds.core.query.Program;
import io.sdds.core.query.ProgramValidator;
import io.sdds.core.query.RowShape;
import io.sdds.core.query.Typing;
import io.sdds.core.row.NearNames;
import io.sdds.core.row.Schema;
import io.sdds.core.row.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Compiles expressions to the instructions of one program. Types are converted as {@code ImplicitCasts} tells, a part
 * that stands in several expressions is computed once, and constants are computed here.
 *
 * <p>Methods throw NoProgramException with a text of one line that names the position.
 */
public final class ProgramBuilder {
    private static final List<String> FUNCTIONS = List.of(
            "abs",
            "avg",
            "cast",
            "char_length",
            "coalesce",
            "contains",
            "count",
            "ends_with",
            "length",
            "lower",
            "max",
            "min",
            "octet_length",
            "starts_with",
            "substring",
            "sum",
            "trim",
            "upper");

    /** The function of a Bloom filter. Texts cannot name it, because a filter is no text. */
    static final String MAY_BE_IN = "may be in";

    /** The part of other values that a Bloom filter lets pass. */
    private static final double FALSE_POSITIVES = 0.01;

    private final Scope scope;
    private final InstructionList list;
    private final ImplicitCasts casts;
    private final NumberCompiler numbers;
    private final TextCompiler texts;

    /** Makes the program of a query or an update. */
    public ProgramBuilder(Scope scope) {
        this(scope, InstructionList.QUERY_MAX);
    }

    public ProgramBuilder(Scope scope, int instructionsMax) {
        this.scope = scope;
        this.list = new InstructionList(instructionsMax);
        this.casts = new ImplicitCasts(list);
        this.numbers = new NumberCompiler(list, casts);
        this.texts = new TextCompiler(list, casts);
    }

    /**
     * Adds an expression.
     *
     * @param what for errors: which text it stands in
     * @return the number of the instruction of its value
     */
    public int add(String what, Expression expression) {
        list.begin(what);
        Operand operand = compile(expression);
        return list.number(typed(operand));
    }

    /** Adds a condition; otherwise like {@link #add}. */
    public int addCondition(String what, Expression expression) {
        list.begin(what);
        return list.number(casts.condition(compile(expression)));
    }

    /**
     * Adds the value of an assignment, in a type like that of its column; otherwise like {@link #add}.
     *
     * @throws IllegalArgumentException also if the name is none of a column of the value, or, without a schema, not
     *     that of the value itself
     */
    public Output.Assignment addAssignment(String what, Assignment assignment, Schema schema) {
        list.begin(what);
        Name name = assignment.column();
        Source target = scope.find(name);
        if (target == null) {
            throw list.error(name.at(), scope.problem(name));
        }
        boolean isWhole = target.op() == Op.VALUE && !schema.exists();
        if (target.op() != Op.VALUE_COLUMN && !isWhole) {
            throw list.error(name.at(), "'" + name.name() + "' takes no value: it is no column of the value");
        }
        Operand value = casts.assigned(compile(assignment.value()), target.type(), target.name());
        boolean isNotNull =
                isWhole || schema.valueColumns().get(target.column()).notNull();
        return new Output.Assignment(target.column(), list.number(value), isNotNull);
    }

    /** What is wrong with the expression that was added last. */
    public NoProgramException error(Expression expression, String problem) {
        return list.error(expression.at(), problem);
    }

    /** The type of an instruction. */
    public ValueType type(int number) {
        return list.instructions().get(number).type();
    }

    /**
     * The program of the expressions that were added. The shape has the columns of keys and of values only if there are
     * instructions that read them, or assignments to them.
     */
    public Program build(int filter, Output output) {
        RowShape all = scope.shape();
        boolean usesKeys = uses(Op.KEY_COLUMN);
        boolean usesValues = uses(Op.VALUE_COLUMN) || output instanceof Output.Write;
        RowShape shape = new RowShape(
                usesKeys ? all.keys() : List.of(),
                usesValues ? all.values() : List.of(),
                usesValues ? all.defaults() : List.of());
        Program program = new Program(shape, List.copyOf(list.instructions()), filter, output);
        String problem = ProgramValidator.problem(program);
        if (problem != null) {
            throw new NoProgramException(problem);
        }
        return program;
    }

    private boolean uses(Op op) {
        return list.instructions().stream().map(Instruction::op).anyMatch(op::equals);
    }

    /** The value of an expression; a constant if the expression is made of constants and has no error. */
    Operand compile(Expression expression) {
        Source bound = scope.boundTo(expression);
        if (bound != null) {
            return list.source(bound.op(), bound.column(), bound.type(), expression.at());
        }
        if (expression instanceof Literal literal) {
            return Operand.constant(literal.type(), literal.value(), literal.at());
        }
        if (expression instanceof Name name) {
            return name(name);
        }
        if (expression instanceof Cast cast) {
            return cast(cast);
        }
        if (expression instanceof Aggregate aggregate) {
            throw list.error(aggregate.at(), "no aggregate can stand here");
        }
        if (expression instanceof Expression.Parameter parameter) {
            throw new IllegalStateException("parameter " + parameter.number() + " has no value");
        }
        return call((Call) expression);
    }

    private Operand name(Name name) {
        Source source = scope.find(name);
        if (source == null) {
            throw list.error(name.at(), scope.problem(name));
        }
        return list.source(source.op(), source.column(), source.type(), name.at());
    }

    private Operand cast(Cast cast) {
        Operand operand = compile(cast.operand());
        if (operand.type() == null) {
            return casts.convert(operand, cast.type());
        }
        if (operand.type().equals(cast.type())) {
            return operand;
        }
        if (!Typing.castExists(operand.type(), cast.type())) {
            throw list.error(cast.at(), "no cast of " + operand.type() + " to " + cast.type());
        }
        return list.compute(Op.CAST, cast.type(), List.of(), cast.at(), operand);
    }

    private Operand call(Call call) {
        List<Operand> operands = new ArrayList<>();
        call.operands().forEach(operand -> operands.add(compile(operand)));
        int at = call.at();
        return switch (call.function()) {
            case "and" -> logic(Op.AND, at, operands);
            case "or" -> logic(Op.OR, at, operands);
            case "not" -> not(at, operands.get(0));
            case "=", "<>", "<", "<=", ">", ">=" -> comparison(call.function(), at, operands.get(0), operands.get(1));
            case "between" ->
                logic(
                        Op.AND,
                        at,
                        List.of(
                                comparison(">=", at, operands.get(0), operands.get(1)),
                                comparison("<=", at, operands.get(0), operands.get(2))));
            case "in" -> in(at, operands);
            case MAY_BE_IN -> mayBeIn(at, operands);
            case "is null" -> list.compute(Op.IS_NULL, at, typed(operands.get(0)));
            case "is true" -> list.compute(Op.IS_TRUE, at, casts.condition(operands.get(0)));
            case "case" -> cases(at, operands);
            case "+", "-", "*", "/", "%" -> numbers.compute(call.function(), at, operands.get(0), operands.get(1));
            case "negate" -> numbers.negate(at, operands.get(0));
            case "plus" -> casts.number(operands.get(0), null);
            case "||" -> texts.concat(at, operands.get(0), operands.get(1));
            case "like" ->
                texts.like(at, operands.get(0), operands.get(1), operands.size() == 3 ? operands.get(2) : null);
            default -> function(call, operands);
        };
    }

    private Operand function(Call call, List<Operand> operands) {
        int at = call.at();
        return switch (call.function()) {
            case "contains" -> texts.search(Op.CONTAINS, at, first(call, operands, 2), operands.get(1));
            case "starts_with" -> texts.search(Op.STARTS_WITH, at, first(call, operands, 2), operands.get(1));
            case "ends_with" -> texts.search(Op.ENDS_WITH, at, first(call, operands, 2), operands.get(1));
            case "substring" -> {
                Operand length = operands.size() == 3 ? operands.get(2) : null;
                yield texts.substring(at, first(call, operands, 2, 3), operands.get(1), length);
            }
            case "lower" -> texts.ofText(Op.LOWER, at, first(call, operands, 1));
            case "upper" -> texts.ofText(Op.UPPER, at, first(call, operands, 1));
            case "trim" -> texts.ofText(Op.TRIM, at, first(call, operands, 1));
            case "length", "char_length" -> texts.ofText(Op.CHAR_LENGTH, at, first(call, operands, 1));
            case "octet_length" -> texts.octetLength(at, first(call, operands, 1));
            case "abs" -> numbers.abs(at, first(call, operands, 1));
            case "coalesce" -> {
                first(call, operands, 1, Integer.MAX_VALUE);
                yield coalesce(at, operands);
            }
            default ->
                throw list.error(
                        at, "no function '" + call.function() + "'" + NearNames.hint(call.function(), FUNCTIONS));
        };
    }

    /** The first operand of a function that takes so many. */
    private Operand first(Call call, List<Operand> operands, int least, int most) {
        if (operands.size() < least || operands.size() > most) {
            String count =
                    least == most ? "" + least : most == Integer.MAX_VALUE ? least + " or more" : least + " or " + most;
            throw list.error(call.at(), call.function() + " takes " + count + " operands, found " + operands.size());
        }
        return operands.get(0);
    }

    private Operand first(Call call, List<Operand> operands, int count) {
        return first(call, operands, count, count);
    }

    private Operand logic(Op op, int at, List<Operand> operands) {
        Operand result = casts.condition(operands.get(0));
        for (Operand operand : operands.subList(1, operands.size())) {
            result = list.compute(op, at, result, casts.condition(operand));
        }
        return result;
    }

    private Operand not(int at, Operand operand) {
        return list.compute(Op.NOT, at, casts.condition(operand));
    }

    private Operand comparison(String sign, int at, Operand left, Operand right) {
        List<Operand> operands = casts.unify(at, List.of(left, right));
        Operand a = operands.get(0);
        Operand b = operands.get(1);
        return switch (sign) {
            case "=" -> list.compute(Op.EQUAL, at, a, b);
            case "<>" -> not(at, list.compute(Op.EQUAL, at, a, b));
            case "<" -> list.compute(Op.LESS, at, a, b);
            case "<=" -> list.compute(Op.LESS_OR_EQUAL, at, a, b);
            case ">" -> list.compute(Op.LESS, at, b, a);
            default -> list.compute(Op.LESS_OR_EQUAL, at, b, a);
        };
    }

    /** A list of constants is one instruction; another one is a chain of comparisons. */
    private Operand in(int at, List<Operand> operands) {
        List<Operand> unified = casts.unify(at, operands);
        List<byte @Nullable []> constants = new ArrayList<>();
        Operand others = null;
        for (Operand item : unified.subList(1, unified.size())) {
            if (item.isConstant()) {
                constants.add(item.constant());
            } else {
                Operand equal = list.compute(Op.EQUAL, at, unified.get(0), item);
                others = others == null ? equal : list.compute(Op.OR, at, others, equal);
            }
        }
        if (constants.isEmpty() && others != null) {
            return others;
        }
        Operand in = list.compute(Op.IN, ValueType.BOOLEAN, constants, at, unified.get(0));
        return others == null ? in : list.compute(Op.OR, at, in, others);
    }

    private Operand mayBeIn(int at, List<Operand> operands) {
        List<Operand> unified = casts.unify(at, operands);
        Operand value = typed(unified.get(0));
        BloomFilter filter =
                new BloomFilter(Objects.requireNonNull(value.type()), operands.size() - 1L, FALSE_POSITIVES);
        for (Operand item : unified.subList(1, unified.size())) {
            filter.add(Objects.requireNonNull(item.constant()));
        }
        return list.compute(Op.BLOOM, ValueType.BOOLEAN, List.of(filter.bytes()), at, value);
    }

    /** A condition and a result by turns, and the else at the end. */
    private Operand cases(int at, List<Operand> operands) {
        List<Operand> results = new ArrayList<>();
        for (int k = 1; k < operands.size(); k += 2) {
            results.add(operands.get(k));
        }
        results.add(operands.get(operands.size() - 1));
        List<Operand> unified = casts.unify(at, results);
        Operand result = unified.get(unified.size() - 1);
        for (int k = unified.size() - 2; k >= 0; k--) {
            Operand condition = casts.condition(operands.get(2 * k));
            result = list.compute(Op.CASE, at, condition, unified.get(k), result);
        }
        return result;
    }

    private Operand coalesce(int at, List<Operand> operands) {
        List<Operand> unified = casts.unify(at, operands);
        Operand result = unified.get(unified.size() - 1);
        for (int k = unified.size() - 2; k >= 0; k--) {
            Operand operand = unified.get(k);
            result = list.compute(Op.CASE, at, list.compute(Op.IS_NULL, at, operand), result, operand);
        }
        return result;
    }

    private Operand typed(Operand operand) {
        return operand.isNull() ? casts.convert(operand, ValueType.VARCHAR) : operand;
    }
}
