package io.sdds.brick.query;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.brick.memory.RecordStore;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.query.Output;
import io.sdds.core.query.Program;
import io.sdds.core.query.ProgramCodec;
import io.sdds.core.query.TupleCodec;
import io.sdds.core.query.UnsupportedProgram;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The programs of a stage. Those that were used last are kept prepared, since each step of a scan brings its own. */
public final class Programs {
    private static final int PREPARED_MAX = 16;

    /** Most bytes of the programs that are kept prepared; one alone may have more. */
    static final long PREPARED_BYTES_MAX = 8 << 20;

    private static final float LOAD_FACTOR = 0.75f;

    /** Most bytes of the tuples of an answer, but of groups. */
    private static final int TUPLES_BYTES_MAX = 64 << 10;

    private final RecordStore store;
    private final IntFunction<ByteBuf> allocator;
    private final RowBatch batch;
    private final Scratch scratch;

    /** By their bytes, the one that was used last at the end. */
    private final LinkedHashMap<ByteBuf, PreparedProgram> prepared = new LinkedHashMap<>(16, LOAD_FACTOR, true);

    private long preparedBytes;

    /** @param allocator makes buffers in direct memory */
    public Programs(RecordStore store, IntFunction<ByteBuf> allocator) {
        this.store = store;
        this.allocator = allocator;
        this.batch = new RowBatch(store);
        this.scratch = new Scratch(allocator);
    }

    /**
     * Begins an evaluation.
     *
     * @param encoded the program
     * @param bound of the order of a TOP, as a tuple: rows that are not before it are not answered; null: none
     * @param bytesMax most bytes to answer with; an answer may be longer by what one batch adds
     * @param rowsMax most rows to answer with, of a program without groups or an order
     * @throws ProtocolViolation if the bytes are no program of a query
     * @throws UnsupportedProgram if the program is of a later version
     */
    public ProgramRun begin(ByteBuf encoded, @Nullable ByteBuf bound, int bytesMax, int rowsMax) {
        PreparedProgram program = prepared.get(encoded);
        if (program == null) {
            Program decoded = ProgramCodec.decode(encoded.slice());
            if (decoded.output().isUpdate()) {
                throw new ProtocolViolation("program: an update in the place of a query");
            }
            program = prepare(decoded);
            keep(Unpooled.copiedBuffer(encoded), program);
        }
        return begin(program, bound, bytesMax, rowsMax);
    }

    private void keep(ByteBuf encoded, PreparedProgram program) {
        prepared.put(encoded, program);
        preparedBytes += bytes(encoded, program);
        Iterator<Map.Entry<ByteBuf, PreparedProgram>> eldest =
                prepared.entrySet().iterator();
        while (prepared.size() > PREPARED_MAX || preparedBytes > PREPARED_BYTES_MAX && prepared.size() > 1) {
            Map.Entry<ByteBuf, PreparedProgram> entry = eldest.next();
            preparedBytes -= bytes(entry.getKey(), entry.getValue());
            eldest.remove();
        }
    }

    private static long bytes(ByteBuf encoded, PreparedProgram program) {
        return encoded.readableBytes() + program.bytes();
    }

    /** Bytes of the programs that are kept prepared. */
    long preparedBytes() {
        return preparedBytes;
    }

    PreparedProgram prepare(Program program) {
        return new PreparedProgram(program, new LinkedHashMap<>(), batch, scratch);
    }

    /**
     * Begins an evaluation of a program that the brick keeps; otherwise like {@link #begin(ByteBuf, ByteBuf, int,
     * int)}.
     */
    public ProgramRun begin(KeptProgram kept, @Nullable ByteBuf bound, int bytesMax, int rowsMax) {
        return begin(kept.preparedFor(this), bound, bytesMax, rowsMax);
    }

    PreparedProgram prepare(KeptProgram kept) {
        return new PreparedProgram(kept.program(), kept.tables(), batch, scratch);
    }

    private ProgramRun begin(PreparedProgram program, @Nullable ByteBuf bound, int bytesMax, int rowsMax) {
        List<byte @Nullable []> values = bound == null ? null : bound(program.program(), bound);
        OffHeap tuples = new OffHeap(allocator);
        return new ProgramRun(program, batch, store, sink(program, values, bytesMax, rowsMax, tuples), tuples);
    }

    private static List<byte @Nullable []> bound(Program program, ByteBuf encoded) {
        if (!(program.output() instanceof Output.Top top)) {
            throw new ProtocolViolation("a bound for a program that has no order");
        }
        List<byte @Nullable []> values =
                new TupleCodec(program.tuple().subList(0, top.order().size())).read(encoded);
        if (encoded.isReadable()) {
            throw new ProtocolViolation("a bound with " + encoded.readableBytes() + " bytes behind it");
        }
        return values;
    }

    private static Sink sink(
            PreparedProgram program,
            @Nullable List<byte @Nullable []> bound,
            int bytesMax,
            int rowsMax,
            OffHeap tuples) {
        Lane[] lanes = program.lanes();
        int tupleBytes = Math.max(1, Math.min(bytesMax, TUPLES_BYTES_MAX));
        return switch (program.program().output()) {
            case Output.Project project -> {
                Lane[] columns =
                        project.columns().stream().map(column -> lanes[column]).toArray(Lane[]::new);
                yield new Projection(columns, Math.min(project.limit(), rowsMax), tupleBytes, tuples);
            }
            case Output.Aggregate aggregate -> new GroupTable(aggregate, lanes, Math.max(1, bytesMax), tuples);
            case Output.Top top -> new TopRows(top, lanes, bound, tupleBytes, tuples);
            case Output.Write _, Output.Remove _ -> throw new IllegalStateException("an update has no answer");
        };
    }

    /** Gives all memory back. */
    public void release() {
        scratch.release();
        prepared.clear();
        preparedBytes = 0;
    }
}
