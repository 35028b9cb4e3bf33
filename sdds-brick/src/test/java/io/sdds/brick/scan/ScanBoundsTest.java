package io.sdds.brick.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import io.sdds.core.query.Instruction;
import io.sdds.core.query.Op;
import io.sdds.core.query.Output;
import io.sdds.core.query.Output.AggregateFunction;
import io.sdds.core.query.Program;
import io.sdds.core.query.ProgramCodec;
import io.sdds.core.query.RowShape;
import io.sdds.core.row.ValueType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Steps and slices end by their work, whatever the records are: long, hostile or expired. */
class ScanBoundsTest {
    private static final int BYTES = 1 << 20;
    private static final byte[] NO_FILTER = {};
    private static final byte[] HOSTILE = ("a".repeat(500) + "b" + "a".repeat(500)).getBytes(StandardCharsets.US_ASCII);

    private final ScanFixture stage = new ScanFixture();

    @AfterEach
    void close() {
        stage.close();
    }

    private static String key(int number) {
        return String.format("key-%06d", number);
    }

    private void fill(boolean isRange, int records, String value) {
        stage.table(isRange);
        for (int k = 0; k < records; k++) {
            stage.put(key(k), value);
        }
    }

    private static Instruction instruction(Op op, ValueType type, int a, int b) {
        return new Instruction(op, type, a, b, -1, List.of());
    }

    /** Counts the records whose value contains some bytes, tested some times. */
    private static byte[] countContaining(byte[] sought, int times) {
        List<Instruction> instructions = new ArrayList<>();
        instructions.add(instruction(Op.VALUE, ValueType.VARBINARY, -1, -1));
        instructions.add(
                new Instruction(Op.CONSTANT, ValueType.VARBINARY, -1, -1, -1, Collections.singletonList(sought)));
        instructions.add(instruction(Op.CONTAINS, ValueType.BOOLEAN, 0, 1));
        for (int k = 1; k < times; k++) {
            instructions.add(instruction(Op.CONTAINS, ValueType.BOOLEAN, 0, 1));
            instructions.add(instruction(Op.OR, ValueType.BOOLEAN, instructions.size() - 2, instructions.size() - 1));
        }
        Output.Aggregation count = new Output.Aggregation(AggregateFunction.COUNT_ROWS, -1);
        return ProgramCodec.encode(new Program(
                RowShape.BYTES,
                instructions,
                instructions.size() - 1,
                new Output.Aggregate(List.of(), List.of(count))));
    }

    private int turnsOfAll(boolean isRange, boolean descending, byte[] program) {
        int[] turns = new int[1];
        ScanFixture.Cursor cursor = stage.cursor(isRange, descending);
        while (!cursor.isAtEnd()) {
            ScanFixture.Reply reply = stage.ask(cursor, program, BYTES, Integer.MAX_VALUE, () -> turns[0]++);
            assertThat(reply.status()).isEqualTo(Status.OK);
            cursor = reply.next();
        }
        return turns[0];
    }

