package io.sdds.bench.micro;

import io.sdds.brick.erasure.CodingMatrix;
import io.sdds.brick.erasure.ErasureCode;
import io.sdds.brick.erasure.ErasureKernel;
import io.sdds.brick.erasure.KernelType;
import io.sdds.brick.erasure.Shards;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The erasure kernels, one thread, off-heap memory: a group of four data columns and two parities with shards of 64
 * KiB, and the fold of a delta of 184 bytes, which is a record with a value of 150 bytes.
 *
 * <p>Gigabytes of data a second are 262,144 over the nanoseconds of {@link #encode} or {@link #decodeTwo}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {
            "--enable-native-access=ALL-UNNAMED",
            "--add-modules=jdk.incubator.vector",
            "-XX:+UseCompactObjectHeaders",
            "-XX:+UseSerialGC"
        })
public class ErasureBenchmark extends MicroBenchmark {
    private static final int COLUMNS = 4;
    private static final int PARITIES = 2;
    private static final int SHARD_BYTES = 64 << 10;
    /** Shards begin at different places of a page, because shards at the same place share few lines of a cache. */
    private static final long SHARDS_APART_BYTES = 704;

    private static final int DELTA_BYTES = 184;

    /** Distance of slots that are folded into one after the other: not a multiple of a cache line. */
    private static final int SLOT_STRIDE_BYTES = 200;

    private static final int SLOTS = 256;
    private static final int ALL = (1 << (COLUMNS + PARITIES)) - 1;
    private static final int LOST = 0b000110;

    /** The kernel. */
    @Param({"ISAL", "VECTOR", "REED_SOLOMON"})
    public KernelType kernel = KernelType.REED_SOLOMON;

    private final Arena arena = Arena.ofShared();
    private final Shards data = new Shards(COLUMNS);
    private final Shards parity = new Shards(PARITIES);
    private final Shards all = new Shards(COLUMNS + PARITIES);
    private final MemorySegment slots = arena.allocate((long) SLOTS * SLOT_STRIDE_BYTES, 64);
    private final MemorySegment delta = arena.allocate(DELTA_BYTES + 8, 64);
    private final int coefficient = CodingMatrix.coefficient(1, 3);

    @SuppressWarnings("NullAway.Init")
    private ErasureKernel opened;

    @SuppressWarnings("NullAway.Init")
    private ErasureCode code;

    private int slot;

    /** Fills the shards. */
    @Setup(Level.Trial)
    public void fill() {
        opened = kernel.open();
        code = new ErasureCode(opened, COLUMNS, PARITIES);
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < COLUMNS + PARITIES; i++) {
            MemorySegment shard = arena.allocate(SHARD_BYTES + (COLUMNS + PARITIES) * SHARDS_APART_BYTES, 64)
                    .asSlice(i * SHARDS_APART_BYTES, SHARD_BYTES);
            for (int k = 0; k < SHARD_BYTES; k++) {
                shard.set(ValueLayout.JAVA_BYTE, k, (byte) random.nextInt());
            }
            all.set(i, shard, 0);
            (i < COLUMNS ? data : parity).set(i < COLUMNS ? i : i - COLUMNS, shard, 0);
        }
    }

    /** Gives the memory back. */
    @TearDown(Level.Trial)
    public void close() {
        arena.close();
    }

    /** Computes both parities. */
    @Benchmark
    public void encode() {
        code.encode(data, parity, SHARD_BYTES);
    }

    /** Computes two lost data shards. */
    @Benchmark
    public void decodeTwo() {
        code.decode(ALL & ~LOST, LOST, all, SHARD_BYTES);
    }

    /** Folds a delta with a coefficient other than 1. */
    @Benchmark
    public void fold184() {
        opened.fold(slots, nextSlot(), delta, 4, coefficient, DELTA_BYTES);
    }

    /** Folds a delta into the first parity, which is plain XOR. */
    @Benchmark
    public void foldXor184() {
        opened.fold(slots, nextSlot(), delta, 4, 1, DELTA_BYTES);
    }

    private long nextSlot() {
        slot = (slot + 1) % SLOTS;
        return (long) slot * SLOT_STRIDE_BYTES;
    }
}
