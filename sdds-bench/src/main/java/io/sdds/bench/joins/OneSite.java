package io.sdds.bench.joins;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.RecordBatch;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.query.ProgramRun;
import io.sdds.brick.query.Programs;
import io.sdds.brick.range.KeyRange;
import io.sdds.brick.range.RangeBucket;
import io.sdds.core.query.Instruction;
import io.sdds.core.query.Op;
import io.sdds.core.query.Output;
import io.sdds.core.query.Program;
import io.sdds.core.query.ProgramCodec;
import io.sdds.core.query.RowShape;
import io.sdds.core.query.TupleCodec;
import io.sdds.core.row.KeyEncoding;
import io.sdds.core.row.RowWriter;
import io.sdds.core.row.Schema;
import io.sdds.core.row.SchemaText;
import io.sdds.core.row.ValueType;
import io.sdds.core.row.Values;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The same join by the same kernel at one site: the evaluator of a brick over a range bucket with all persons, in the
 * thread of the caller, without any message.
 */
public final class OneSite implements AutoCloseable {
    private static final long LIMIT_BYTES = 1L << 30;
    private static final int ANSWER_BYTES = 1 << 20;

    private final List<Person> persons;
    private final Schema schema = SchemaText.parse(Person.SCHEMA);
    private final Arena arena = Arena.ofShared();
    private final MemoryBudget budget = new MemoryBudget(LIMIT_BYTES);
    private final ArenaMemorySource source = new ArenaMemorySource(budget);
    private final RecordStore store = new RecordStore(source, budget);
    private final RangeBucket bucket = new RangeBucket(store);
    private final RecordBatch batch = new RecordBatch();
    private final KeyRange all = new KeyRange();
    private final Programs programs = new Programs(store, Unpooled::directBuffer);

    public OneSite(List<Person> persons) {
        this.persons = List.copyOf(persons);
        KeyEncoding keys = KeyEncoding.of(schema);
        RowWriter rows = new RowWriter(schema);
        for (int k = 0; k < persons.size(); k++) {
            Person person = persons.get(k);
            MemorySegment key = offHeap(keys.encode(person.ssn()));
            MemorySegment row = offHeap(rows.write(new @Nullable Object[] {person.name(), person.city()}));
            bucket.put(key, 0, (int) key.byteSize(), row, 0, (int) row.byteSize(), k, false);
        }
    }

    private MemorySegment offHeap(byte[] bytes) {
        return arena.allocate(bytes.length).copyFrom(MemorySegment.ofArray(bytes));
    }

    /** Joins the persons with each other, as {@link Packets#join} does. */
    public Couples couples(int packet, boolean sorted) {
        return couples(persons, packet, sorted);
    }

    /** Joins some of the persons with all. */
    Couples couples(List<Person> outer, int packet, boolean sorted) {
        return Packets.join(outer, packet, sorted, this::scan);
    }

    /**
     * Scans once for each packet of some persons, and joins nothing: what bricks do.
     *
     * @return bytes of the answers
     */
    long scans(List<Person> outer, int packet, boolean sorted) {
        long[] bytes = new long[1];
        Packets.join(
                outer,
                packet,
                sorted,
                (cities, found) -> scan(program(cities), (program, answer) -> bytes[0] += answer.readableBytes()));
        return bytes[0];
    }

    private void scan(List<String> cities, BiConsumer<Long, String> found) {
        scan(program(cities), (program, answer) -> decode(program, answer, found));
    }

    private void scan(Program program, BiConsumer<Program, ByteBuf> answers) {
        ProgramRun run = programs.begin(
                Unpooled.wrappedBuffer(ProgramCodec.encode(program)), null, ANSWER_BYTES, Integer.MAX_VALUE);
        try {
            bucket.begin(all, false);
            boolean more;
            do {
                more = bucket.next(batch, RecordBatch.RECORDS_MAX);
                run.evaluate(batch, false, false);
            } while (more);
            answers.accept(program, run.answer());
        } finally {
            run.release();
        }
    }

    /** The program that bricks get for {@code SELECT ssn, city WHERE city IN (...)}. */
    private Program program(List<String> cities) {
        RowShape shape = RowShape.of(schema);
        List<byte @Nullable []> constants = cities.stream()
                .<byte @Nullable []>map(city -> Values.encode(ValueType.VARCHAR, city, null))
                .toList();
        return new Program(
                shape,
                List.of(
                        column(Op.VALUE_COLUMN, ValueType.VARCHAR, 1),
                        new Instruction(Op.IN, ValueType.BOOLEAN, 0, -1, -1, constants),
                        column(Op.KEY_COLUMN, ValueType.BIGINT, 0)),
                1,
                new Output.Project(Arrays.asList(2, 0), Integer.MAX_VALUE));
    }

    private static Instruction column(Op op, ValueType type, int number) {
        return new Instruction(op, type, number, -1, -1, List.of());
    }

    private static void decode(Program program, ByteBuf answer, BiConsumer<Long, String> found) {
        TupleCodec codec = new TupleCodec(program.tuple());
        while (answer.isReadable()) {
            List<byte @Nullable []> tuple = codec.read(answer);
            byte[] key = Objects.requireNonNull(tuple.get(0));
            byte[] city = Objects.requireNonNull(tuple.get(1));
            found.accept((Long) Values.decode(ValueType.BIGINT, key), (String) Values.decode(ValueType.VARCHAR, city));
        }
    }

    @Override
    public void close() {
        programs.release();
        source.close();
        arena.close();
    }
}
