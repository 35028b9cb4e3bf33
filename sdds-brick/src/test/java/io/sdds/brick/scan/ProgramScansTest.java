package io.sdds.brick.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.Seeds;
import io.sdds.core.protocol.Status;
import io.sdds.core.query.Instruction;
import io.sdds.core.query.Op;
import io.sdds.core.query.Output;
import io.sdds.core.query.Output.AggregateFunction;
import io.sdds.core.query.Program;
import io.sdds.core.query.ProgramCodec;
import io.sdds.core.query.RowShape;
import io.sdds.core.query.TupleCodec;
import io.sdds.core.row.ValueType;
import io.sdds.core.row.Values;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests with programs at a stage: what they answer, over many slices, while partitions split. */
class ProgramScansTest {
    private static final Instruction KEY = instruction(Op.KEY, ValueType.VARBINARY);
    private static final Instruction VALUE = instruction(Op.VALUE, ValueType.VARBINARY);
    private static final Output.Aggregation COUNT = new Output.Aggregation(AggregateFunction.COUNT_ROWS, -1);
    private static final int MANY = 40_000;
    private static final int BYTES = 1 << 20;

    private final ScanFixture stage = new ScanFixture();

    @AfterEach
    void close() {
        stage.close();
    }

    private static Instruction instruction(Op op, ValueType type, int... operands) {
        int[] all = Arrays.copyOf(operands, 3);
        Arrays.fill(all, operands.length, 3, -1);
        return new Instruction(op, type, all[0], all[1], all[2], List.of());
    }

    private static Instruction constant(ValueType type, Object value) {
        return new Instruction(Op.CONSTANT, type, -1, -1, -1, Arrays.asList(Values.encode(type, value, null)));
    }

    private static Program program(List<Instruction> instructions, int filter, Output output) {
        return new Program(RowShape.BYTES, instructions, filter, output);
    }

    /** Records for each value. */
    private static Program countByValue() {
        return program(List.of(VALUE), -1, new Output.Aggregate(List.of(0), List.of(COUNT)));
    }

    private static Program keys(int limit) {
        return program(List.of(KEY), -1, new Output.Project(List.of(0), limit));
    }

    private void fill(boolean isRange, int count, int values) {
        stage.table(isRange);
        for (int k = 0; k < count; k++) {
            stage.put(key(k), "v" + k % values);
        }
    }

    private static String key(int number) {
        return "key-%06d".formatted(number);
    }

    private static List<List<String>> tuples(Program program, ScanFixture.Reply reply) {
        TupleCodec codec = new TupleCodec(program.tuple());
        List<List<String>> tuples = new ArrayList<>();
        while (reply.body().isReadable()) {
            List<String> tuple = new ArrayList<>();
            List<byte @Nullable []> values = codec.read(reply.body());
            for (int k = 0; k < values.size(); k++) {
                byte[] value = values.get(k);
                tuple.add(
                        value == null
                                ? "NULL"
                                : codec.types().get(k).bytes() == 0
                                        ? new String(value, java.nio.charset.StandardCharsets.UTF_8)
                                        : String.valueOf(
                                                Values.decode(codec.types().get(k), value)));
            }
            tuples.add(tuple);
        }
        return tuples;
    }

    /** Asks until the table ends, and adds up what the answers count for each value. */
    private Map<String, Long> countAll(boolean isRange, boolean descending, Runnable between) {
        Program program = countByValue();
        Map<String, Long> counts = new TreeMap<>();
        ScanFixture.Cursor cursor = stage.cursor(isRange, descending);
        while (!cursor.isAtEnd()) {
            ScanFixture.Reply reply =
                    stage.ask(cursor, ProgramCodec.encode(program), BYTES, Integer.MAX_VALUE, between);
            assertThat(reply.status()).isEqualTo(Status.OK);
            long matched = 0;
            for (List<String> tuple : tuples(program, reply)) {
                long count = Long.parseLong(tuple.get(1));
                counts.merge(tuple.get(0), count, Long::sum);
                matched += count;
            }
            assertThat(reply.matched()).isEqualTo(matched);
            cursor = reply.next();
        }
        return counts;
    }

