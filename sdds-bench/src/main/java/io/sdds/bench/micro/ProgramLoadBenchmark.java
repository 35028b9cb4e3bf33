package io.sdds.bench.micro;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.brick.query.KeptProgram;
import io.sdds.brick.query.ProgramLoader;
import io.sdds.core.query.BloomFilter;
import io.sdds.core.query.Instruction;
import io.sdds.core.query.Op;
import io.sdds.core.query.Output;
import io.sdds.core.query.Program;
import io.sdds.core.query.ProgramCodec;
import io.sdds.core.query.RowShape;
import io.sdds.core.row.ValueType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Reads long programs as a brick does that keeps them: from the bytes to the program with the tables of its lists, in
 * slices of the same work as those of a stage.
 */
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ProgramLoadBenchmark extends MicroBenchmark {
    private static final int SLICE_WORK = 100_000;
    private static final int TEXT_BYTES = 30;

    /** Bytes of the program. */
    @Param({"1048576", "8388608"})
    public int bytes = 1 << 20;

    /** What the program has: a list of numbers, one of texts of 30 bytes, or a Bloom filter. */
    @Param({"bigint", "varchar", "bloom"})
    public String kind = "bigint";

    private ByteBuf encoded = Unpooled.EMPTY_BUFFER;
    private @Nullable ProgramLoader loader;

    /** Makes the program. */
    @Setup(Level.Trial)
    public void encode() {
        ValueType type = kind.equals("varchar") ? ValueType.VARCHAR : ValueType.BIGINT;
        Op op = kind.equals("bloom") ? Op.BLOOM : Op.IN;
        Instruction column = new Instruction(Op.VALUE_COLUMN, type, 0, -1, -1, List.of());
        Instruction test = new Instruction(op, ValueType.BOOLEAN, 0, -1, -1, constants());
        RowShape shape = new RowShape(List.of(), List.of(type), Collections.singletonList(null));
        encoded = Unpooled.wrappedBuffer(
                ProgramCodec.encode(new Program(shape, List.of(column, test), 1, new Output.Project(List.of(0), 1))));
    }

    private List<byte @Nullable []> constants() {
        Random random = new Random(1);
        List<byte @Nullable []> constants = new ArrayList<>();
        switch (kind) {
            case "bigint" -> {
                for (int k = bytes / (Long.BYTES + 1); k > 0; k--) {
                    constants.add(ByteBuffer.allocate(Long.BYTES)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putLong(random.nextLong())
                            .array());
                }
            }
            case "varchar" -> {
                for (int k = bytes / (TEXT_BYTES + 1); k > 0; k--) {
                    constants.add("text of thirty bytes %09d".formatted(k).getBytes(StandardCharsets.UTF_8));
                }
            }
            default -> constants.add(new byte[bytes / BloomFilter.BLOCK_BYTES * BloomFilter.BLOCK_BYTES]);
        }
        return constants;
    }

    /** The whole program. */
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    public KeptProgram load() {
        ProgramLoader whole = new ProgramLoader(encoded.slice());
        KeptProgram program;
        do {
            program = whole.advance(SLICE_WORK);
        } while (program == null);
        return program;
    }

    /** One slice. */
    @Benchmark
    @BenchmarkMode(Mode.SampleTime)
    public @Nullable KeptProgram slice() {
        ProgramLoader next = loader == null ? new ProgramLoader(encoded.slice()) : loader;
        KeptProgram program = next.advance(SLICE_WORK);
        loader = program == null ? next : null;
        return program;
    }
}
