package io.sdds.core.query;

import io.sdds.core.row.KeyEncoding;
import io.sdds.core.row.MalformedRowException;
import io.sdds.core.row.RowLayout;
import io.sdds.core.row.RowReader;
import io.sdds.core.row.ValueType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates the instructions of a program row by row, as {@link Op} tells: the measure that the evaluator of bricks is
 * compared with, and what a client does that meets an older brick. For one thread.
 */
public final class Evaluation {
    /** The value of an instruction for a row, NULL (null), or an error. */
    private record Lane(byte @Nullable [] value, @Nullable EvaluationError error) {
        static final Lane NULL = new Lane(null, null);

        static Lane of(boolean value) {
            return new Lane(Stored.bool(value), null);
        }

        boolean is(boolean wanted) {
            return value != null && Stored.isTrue(value) == wanted;
        }
    }

    /** Bytes of the objects of an instruction and of a constant. */
    private static final int INSTRUCTION_BYTES = 128;

    private static final int CONSTANT_BYTES = 32;

    private final Program program;
    private final Lane[] lanes;
    private final List<@Nullable LikePattern> patterns = new ArrayList<>();

    /** The list of each instruction that is IN. */
    private final List<Set<@Nullable ByteBuffer>> lists = new ArrayList<>();

    private final KeyEncoding keys;
    private final RowReader rows;
    private byte[] key = {};
    private byte[] value = {};
    private long version;
    private Lane[] keyColumns = {};
    private Lane[] valueColumns = {};
    private final long costMax;
    private long cost;

    /** For a valid program. */
    public Evaluation(Program program) {
        this(program, Long.MAX_VALUE);
    }

    /**
     * For a valid program.
     *
     * @param costMax most {@link EvaluationCost} of a record
     */
    Evaluation(Program program, long costMax) {
        this.program = program;
        this.costMax = costMax;
        this.lanes = new Lane[program.instructions().size()];
        for (Instruction instruction : program.instructions()) {
            lists.add(instruction.op() == Op.IN ? setOf(instruction.constants()) : new HashSet<>());
            patterns.add(instruction.op() == Op.LIKE ? LikePattern.of(instruction.constants()) : null);
        }
        RowShape shape = program.shape();
        this.keys = new KeyEncoding(shape.keys());
        this.rows = new RowReader(new RowLayout(shape.values(), shape.defaults()));
    }

    /**
     * Evaluates all instructions for a record.
     *
     * @throws EvaluationFailure when they cost too much
     */
    public void begin(byte[] key, byte[] value, long version) {
        this.key = key;
        this.value = value;
        this.version = version;
        keyColumns = program.shape().keys().isEmpty() ? keyColumns : readKey();
        valueColumns = program.shape().values().isEmpty() ? valueColumns : readRow();
        evaluate();
    }

    /**
     * Evaluates all instructions for values that are no record.
     *
     * @param columns the columns of the value, as a row stores them; null: NULL
     */
    public void begin(List<byte @Nullable []> columns) {
        key = new byte[0];
        value = new byte[0];
        version = 0;
        keyColumns = new Lane[0];
        valueColumns = new Lane[columns.size()];
        for (int k = 0; k < valueColumns.length; k++) {
            valueColumns[k] = column(program.shape().values().get(k), columns.get(k));
        }
        evaluate();
    }

    /** Bytes of memory that the evaluation of a program holds, its values apart, about. */
    long bytes() {
        long bytes = 0;
        for (int k = 0; k < lanes.length; k++) {
            LikePattern pattern = patterns.get(k);
            bytes += INSTRUCTION_BYTES + (pattern == null ? 0 : pattern.bytes());
            for (byte[] constant : program.instructions().get(k).constants()) {
                bytes += constant == null ? 0 : CONSTANT_BYTES + constant.length;
            }
        }
        return bytes;
    }

    /** Lets go of the record and of all values, whose memory an evaluation that is kept would hold. */
    void clear() {
        key = new byte[0];
        value = new byte[0];
        keyColumns = new Lane[0];
        valueColumns = new Lane[0];
        Arrays.fill(lanes, Lane.NULL);
        rows.clear();
    }