    @ParameterizedTest
    @ValueSource(strings = {"hash", "ascending", "descending"})
    void oneRequestGoesOnForManySlices(String kind) {
        boolean isRange = !kind.equals("hash");
        fill(isRange, MANY, 7);
        ScanFixture.Cursor cursor = stage.cursor(isRange, kind.equals("descending"));
        int[] turns = new int[1];
        ScanFixture.Reply reply =
                stage.ask(cursor, ProgramCodec.encode(countByValue()), BYTES, Integer.MAX_VALUE, () -> turns[0]++);
        assertThat(reply.next().isAtEnd()).isTrue();
        assertThat(reply.matched()).isEqualTo(MANY);
        assertThat(turns[0]).isGreaterThan(3);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCancelledRequestIsAnsweredAfterItsNextSlice(boolean isRange) {
        fill(isRange, MANY, 7);
        byte[] program = ProgramCodec.encode(countByValue());
        assertThat(stage.cancelLast(isRange, program, 1, 3)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRequestThatIsCancelledBeforeItsFirstSliceEndsAMillisecondAfterIt(boolean isRange) {
        fill(isRange, MANY, 7);
        byte[] program = ProgramCodec.encode(countByValue());
        assertThat(stage.cancelLast(isRange, program, 3, 0))
                .isLessThanOrEqualTo(15); // of 200 µs; about 30 without the cancel
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theStageRestsBetweenSlicesWhileOtherRequestsCome(boolean isRange) {
        fill(isRange, MANY, 7);
        byte[] program = ProgramCodec.encode(countByValue());
        assertThat(stage.timeToAnswer(isRange, program, 1, false)).isLessThan(Duration.ofNanos(100_000));
        assertThat(stage.timeToAnswer(isRange, program, 1, true))
                .isBetween(Duration.ofMillis(1), Duration.ofMillis(13)); // up to 64 rests of 200 µs
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theStageRestsAsLongWhenSeveralQueriesTakeTurns(boolean isRange) {
        fill(isRange, MANY, 7);
        byte[] program = ProgramCodec.encode(countByValue());
        Duration one = stage.timeToAnswer(isRange, program, 1, true);
        assertThat(stage.timeToAnswer(isRange, program, 4, true)).isGreaterThan(one.multipliedBy(3));
    }

    @ParameterizedTest
    @ValueSource(strings = {"hash", "ascending", "descending"})
    void recordsThatStayAreCountedOnceWhilePartitionsSplit(String kind) {
        boolean isRange = !kind.equals("hash");
        SplittableRandom random =
                Seeds.random("ProgramScansTest.recordsThatStayAreCountedOnceWhilePartitionsSplit." + kind);
        fill(isRange, MANY, 7);
        int[] splits = new int[1];
        Map<String, Long> counts = countAll(isRange, kind.equals("descending"), () -> {
            if (splits[0] == 0 || random.nextInt(3) == 0 && splits[0] < 6) {
                stage.split(random);
                splits[0]++;
            }
            stage.put(key(random.nextInt(MANY)), "other"); // never counted twice, nor does it hide others
            stage.put("new-" + random.nextInt(), "other");
        });
        assertThat(splits[0]).isPositive();
        long all = 0;
        for (int k = 0; k < 7; k++) {
            long still = stage.records("v" + k);
            long before = MANY / 7 + (k < MANY % 7 ? 1 : 0);
            assertThat(counts.get("v" + k)).isBetween(still, before);
            all += counts.get("v" + k);
        }
        assertThat(all).isGreaterThan(MANY / 2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFullGroupTableEndsTheStepEarlyAndNoRecordIsLost(boolean isRange) {
        fill(isRange, MANY, MANY);
        Program program = countByValue();
        Map<String, Long> counts = new TreeMap<>();
        ScanFixture.Cursor cursor = stage.cursor(isRange, false);
        int answers = 0;
        while (!cursor.isAtEnd()) {
            ScanFixture.Reply reply =
                    stage.ask(cursor, ProgramCodec.encode(program), 100_000, Integer.MAX_VALUE, () -> {});
            assertThat(reply.body().readableBytes()).isBetween(1, 120_000);
            tuples(program, reply).forEach(tuple -> counts.merge(tuple.get(0), 1L, Long::sum));
            cursor = reply.next();
            answers++;
        }
        assertThat(answers).isGreaterThan(3);
        assertThat(counts).hasSize(MANY);
        assertThat(counts.values()).containsOnly(1L);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theProjectionOfARangeEndsBehindItsLastTuple(boolean descending) {
        fill(true, 1_000, 7);
        Program program = keys(10);
        ScanFixture.Reply reply = stage.ask(
                stage.cursor(true, descending), ProgramCodec.encode(program), BYTES, Integer.MAX_VALUE, () -> {});
        List<List<String>> first = tuples(program, reply);
        assertThat(first).hasSize(10);
        assertThat(first.get(9)).containsExactly(key(descending ? 990 : 9));
        ScanFixture.Reply next =
                stage.ask(reply.next(), ProgramCodec.encode(program), BYTES, Integer.MAX_VALUE, () -> {});
        assertThat(tuples(program, next).get(0)).containsExactly(key(descending ? 989 : 10));
    }

    @Test
    void mostRecordsOfARangeBoundTheTuples() {
        fill(true, 1_000, 7);
        Program program = keys(10);
        ScanFixture.Reply reply =
                stage.ask(stage.cursor(true, false), ProgramCodec.encode(program), BYTES, 3, () -> {});
        assertThat(tuples(program, reply)).hasSize(3);
        assertThat(reply.matched()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void expiredRecordsAreLeftOut(boolean isRange) {
        fill(isRange, 100, 1);
        stage.putWithExpiry("expired", "v0", 5);
        stage.timeNanos(10);
        assertThat(countAll(isRange, false, () -> {})).containsExactly(Map.entry("v0", 100L));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aQueryFailsWithTheKeyOfTheRecord(boolean isRange) {
        fill(isRange, 1, 1);
        Program division = program(
                List.of(constant(ValueType.BIGINT, 0L), instruction(Op.DIVIDE, ValueType.BIGINT, 0, 0)),
                -1,
                new Output.Project(List.of(1), 1));
        ScanFixture.Reply reply = stage.ask(
                stage.cursor(isRange, false), ProgramCodec.encode(division), BYTES, Integer.MAX_VALUE, () -> {});
        assertThat(reply.status()).isEqualTo(Status.QUERY_FAILED);
        assertThat(reply.text()).isEqualTo("division by zero at key 'key-000000'");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aProgramOfALaterVersionIsRefusedAndBytesThatAreNoneAreABadRequest(boolean isRange) {
        fill(isRange, 1, 1);
        byte[] later = ProgramCodec.encode(countByValue());
        later[0]++;
        assertThat(status(isRange, later)).isEqualTo(Status.UNSUPPORTED_PROGRAM);
        assertThat(status(isRange, new byte[] {Program.VERSION})).isEqualTo(Status.BAD_REQUEST);
        assertThat(status(isRange, new byte[0])).isEqualTo(Status.BAD_REQUEST);
    }

    private byte status(boolean isRange, byte[] program) {
        return stage.ask(stage.cursor(isRange, false), program, BYTES, Integer.MAX_VALUE, () -> {})
                .status();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anAnswerThatIsTooLongForAMessageFailsTheQuery(boolean isRange) {
        stage.table(isRange);
        stage.put("key", "v".repeat(1 << 20));
        Output.Aggregation smallest = new Output.Aggregation(AggregateFunction.MIN, 0);
        Program program =
                program(List.of(VALUE), -1, new Output.Aggregate(List.of(), Collections.nCopies(40, smallest)));
        ScanFixture.Reply reply = stage.ask(
                stage.cursor(isRange, false), ProgramCodec.encode(program), BYTES, Integer.MAX_VALUE, () -> {});
        assertThat(reply.status()).isEqualTo(Status.QUERY_FAILED);
        assertThat(reply.text())
                .isEqualTo("one row or group of the answer needs more than 33554432 bytes;"
                        + " select fewer columns, or parts of them as by substring");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRequestIsAnsweredAfterTheSliceInWhichItsDeadlinePasses(boolean isRange) {
        fill(isRange, MANY, 7);
        ScanFixture.Reply reply = stage.ask(
                stage.cursor(isRange, false),
                ProgramCodec.encode(countByValue()),
                BYTES,
                Integer.MAX_VALUE,
                () -> stage.pass(Duration.ofHours(1)));
        assertThat(reply.matched()).isBetween(1L, MANY - 1L);
        assertThat(reply.next().isAtEnd()).isFalse();
    }

    @Test
    void firstRowsThatAreReplacedByLongOnesEndTheStep() {
        stage.table(true);
        for (int k = 0; k < 200; k++) {
            stage.put(key(k), "v".repeat(k < 50 ? 1 : 100_000));
        }
        Output.SortKey lastKeys = new Output.SortKey(0, true, true);
        Program program = program(List.of(KEY, VALUE), -1, new Output.Top(List.of(lastKeys), List.of(1), 40));
        ScanFixture.Reply reply =
                stage.ask(stage.cursor(true, false), ProgramCodec.encode(program), BYTES, Integer.MAX_VALUE, () -> {});
        assertThat(reply.body().readableBytes()).isBetween(BYTES / 2, 2 * BYTES);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rowsThatAreNotBeforeTheBoundAreNotAnswered(boolean isRange) {
        fill(isRange, MANY, 7);
        Output.SortKey byKey = new Output.SortKey(0, false, false);
        Program first = program(List.of(KEY), -1, new Output.Top(List.of(byKey), List.of(), 1_000));
        TupleCodec codec = new TupleCodec(first.tuple());
        stage.bounded(codec.encode(List.of(key(5).getBytes(java.nio.charset.StandardCharsets.UTF_8))));
        ScanFixture.Cursor cursor = stage.cursor(isRange, false);
        List<List<String>> found = new ArrayList<>();
        long matched = 0;
        while (!cursor.isAtEnd()) {
            ScanFixture.Reply reply = stage.ask(cursor, ProgramCodec.encode(first), BYTES, Integer.MAX_VALUE, () -> {});
            assertThat(reply.status()).isEqualTo(Status.OK);
            found.addAll(tuples(first, reply));
            matched += reply.matched();
            cursor = reply.next();
        }
        List<List<String>> expected =
                IntStream.range(0, 5).mapToObj(k -> List.of(key(k))).toList();
        assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(matched).isEqualTo(MANY);
        assertThat(stage.buffersHeld()).isEqualTo(stage.buffersAtRest());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aBoundThatIsNoneOfTheProgramsOrderIsRefused(boolean isRange) {
        fill(isRange, 10, 7);
        stage.bounded(new byte[] {0, 1, 'k'});
        assertThat(status(isRange, ProgramCodec.encode(countByValue()))).isEqualTo(Status.BAD_REQUEST);
        Output.SortKey byKey = new Output.SortKey(0, false, false);
        Program first = program(List.of(KEY), -1, new Output.Top(List.of(byKey), List.of(), 10));
        assertThat(status(isRange, ProgramCodec.encode(first))).isEqualTo(Status.OK);
        stage.bounded(new byte[] {0, 2, 'k'});
        assertThat(status(isRange, ProgramCodec.encode(first))).isEqualTo(Status.BAD_REQUEST);
        stage.bounded(new byte[] {0, 1, 'k', 'k'});
        assertThat(status(isRange, ProgramCodec.encode(first))).isEqualTo(Status.BAD_REQUEST);
        assertThat(stage.buffersHeld()).isEqualTo(stage.buffersAtRest());
    }

    @Test
    void aRequestWhoseLinkIsGoneGivesItsMemoryBack() {
        fill(false, MANY, 7);
        stage.askAndLeave(ProgramCodec.encode(countByValue()), BYTES);
        assertThat(stage.buffersHeld()).isEqualTo(stage.buffersAtRest());
    }

    @Test
    void groupsWithoutKeysAreAnsweredOverNoRecords() {
        fill(false, 0, 1);
        Program count = program(List.of(), -1, new Output.Aggregate(List.of(), List.of(COUNT)));
        ScanFixture.Reply reply =
                stage.ask(stage.cursor(false, false), ProgramCodec.encode(count), BYTES, Integer.MAX_VALUE, () -> {});
        assertThat(tuples(count, reply)).containsExactly(List.of("0"));
    }
}
