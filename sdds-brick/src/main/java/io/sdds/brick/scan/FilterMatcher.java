package io.sdds.brick.scan;

import io.sdds.brick.memory.ByteSearch;
import io.sdds.brick.memory.RecordBatch;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SegmentBytes;
import io.sdds.core.protocol.Limits;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.query.Instruction;
import io.sdds.core.query.Op;
import io.sdds.core.query.Program;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The filter of a program that is made of tests of bytes, AND, OR and NOT. It is evaluated on the bytes of records, up
 * to 64 records at a time, without an allocation for each record. Sets of records are words: bit k stands for the
 * record at index {@code from + k} of a batch.
 */
public abstract class FilterMatcher {
    /** Most records that are evaluated together. */
    public static final int RECORDS_MAX = Long.SIZE;

    /** Is true of every record. */
    static final FilterMatcher EVERYTHING = new All(new FilterMatcher[0]);

    /** Work of a test besides that on its bytes. */
    private static final int TEST_WORK = 32;

    /**
     * The form of a program's filter that is evaluated.
     *
     * @param program valid; its output does not matter
     * @param search looks for bytes and counts the work of the filter
     * @throws ProtocolViolation when the filter has other operations, or too many parts
     */
    public static FilterMatcher of(Program program, ByteSearch search) {
        return program.filter() < 0 ? EVERYTHING : new Parts(program.instructions(), search).of(program.filter());
    }

    FilterMatcher() {}

    /** Makes the parts of a filter. An instruction that several others use is a part for each of them. */
    private static final class Parts {
        private final List<Instruction> instructions;
        private final ByteSearch search;
        private int count;

        Parts(List<Instruction> instructions, ByteSearch search) {
            this.instructions = instructions;
            this.search = search;
        }

        FilterMatcher of(int number) {
            if (++count > Limits.FILTER_PARTS_MAX) {
                throw new ProtocolViolation("filter of more than " + Limits.FILTER_PARTS_MAX + " parts");
            }
            Instruction part = instructions.get(number);
            return switch (part.op()) {
                case AND -> new All(operands(number));
                case OR -> new Any(operands(number));
                case NOT -> new None(of(part.a()));
                case CONSTANT -> constant(part)[0] != 0 ? EVERYTHING : new Any(new FilterMatcher[0]);
                default -> test(part);
            };
        }

        /** The operands of an AND or an OR, and of those of its kind among them. */
        private FilterMatcher[] operands(int number) {
            List<FilterMatcher> operands = new ArrayList<>();
            collect(number, instructions.get(number).op(), operands);
            return operands.toArray(FilterMatcher[]::new);
        }

        private void collect(int number, Op op, List<FilterMatcher> to) {
            Instruction part = instructions.get(number);
            if (part.op() == op) {
                collect(part.a(), op, to);
                collect(part.b(), op, to);
            } else {
                to.add(of(number));
            }
        }

        private Test test(Instruction test) {
            if (test.op() != Op.EQUAL && test.op() != Op.STARTS_WITH && test.op() != Op.CONTAINS) {
                throw noTest(test);
            }
            Instruction field = instructions.get(test.a());
            if (field.op() != Op.KEY && field.op() != Op.VALUE) {
                throw noTest(field);
            }
            byte[] operand = constant(instructions.get(test.b()));
            boolean ofKey = field.op() == Op.KEY;
            return switch (test.op()) {
                case EQUAL -> new Equals(ofKey, operand, search);
                case STARTS_WITH -> new Prefix(ofKey, operand, search);
                default -> new Contains(ofKey, operand, search);
            };
        }

        private static byte[] constant(Instruction constant) {
            byte[] value = constant.op() == Op.CONSTANT ? constant.constants().get(0) : null;
            if (value == null) {
                throw noTest(constant);
            }
            return value;
        }

        private static ProtocolViolation noTest(Instruction part) {
            return new ProtocolViolation("filter: " + part.op() + " where bytes of key or value are tested");
        }
    }

    /** Tests of each record, at most. */
    abstract int tests();

    private static int sum(FilterMatcher[] parts) {
        int sum = 0;
        for (FilterMatcher part : parts) {
            sum += part.tests();
        }
        return sum;
    }

    /**
     * Tests the records of a batch from an index on, at most {@link #RECORDS_MAX}. Bit k of the result stands for the
     * record at {@code from + k}, and is set if the filter is true of the record.
     */
    public final long matches(RecordStore store, RecordBatch batch, int from) {
        int records = Math.min(batch.size() - from, RECORDS_MAX);
        return records <= 0 ? 0 : matches(store, batch, from, -1L >>> -records);
    }

