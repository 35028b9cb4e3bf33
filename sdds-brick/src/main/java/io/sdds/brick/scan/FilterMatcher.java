package io.sdds.brick.scan;

import io.sdds.brick.memory.ByteSearch;
import io.sdds.brick.memory.RecordBatch;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SegmentBytes;
import io.sdds.core.protocol.Filter;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A filter in a form that is evaluated on the bytes of records, up to 64 records at a time, without an allocation for
 * each record. Sets of records are words: bit k stands for the record at index {@code from + k} of a batch.
 */
public abstract class FilterMatcher {
    /** Most records that are evaluated together. */
    public static final int RECORDS_MAX = Long.SIZE;

    /** Is true of every record. */
    static final FilterMatcher EVERYTHING = new All(new FilterMatcher[0]);

    /** The form of a filter that is evaluated. */
    public static FilterMatcher of(Filter filter) {
        return switch (filter) {
            case Filter.And and -> new All(parts(and.parts()));
            case Filter.Or or -> new Any(parts(or.parts()));
            case Filter.Not not -> new None(of(not.part()));
            case Filter.Match match -> Test.of(match);
        };
    }

    FilterMatcher() {}

    private static FilterMatcher[] parts(List<Filter> filters) {
        return filters.stream().map(FilterMatcher::of).toArray(FilterMatcher[]::new);
    }

    /**
     * Tests the records of a batch from an index on, at most {@link #RECORDS_MAX}. Bit k of the result stands for the
     * record at {@code from + k}, and is set if the filter is true of the record.
     */
    public final long matches(RecordStore store, RecordBatch batch, int from) {
        int records = Math.min(batch.size() - from, RECORDS_MAX);
        return records <= 0 ? 0 : matches(store, batch, from, -1L >>> -records);
    }

    /** Returns the bits of the candidates that the filter is true of. */
    abstract long matches(RecordStore store, RecordBatch batch, int from, long candidates);

    private static final class All extends FilterMatcher {
        private final FilterMatcher[] parts;

        All(FilterMatcher[] parts) {
            this.parts = parts;
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
        long matches(RecordStore store, RecordBatch batch, int from, long candidates) {
            return candidates & ~part.matches(store, batch, from, candidates);
        }
    }

    /** Compares a field of each record with an operand. */
    private abstract static class Test extends FilterMatcher {
        final MemorySegment operand;
        final int length;
        private final boolean ofKey;

        Test(Filter.Match match) {
            this.operand = MemorySegment.ofArray(match.operand());
            this.length = match.operand().length;
            this.ofKey = match.field() == Filter.Field.KEY;
        }

        static Test of(Filter.Match match) {
            return switch (match.test()) {
                case EQUALS -> new Equals(match);
                case PREFIX -> new Prefix(match);
                case CONTAINS -> new Contains(match);
            };
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
            return matching;
        }

        /** Whether the test is true of a field. */
        abstract boolean matches(MemorySegment field, long at, int fieldLength);
    }

    private static final class Equals extends Test {
        Equals(Filter.Match match) {
            super(match);
        }

        @Override
        boolean matches(MemorySegment field, long at, int fieldLength) {
            return fieldLength == length && SegmentBytes.equal(field, at, operand, 0, length);
        }
    }

    private static final class Prefix extends Test {
        Prefix(Filter.Match match) {
            super(match);
        }

        @Override
        boolean matches(MemorySegment field, long at, int fieldLength) {
            return fieldLength >= length && SegmentBytes.equal(field, at, operand, 0, length);
        }
    }

    private static final class Contains extends Test {
        Contains(Filter.Match match) {
            super(match);
        }

        @Override
        boolean matches(MemorySegment field, long at, int fieldLength) {
            return ByteSearch.find(field, at, at + fieldLength, operand, 0, length) >= 0;
        }
    }
}
