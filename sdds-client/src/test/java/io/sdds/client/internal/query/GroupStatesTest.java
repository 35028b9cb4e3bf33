package io.sdds.client.internal.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.client.ProtocolException;
import io.sdds.client.QueryException;
import io.sdds.core.Seeds;
import io.sdds.core.query.AggregateStates;
import io.sdds.core.query.EvaluationFailure;
import io.sdds.core.query.Int128;
import io.sdds.core.query.Output.Aggregate;
import io.sdds.core.query.Output.AggregateFunction;
import io.sdds.core.query.Output.Aggregation;
import io.sdds.core.query.TupleCodec;
import io.sdds.core.row.ValueType;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GroupStatesTest {
    private static final List<ValueType> TYPES = List.of(
            new ValueType(ValueType.Kind.VARCHAR, 0, 0),
            new ValueType(ValueType.Kind.BIGINT, 0, 0),
            new ValueType(ValueType.Kind.BIGINT, 0, 0),
            ValueType.decimal(38, 2),
            new ValueType(ValueType.Kind.DOUBLE, 0, 0));
    private static final int KEYS = 2;
    private static final Aggregate AGGREGATE = new Aggregate(
            List.of(0, 1),
            List.of(
                    new Aggregation(AggregateFunction.COUNT_ROWS, -1),
                    new Aggregation(AggregateFunction.SUM, 2),
                    new Aggregation(AggregateFunction.SUM, 3)));
    private static final int TUPLES = 20_000;
    private static final int LONG_TEXT = 300;

    private final SplittableRandom random = Seeds.random("GroupStatesTest");
    private final TupleCodec codec = new TupleCodec(TYPES);
    private final GroupStates states = new GroupStates(AGGREGATE, TYPES, new MemoryBound("groups", Long.MAX_VALUE));

    private static byte[] number(long number) {
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(number)
                .array();
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private List<byte @Nullable []> tuple() {
        List<byte @Nullable []> values = new ArrayList<>();
        int some = random.nextInt(500);
        values.add(some == 0 ? null : text(some < 5 ? "x".repeat(LONG_TEXT + some) : "C" + some));
        values.add(random.nextInt(8) == 0 ? null : number(random.nextInt(8)));
        values.add(number(random.nextInt(1_000)));
        BigInteger sum = new BigInteger(90, new java.util.Random(random.nextLong()));
        values.add(random.nextInt(8) == 0 ? null : Int128.write(random.nextBoolean() ? sum : sum.negate()));
        values.add(random.nextInt(8) == 0 ? null : number(Double.doubleToLongBits(random.nextInt(1_000))));
        return values;
    }

    private static List<String> texts(Iterable<List<byte @Nullable []>> tuples) {
        List<String> texts = new ArrayList<>();
        tuples.forEach(
                tuple -> texts.add(tuple.stream().map(Arrays::toString).toList().toString()));
        return texts;
    }

    private byte[] block(List<List<byte @Nullable []>> tuples) {
        ByteBuf out = Unpooled.buffer();
        tuples.forEach(tuple -> codec.write(tuple, out));
        byte[] block = new byte[out.readableBytes()];
        out.readBytes(block);
        return block;
    }

    @Test
    void groupsOfBlocksAndOfTuplesAreMergedAsTheirStatesAre() {
        Map<String, List<byte @Nullable []>> expected = new LinkedHashMap<>();
        List<List<byte @Nullable []>> waiting = new ArrayList<>();
        for (int k = 0; k < TUPLES; k++) {
            List<byte @Nullable []> tuple = tuple();
            String key = Arrays.toString(tuple.get(0)) + Arrays.toString(tuple.get(1));
            expected.merge(key, new ArrayList<>(tuple), GroupStatesTest::merged);
            waiting.add(tuple);
            if (random.nextInt(100) == 0) {
                states.addAll(block(waiting));
                waiting.clear();
            } else if (waiting.size() == 1 && random.nextInt(10) == 0) {
                states.add(tuple);
                waiting.clear();
            }
        }
        states.addAll(block(waiting));
        assertThat(texts(states.tuples())).isEqualTo(texts(expected.values()));
    }

    private static List<byte @Nullable []> merged(List<byte @Nullable []> one, List<byte @Nullable []> other) {
        for (int k = KEYS; k < TYPES.size(); k++) {
            AggregateFunction function = AGGREGATE.aggregations().get(k - KEYS).function();
            one.set(k, AggregateStates.merge(function, TYPES.get(k), one.get(k), other.get(k)));
        }
        return one;
    }

    @Test
    void aBlockThatEndsEarlyIsNoBlock() {
        byte[] block = block(List.of(Arrays.asList(text("Ann"), number(1), number(2), null, number(0))));
        for (int length = 1; length < block.length; length++) {
            byte[] part = Arrays.copyOf(block, length);
            assertThatThrownBy(() -> states.addAll(part)).isInstanceOf(ProtocolException.class);
        }
        assertThat(states.tuples()).isEmpty();
    }

    @Test
    void sumsThatAreTooLargeAreErrors() {
        byte[] most = Int128.write(BigInteger.TWO.pow(127).subtract(BigInteger.ONE));
        states.add(Arrays.asList(text("a"), null, number(1), most, null));
        assertThatThrownBy(() -> states.add(Arrays.asList(text("a"), null, number(1), most, null)))
                .isInstanceOf(EvaluationFailure.class);
        byte[] large = number(Double.doubleToLongBits(Double.MAX_VALUE));
        states.add(Arrays.asList(text("b"), null, number(1), null, large));
        assertThatThrownBy(() -> states.add(Arrays.asList(text("b"), null, number(1), null, large)))
                .isInstanceOf(EvaluationFailure.class);
    }

    @Test
    void groupsNeedMemory() {
        GroupStates bounded = new GroupStates(AGGREGATE, TYPES, new MemoryBound("groups", 1_000));
        assertThatThrownBy(() -> {
                    for (int k = 0; k < 10; k++) {
                        bounded.add(Arrays.asList(text("a" + k), null, number(1), null, null));
                    }
                })
                .isInstanceOf(QueryException.class)
                .hasMessageContaining("MiB at the client");
    }
}