    /**
     * Tests the records of a batch from an index on, at least one, and no more than have together {@code bytesMax /
     * tests} bytes. So the work is bounded, but for a long record.
     *
     * @param records most records, from 1 to {@link #RECORDS_MAX}
     * @return number of the records that may be tested together
     */
    final int together(RecordStore store, RecordBatch batch, int from, int records, long bytesMax) {
        int tests = tests();
        if (tests == 0) {
            return records;
        }
        long left = bytesMax / tests;
        int count = 0;
        do {
            left -= store.contentLength(batch.get(from + count));
            count++;
        } while (count < records && left > 0);
        return count;
    }

    /** Returns the bits of the candidates that the filter is true of. */
    abstract long matches(RecordStore store, RecordBatch batch, int from, long candidates);

    private static final class All extends FilterMatcher {
        private final FilterMatcher[] parts;

        All(FilterMatcher[] parts) {
            this.parts = parts;
        }

        @Override
        int tests() {
            return sum(parts);
        }

        @Override
        long matches(RecordStore store, RecordBatch batch, int from, long candidates) {
            long left = candidates;
            for (int i = 0; i < parts.length && left != 0; i++) {
                left = parts[i].matches(store, batch, from, left);
            }
            return left;
        }
    }

    private static final class Any extends FilterMatcher {
        private final FilterMatcher[] parts;

        Any(FilterMatcher[] parts) {
            this.parts = parts;
        }

        @Override
        int tests() {
            return sum(parts);
        }

        @Override
        long matches(RecordStore store, RecordBatch batch, int from, long candidates) {
            long left = candidates;
            for (int i = 0; i < parts.length && left != 0; i++) {
                left &= ~parts[i].matches(store, batch, from, left);
            }
            return candidates & ~left;
        }
    }

    private static final class None extends FilterMatcher {
        private final FilterMatcher part;

        None(FilterMatcher part) {
            this.part = part;
        }

        @Override
        int tests() {
            return part.tests();
        }

        @Override
        long matches(RecordStore store, RecordBatch batch, int from, long candidates) {
            return candidates & ~part.matches(store, batch, from, candidates);
        }
    }

    /** Compares a field of each record with an operand. */
    private abstract static class Test extends FilterMatcher {
        final MemorySegment operand;
        final int length;
        final ByteSearch search;
        private final boolean ofKey;

        Test(boolean ofKey, byte[] operand, ByteSearch search) {
            this.search = search;
            this.operand = MemorySegment.ofArray(operand);
            this.length = operand.length;
            this.ofKey = ofKey;
        }

        @Override
        int tests() {
            return 1;
        }

        @Override
        long matches(RecordStore store, RecordBatch batch, int from, long candidates) {
            long matching = 0;
            for (long left = candidates; left != 0; left &= left - 1) {
                long ref = batch.get(from + Long.numberOfTrailingZeros(left));
                boolean matches = ofKey
                        ? matches(store.segment(ref), store.keyOffset(ref), store.keyLength(ref))
                        : matches(store.segment(ref), store.valueOffset(ref), store.valueLength(ref));
                matching |= matches ? left & -left : 0;
            }
            search.count((long) TEST_WORK * Long.bitCount(candidates));
            return matching;
        }

        final boolean isAt(MemorySegment field, long at) {
            search.count(length);
            return SegmentBytes.equal(field, at, operand, 0, length);
        }

        /** Whether the test is true of a field. */
        abstract boolean matches(MemorySegment field, long at, int fieldLength);
    }

    private static final class Equals extends Test {
        Equals(boolean ofKey, byte[] operand, ByteSearch search) {
            super(ofKey, operand, search);
        }

        @Override
        boolean matches(MemorySegment field, long at, int fieldLength) {
            return fieldLength == length && isAt(field, at);
        }
    }

    private static final class Prefix extends Test {
        Prefix(boolean ofKey, byte[] operand, ByteSearch search) {
            super(ofKey, operand, search);
        }

        @Override
        boolean matches(MemorySegment field, long at, int fieldLength) {
            return fieldLength >= length && isAt(field, at);
        }
    }

    private static final class Contains extends Test {
        Contains(boolean ofKey, byte[] operand, ByteSearch search) {
            super(ofKey, operand, search);
        }

        @Override
        boolean matches(MemorySegment field, long at, int fieldLength) {
            return search.find(field, at, at + fieldLength, operand, 0, length) >= 0;
        }
    }
}
