package io.sdds.brick.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.ByteSearch;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.RecordBatch;
import io.sdds.brick.memory.RecordStore;
import io.sdds.core.Seeds;
import io.sdds.core.protocol.Limits;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.query.Instruction;
import io.sdds.core.query.Op;
import io.sdds.core.query.Output;
import io.sdds.core.query.Program;
import io.sdds.core.query.ProgramCodec;
import io.sdds.core.query.RowEvaluator;
import io.sdds.core.query.RowShape;
import io.sdds.core.row.ValueType;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FilterMatcherTest {
    private final MemoryBudget budget = new MemoryBudget(64 << 20);
    private final ArenaMemorySource source = new ArenaMemorySource(budget);
    private final RecordStore store = new RecordStore(source, budget);
    private final long cat = record("U+01F431", "CAT FACE");
    private final long empty = record("k", "");

    @AfterEach
    void close() {
        source.close();
    }

    /** Makes the program of a filter. */
    private static final class Builder {
        private static final List<Op> TESTS = List.of(Op.EQUAL, Op.STARTS_WITH, Op.CONTAINS);

        private final List<Instruction> instructions = new ArrayList<>();

        private int add(Op op, ValueType type, int a, int b, List<byte[]> constants) {
            instructions.add(new Instruction(op, type, a, b, -1, List.copyOf(constants)));
            return instructions.size() - 1;
        }

        int truth(boolean value) {
            byte[] constant = {(byte) (value ? 1 : 0)};
            return add(Op.CONSTANT, ValueType.BOOLEAN, -1, -1, Collections.singletonList(constant));
        }

        int test(Op field, Op test, String operand) {
            int a = add(field, ValueType.VARBINARY, -1, -1, List.of());
            int b = add(Op.CONSTANT, ValueType.VARBINARY, -1, -1, Collections.singletonList(bytes(operand)));
            return logic(test, a, b);
        }

        int logic(Op op, int a, int b) {
            return add(op, ValueType.BOOLEAN, a, b, List.of());
        }

        int random(SplittableRandom random, int depth) {
            return switch (random.nextInt(depth == 0 ? 3 : 7)) {
                case 3 -> logic(Op.AND, random(random, depth - 1), random(random, depth - 1));
                case 4 -> logic(Op.OR, random(random, depth - 1), random(random, depth - 1));
                case 5 -> logic(Op.NOT, random(random, depth - 1), -1);
                case 6 -> truth(random.nextBoolean());
                default -> {
                    Op test = TESTS.get(random.nextInt(TESTS.size()));
                    yield random.nextBoolean()
                            ? test(Op.KEY, test, "k" + text(random, 3))
                            : test(Op.VALUE, test, text(random, random.nextInt(4) == 0 ? 20 : 4));
                }
            };
        }

        Program program(int filter) {
            Output.Aggregation count = new Output.Aggregation(Output.AggregateFunction.COUNT_ROWS, -1);
            return new Program(RowShape.BYTES, instructions, filter, new Output.Aggregate(List.of(), List.of(count)));
        }
    }

    private static Program test(Op field, Op test, String operand) {
        Builder builder = new Builder();
        return builder.program(builder.test(field, test, operand));
    }

    @Test
    void equalsWantsAllBytes() {
        assertThat(matches(test(Op.VALUE, Op.EQUAL, "CAT FACE"), cat)).isTrue();
        assertThat(matches(test(Op.VALUE, Op.EQUAL, "CAT"), cat)).isFalse();
        assertThat(matches(test(Op.VALUE, Op.EQUAL, ""), empty)).isTrue();
    }

    @Test
    void prefixWantsTheFirstBytes() {
        assertThat(matches(test(Op.KEY, Op.STARTS_WITH, "U+01F"), cat)).isTrue();
        assertThat(matches(test(Op.KEY, Op.STARTS_WITH, "U+01F4319"), cat)).isFalse();
        assertThat(matches(test(Op.KEY, Op.STARTS_WITH, ""), cat)).isTrue();
    }

    @Test
    void containsFindsBytesAnywhere() {
        for (String part : new String[] {"CAT", "FACE", "T F", "E", "", "CAT FACE"}) {
            assertThat(matches(test(Op.VALUE, Op.CONTAINS, part), cat)).as(part).isTrue();
        }
        for (String part : new String[] {"DOG", "CAT FACES", "AA"}) {
            assertThat(matches(test(Op.VALUE, Op.CONTAINS, part), cat)).as(part).isFalse();
        }
        assertThat(matches(test(Op.VALUE, Op.CONTAINS, "x"), empty)).isFalse();
    }

    @Test
    void agreesWithTheEvaluationOfTheProgramForEachRecordOfABatch() {
        SplittableRandom random = Seeds.random("FilterMatcherTest.agrees");
        for (int round = 0; round < 300; round++) {
            RecordBatch batch = new RecordBatch();
            List<String[]> records = new ArrayList<>();
            for (int i = random.nextInt(200); i > 0; i--) {
                String[] record = {"k" + text(random, 20), text(random, 100)};
                records.add(record);
                batch.add(record(record[0], record[1]));
            }
            Builder builder = new Builder();
            Program filter = builder.program(builder.random(random, 3));
            FilterMatcher matcher = FilterMatcher.of(filter, new ByteSearch());
            RowEvaluator evaluator = new RowEvaluator(filter);
            for (int i = 0; i < records.size(); i++) {
                int from = i / FilterMatcher.RECORDS_MAX * FilterMatcher.RECORDS_MAX;
                String[] record = records.get(i);
                assertThat(matcher.matches(store, batch, from) >>> i - from & 1)
                        .as("%s of %s", filter, List.of(record))
                        .isEqualTo(evaluator.add(bytes(record[0]), bytes(record[1]), 1) ? 1 : 0);
            }
            assertThat(matcher.matches(store, batch, records.size())).isZero();
        }
    }

    /** Text of few different letters, so that parts of it are found. */
    private static String text(SplittableRandom random, int lengthBound) {
        return random.ints(random.nextInt(lengthBound), 'a', 'd')
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
    }

    @Test
    void theCacheKeepsTheFiltersUsedLast() {
        FilterCache cache = new FilterCache();
        assertThat(cache.filter(Unpooled.EMPTY_BUFFER)).isSameAs(FilterMatcher.EVERYTHING);
        FilterMatcher first = cache.filter(encoded("0"));
        for (int i = 1; i < FilterCache.FILTERS_MAX; i++) {
            cache.filter(encoded("" + i));
        }
        assertThat(cache.filter(encoded("0"))).isSameAs(first);
        FilterMatcher second = cache.filter(encoded("more than there is room for"));
        assertThat(cache.size()).isEqualTo(FilterCache.FILTERS_MAX);
        assertThat(cache.filter(encoded("0"))).isSameAs(first);
        assertThat(cache.filter(encoded("more than there is room for"))).isSameAs(second);
        String large = "x".repeat(Limits.FILTER_BYTES_MAX - 200);
        for (int i = 0; i < 8; i++) {
            cache.filter(encoded(i + large));
        }
        assertThat(cache.size()).isEqualTo(FilterCache.BYTES_MAX / Limits.FILTER_BYTES_MAX);
    }

    @Test
    void theCacheRefusesWhatIsNoFilterEachTime() {
        FilterCache cache = new FilterCache();
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> cache.filter(Unpooled.wrappedBuffer(new byte[] {Program.VERSION, 99})))
                    .isInstanceOf(ProtocolViolation.class);
        }
        assertThat(cache.size()).isZero();
    }

    @Test
    void aProgramWithoutAFilterLetsEveryRecordPass() {
        assertThat(FilterMatcher.of(new Builder().program(-1), new ByteSearch()))
                .isSameAs(FilterMatcher.EVERYTHING);
        Builder builder = new Builder();
        assertThat(FilterMatcher.of(builder.program(builder.truth(true)), new ByteSearch()))
                .isSameAs(FilterMatcher.EVERYTHING);
    }

    @Test
    void refusesOtherOperationsThanTestsOfBytes() {
        Builder versions = new Builder();
        int version = versions.add(Op.RECORD_VERSION, ValueType.BIGINT, -1, -1, List.of());
        Builder columns = new Builder();
        int value = columns.add(Op.VALUE, ValueType.VARBINARY, -1, -1, List.of());
        Builder nulls = new Builder();
        int key = nulls.add(Op.KEY, ValueType.VARBINARY, -1, -1, List.of());
        nulls.instructions.add(
                new Instruction(Op.CONSTANT, ValueType.VARBINARY, -1, -1, -1, Collections.singletonList(null)));
        for (Program program : List.of(
                versions.program(versions.logic(Op.EQUAL, version, version)),
                columns.program(columns.logic(Op.EQUAL, value, value)),
                nulls.program(nulls.logic(Op.EQUAL, key, key + 1)),
                test(Op.KEY, Op.ENDS_WITH, "x"))) {
            assertThatThrownBy(() -> FilterMatcher.of(program, new ByteSearch()))
                    .isInstanceOf(ProtocolViolation.class)
                    .hasMessageContaining("where bytes of key or value are tested");
        }
    }

    @Test
    void refusesFiltersOfTooManyPartsWhichAFewInstructionsMayMake() {
        Builder wide = new Builder();
        int filter = wide.test(Op.KEY, Op.EQUAL, "0");
        for (int k = 2; k < Limits.FILTER_PARTS_MAX; k++) {
            filter = wide.logic(Op.OR, filter, wide.test(Op.KEY, Op.EQUAL, "" + k));
        }
        assertThat(FilterMatcher.of(wide.program(filter), new ByteSearch()).tests())
                .isEqualTo(Limits.FILTER_PARTS_MAX - 1);
        for (Op op : List.of(Op.AND, Op.OR)) {
            Builder doubling = new Builder();
            int part = doubling.test(Op.KEY, Op.EQUAL, "x");
            for (int k = 0; k < 60; k++) {
                part = doubling.logic(op, part, part);
            }
            Program program = doubling.program(part);
            assertThatThrownBy(() -> FilterMatcher.of(program, new ByteSearch()))
                    .isInstanceOf(ProtocolViolation.class)
                    .hasMessageContaining("of more than 256 parts");
        }
    }

    private static ByteBuf encoded(String operand) {
        return Unpooled.wrappedBuffer(ProgramCodec.encode(test(Op.VALUE, Op.CONTAINS, operand)));
    }

    private boolean matches(Program filter, long ref) {
        RecordBatch batch = new RecordBatch();
        batch.add(ref);
        return FilterMatcher.of(filter, new ByteSearch()).matches(store, batch, 0) == 1;
    }

    private long record(String key, String value) {
        MemorySegment k = MemorySegment.ofArray(bytes(key));
        MemorySegment v = MemorySegment.ofArray(bytes(value));
        return store.write(k, 0, key.length(), v, 0, value.length(), 1, RecordStore.NO_EXPIRY, false);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