    /**
     * Whether the row passes the filter.
     *
     * @throws EvaluationFailure when the filter has an error
     */
    public boolean passes() {
        byte[] test = program.filter() == -1 ? Stored.bool(true) : value(program.filter());
        return test != null && Stored.isTrue(test);
    }

    /**
     * The value of an instruction, as a row stores it; null: NULL.
     *
     * @throws EvaluationFailure when it is an error
     */
    public byte @Nullable [] value(int instruction) {
        Lane lane = lanes[instruction];
        if (lane.error() != null) {
            throw new EvaluationFailure(lane.error());
        }
        return lane.value();
    }

    /** The values of some instructions; otherwise like {@link #value}. */
    public List<byte @Nullable []> values(List<Integer> instructions) {
        List<byte @Nullable []> values = new ArrayList<>(instructions.size());
        for (int instruction : instructions) {
            values.add(value(instruction));
        }
        return values;
    }

    private Lane[] readKey() {
        List<ValueType> types = program.shape().keys();
        try {
            byte[][] columns = keys.stored(key);
            return IntStream.range(0, columns.length)
                    .mapToObj(k -> column(types.get(k), columns[k]))
                    .toArray(Lane[]::new);
        } catch (MalformedRowException e) {
            return failed(types.size(), EvaluationError.INVALID_KEY);
        }
    }

    private Lane[] readRow() {
        List<ValueType> types = program.shape().values();
        try {
            rows.read(value);
        } catch (MalformedRowException e) {
            return failed(types.size(), EvaluationError.INVALID_ROW);
        }
        Lane[] columns = new Lane[types.size()];
        for (int k = 0; k < columns.length; k++) {
            try {
                columns[k] = column(types.get(k), rows.stored(k));
            } catch (MalformedRowException e) {
                columns[k] = new Lane(null, EvaluationError.INVALID_ROW);
            }
        }
        return columns;
    }

    private static Lane[] failed(int count, EvaluationError error) {
        Lane[] lanes = new Lane[count];
        Arrays.fill(lanes, new Lane(null, error));
        return lanes;
    }

    private static Lane column(ValueType type, byte @Nullable [] stored) {
        if (stored == null) {
            return Lane.NULL;
        }
        return type.kind() == ValueType.Kind.VARCHAR && !Utf8.isValid(stored)
                ? new Lane(null, EvaluationError.INVALID_UTF8)
                : new Lane(Stored.canonical(type.kind(), stored), null);
    }

    private void evaluate() {
        cost = 0;
        for (int k = 0; k < lanes.length; k++) {
            Instruction instruction = program.instructions().get(k);
            lanes[k] = switch (instruction.op()) {
                case KEY_COLUMN -> keyColumns[instruction.a()];
                case VALUE_COLUMN -> valueColumns[instruction.a()];
                case KEY -> new Lane(key, null);
                case VALUE -> new Lane(value, null);
                case RECORD_VERSION -> new Lane(Stored.number(version, Long.BYTES), null);
                case CONSTANT -> new Lane(instruction.constants().get(0), null);
                default -> computed(k, instruction);
            };
        }
    }

    private Lane computed(int number, Instruction instruction) {
        Lane a = lanes[instruction.a()];
        Lane b = instruction.b() == -1 ? a : lanes[instruction.b()];
        Lane c = instruction.c() == -1 ? a : lanes[instruction.c()];
        if (instruction.op() == Op.AND || instruction.op() == Op.OR) {
            return logic(a, b, instruction.op() == Op.OR);
        }
        if (a.error() != null) {
            return a;
        }
        if (instruction.op() == Op.CASE) {
            return a.is(true) ? b : c;
        }
        if (instruction.op() == Op.IS_NULL) {
            return Lane.of(a.value() == null);
        }
        if (instruction.op() == Op.IS_TRUE) {
            return Lane.of(a.is(true));
        }
        if (b.error() != null || c.error() != null) {
            return b.error() != null ? b : c;
        }
        if (a.value() == null || b.value() == null || c.value() == null) {
            return Lane.NULL;
        }
        spend(EvaluationCost.of(instruction, patterns.get(number), a.value(), b.value()));
        try {
            byte[] third = instruction.c() == -1 ? null : c.value();
            return new Lane(result(number, instruction, a.value(), b.value(), third), null);
        } catch (EvaluationFailure e) {
            return new Lane(null, e.error());
        }
    }

