package io.sdds.bench.load;

import io.netty.buffer.ByteBuf;
import io.sdds.core.node.Env;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.RequestFrame;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Requests for random keys of one brick, encoded once and sent many times. All frames have the same length, and lack
 * their correlation ids and request ids.
 */
final class RawFrames implements AutoCloseable {
    private static final int COUNT_MAX = 1 << 14;
    private static final int BYTES_MAX = 16 << 20;
    private static final int DEADLINE_MILLIS = 5000;

    private final ByteBuf frames;
    private final int frameBytes;
    private final int count;
    private final SplittableRandom random;

    /**
     * Draws random keys and encodes their frames.
     *
     * @param brick address of a brick that leads partitions of the table
     * @throws LoadException if the brick has none of the keys
     */
    RawFrames(Env env, RawTable table, String brick, Dataset data, boolean writes, SplittableRandom random) {
        this.random = random;
        int[] numbers = numbersOf(table, brick, data);
        int valueBytes = writes ? data.value(0).length : 0;
        byte opcode = writes ? Opcode.PUT : Opcode.GET;
        this.frameBytes = RequestFrame.body(opcode) + data.key(0).length + valueBytes;
        this.count = Math.clamp(BYTES_MAX / frameBytes, 1, COUNT_MAX);
        this.frames = env.allocate(count * frameBytes);
        for (int k = 0; k < count; k++) {
            int number = numbers[random.nextInt(numbers.length)];
            byte[] key = data.key(number);
            int partition = table.partition(key);
            RequestFrame.writeHeader(
                    frames, frameBytes, opcode, 0, 0, table.id(), partition, DEADLINE_MILLIS, 0, key.length);
            if (writes) {
                RequestFrame.writeRequestId(frames, 0, 0, 0);
            }
            frames.writeBytes(key).writeBytes(data.value(number), 0, valueBytes);
        }
    }

    private static int[] numbersOf(RawTable table, String brick, Dataset data) {
        int[] numbers = IntStream.range(0, data.size())
                .filter(number ->
                        table.primaries().get(table.partition(data.key(number))).equals(brick))
                .toArray();
        if (numbers.length == 0) {
            throw new LoadException("none of " + data.size() + " keys is on the brick at " + brick
                    + ": raw load needs more keys, or fewer partitions");
        }
        return numbers;
    }

    int frameBytes() {
        return frameBytes;
    }

    /** Appends a random frame. */
    void writeAny(ByteBuf out) {
        out.writeBytes(frames, random.nextInt(count) * frameBytes, frameBytes);
    }

    @Override
    public void close() {
        frames.release();
    }
}