    @ParameterizedTest
    @CsvSource({"true, 1048576, 16", "false, 1048576, 16", "true, 65536, 100", "false, 65536, 100"})
    void aSliceOfAProgramEndsInsideABatchOfLongTexts(boolean isRange, int length, int records) {
        fill(isRange, records, "x".repeat(length));
        int turns = turnsOfAll(isRange, false, countContaining(new byte[] {'a', 'b'}, 1));
        // Eight bytes a nanosecond, 200 microseconds a slice.
        assertThat(turns).isGreaterThanOrEqualTo((int) ((long) length * records / (8 * 200_000) / 2));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void hostileTextsCostMoreSlices(boolean isRange) {
        fill(isRange, 100, "a".repeat(1 << 16));
        int usual = turnsOfAll(isRange, false, countContaining(new byte[] {'x', 'b'}, 1));
        int hostile = turnsOfAll(isRange, false, countContaining(HOSTILE, 1));
        assertThat(hostile).isBetween(4 * usual, 40 * usual);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aProgramThatReadsTooMuchOfOneRecordFailsAndTellsTheKey(boolean isRange) {
        fill(isRange, 1, "x".repeat(8 << 20));
        ScanFixture.Reply reply = stage.ask(
                stage.cursor(isRange, false),
                countContaining(new byte[] {'a', 'b'}, 60),
                BYTES,
                Integer.MAX_VALUE,
                () -> {});
        assertThat(reply.status()).isEqualTo(Status.QUERY_FAILED);
        assertThat(reply.text())
                .isEqualTo("the program reads too many bytes of text of one record at key 'key-000000'");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aStepWithAFilterEndsInsideABatchOfLongTexts(boolean isRange) {
        fill(isRange, 30, "x".repeat(1 << 20));
        byte[] filter = countContaining(new byte[] {'a', 'b'}, 1);
        int steps = 0;
        for (ScanFixture.Cursor cursor = stage.cursor(isRange, false); !cursor.isAtEnd(); steps++) {
            cursor = stage.askKeys(cursor, filter, Integer.MAX_VALUE).next();
        }
        assertThat(steps).isGreaterThanOrEqualTo(30 / 3);
    }

    private static List<String> keys(ScanFixture.Reply reply) {
        List<String> keys = new ArrayList<>();
        ByteBuf body = reply.body();
        int header = ReplyFrame.scanRecordHeader(RequestFrame.SCAN_KEYS);
        while (body.isReadable()) {
            int length = body.getUnsignedShortLE(body.readerIndex());
            body.skipBytes(header);
            keys.add(body.readCharSequence(length, StandardCharsets.UTF_8).toString());
        }
        return keys;
    }

    /** Live records at some places among many that have expired. */
    private List<String> fillExpired(boolean isRange, int records) {
        stage.table(isRange);
        List<String> live = new ArrayList<>();
        for (int k = 0; k < records; k++) {
            boolean lives = k % 10_000 == 7_777;
            if (lives) {
                stage.put(key(k), "value");
                live.add(key(k));
            } else {
                stage.putWithExpiry(key(k), "value", 5);
            }
        }
        stage.timeNanos(10);
        return live;
    }

    @ParameterizedTest
    @CsvSource({"true, false, 1", "true, true, 1", "true, false, 1000000", "true, true, 1000000", "false, false, 1"})
    void aStepEndsAmongExpiredRecordsAndNothingIsLost(boolean isRange, boolean descending, int recordsMax) {
        List<String> live = fillExpired(isRange, 50_000);
        List<String> found = new ArrayList<>();
        int steps = 0;
        for (ScanFixture.Cursor cursor = stage.cursor(isRange, descending); !cursor.isAtEnd(); steps++) {
            ScanFixture.Reply reply = stage.askKeys(cursor, NO_FILTER, recordsMax);
            found.addAll(keys(reply));
            cursor = reply.next();
        }
        assertThat(steps).isGreaterThanOrEqualTo(50_000 / 4_600);
        assertThat(found).containsExactlyInAnyOrderElementsOf(live);
        assertThat(found).isSortedAccordingTo((a, b) -> !isRange ? 0 : descending ? b.compareTo(a) : a.compareTo(b));
    }

    @ParameterizedTest
    @CsvSource({"true, false", "true, true", "false, false"})
    void aSliceEndsAmongExpiredRecordsAndNothingIsLost(boolean isRange, boolean descending) {
        List<String> live = fillExpired(isRange, 50_000);
        byte[] program = ProgramCodec.encode(new Program(
                RowShape.BYTES,
                List.of(instruction(Op.KEY, ValueType.VARBINARY, -1, -1)),
                -1,
                new Output.Project(List.of(0), 1)));
        List<String> found = new ArrayList<>();
        int[] turns = new int[1];
        for (ScanFixture.Cursor cursor = stage.cursor(isRange, descending); !cursor.isAtEnd(); ) {
            ScanFixture.Reply reply = stage.ask(cursor, program, BYTES, Integer.MAX_VALUE, () -> turns[0]++);
            if (reply.body().isReadable()) {
                reply.body().skipBytes(2); // the bits of NULL, and the length
                found.add(reply.text());
            }
            cursor = reply.next();
        }
        assertThat(turns[0]).isGreaterThanOrEqualTo(50_000 * ProgramScans.EXPIRED_COST / ProgramScans.SLICE_COST);
        assertThat(found).containsExactlyInAnyOrderElementsOf(live);
    }

    @Test
    void allRecordsExpiredIsAnEnd() {
        stage.table(true);
        IntStream.range(0, 10_000).forEach(k -> stage.putWithExpiry(key(k), "value", 5));
        stage.timeNanos(10);
        int steps = 0;
        for (ScanFixture.Cursor cursor = stage.cursor(true, false); !cursor.isAtEnd(); steps++) {
            ScanFixture.Reply reply = stage.askKeys(cursor, NO_FILTER, 10);
            assertThat(reply.matched()).isZero();
            cursor = reply.next();
        }
        assertThat(steps).isEqualTo(3);
    }
}