    private void spend(long more) {
        cost += more;
        if (cost > costMax) {
            throw new EvaluationFailure(EvaluationError.TOO_COSTLY);
        }
    }

    /**
     * AND and OR: the operand that decides wins over errors, these over NULL.
     *
     * @param deciding TRUE of OR, FALSE of AND
     */
    private static Lane logic(Lane a, Lane b, boolean deciding) {
        if (a.is(deciding) || b.is(deciding)) {
            return Lane.of(deciding);
        }
        if (a.error() != null || b.error() != null) {
            return a.error() != null ? a : b;
        }
        return a.value() == null || b.value() == null ? Lane.NULL : Lane.of(!deciding);
    }

    /** The result for operands that are no errors and not NULL; {@code b} is {@code a} if there is none. */
    private byte @Nullable [] result(int number, Instruction instruction, byte[] a, byte[] b, byte @Nullable [] c) {
        ValueType typeOfA = typeOf(instruction.a());
        return switch (instruction.op()) {
            case NOT -> Stored.bool(!Stored.isTrue(a));
            case EQUAL -> Stored.bool(ValueOrder.compare(typeOfA, a, b) == 0);
            case LESS -> Stored.bool(ValueOrder.compare(typeOfA, a, b) < 0);
            case LESS_OR_EQUAL -> Stored.bool(ValueOrder.compare(typeOfA, a, b) <= 0);
            case IN -> isOneOf(a, lists.get(number));
            case BLOOM -> Stored.bool(BloomFilter.contains(filter(instruction), BloomFilter.hash(typeOfA, a)));
            case ADD, SUBTRACT, MULTIPLY, DIVIDE, REMAINDER ->
                Arithmetic.binary(instruction.op(), instruction.type(), a, typeOfA, b, typeOf(instruction.b()));
            case NEGATE -> Arithmetic.negate(instruction.type(), a);
            case LIKE -> Stored.bool(matches(number, a));
            case SUBSTRING -> substring(a, Stored.number(b), c);
            case CAST -> Casts.cast(a, typeOfA, instruction.type());
            default -> text(instruction.op(), a, b);
        };
    }

    private static byte[] text(Op op, byte[] a, byte[] b) {
        return switch (op) {
            case CONTAINS -> Stored.bool(TextOps.contains(a, b));
            case STARTS_WITH -> Stored.bool(TextOps.startsWith(a, 0, b));
            case ENDS_WITH -> Stored.bool(TextOps.startsWith(a, a.length - b.length, b));
            case LOWER -> CaseMapping.lower(a);
            case UPPER -> CaseMapping.upper(a);
            case CHAR_LENGTH -> Stored.number(Utf8.codePoints(a), Integer.BYTES);
            case OCTET_LENGTH -> Stored.number(a.length, Integer.BYTES);
            case CONCAT -> TextOps.concat(a, b);
            case TRIM -> TextOps.trim(a);
            default -> throw new IllegalArgumentException("no operation " + op);
        };
    }

    private ValueType typeOf(int instruction) {
        return program.instructions().get(instruction).type();
    }

    private boolean matches(int number, byte[] text) {
        LikePattern pattern = patterns.get(number);
        return pattern != null && pattern.matches(text);
    }

    private static byte[] substring(byte[] text, long from, byte @Nullable [] length) {
        long end = length == null ? Long.MAX_VALUE : from + Stored.number(length);
        return TextOps.substring(text, from, end);
    }

    /** The constants of a list; null stands for NULL. */
    private static Set<@Nullable ByteBuffer> setOf(List<byte @Nullable []> constants) {
        Set<@Nullable ByteBuffer> set = new HashSet<>();
        for (byte[] constant : constants) {
            set.add(constant == null ? null : ByteBuffer.wrap(constant));
        }
        return set;
    }

    private static byte @Nullable [] isOneOf(byte[] value, Set<@Nullable ByteBuffer> list) {
        boolean found = list.contains(ByteBuffer.wrap(value));
        return !found && list.contains(null) ? null : Stored.bool(found);
    }

    private static byte[] filter(Instruction instruction) {
        byte[] bits = instruction.constants().get(0);
        if (bits == null) {
            throw new IllegalStateException("a valid program has a filter");
        }
        return bits;
    }
}
