package io.sdds.bench.load;

import io.netty.buffer.ByteBuf;
import io.sdds.core.node.Env;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.RequestFrame;
import java.util.SplittableRandom;

/** Requests for random keys of one brick, written once and sent many times: all have the same length, and lack their correlation and request ids. */
final class RawFrames implements AutoCloseable {
    private static final int COUNT = 1 << 14;
    private static final int DEADLINE_MILLIS = 5000;

    private final ByteBuf frames;
    private final int frameBytes;
    private final SplittableRandom random;

    /** @param brick address of a brick that leads partitions of the table */
    RawFrames(Env env, RawTable table, String brick, Dataset data, LoadMode mode, SplittableRandom random) {
        this.random = random;
        byte opcode = mode == LoadMode.WRITE ? Opcode.PUT : Opcode.GET;
        int valueBytes = mode == LoadMode.WRITE ? data.value(0).length : 0;
        this.frameBytes = RequestFrame.body(opcode) + data.key(0).length + valueBytes;
        this.frames = env.allocate(COUNT * frameBytes);
        while (frames.isWritable(frameBytes)) {
            int number = random.nextInt(data.size());
            byte[] key = data.key(number);
            int partition = table.partition(key);
            if (table.primaries().get(partition).equals(brick)) {
                RequestFrame.writeHeader(
                        frames, frameBytes, opcode, 0, 0, table.id(), partition, DEADLINE_MILLIS, 0, key.length);
                if (mode == LoadMode.WRITE) {
                    RequestFrame.writeRequestId(frames, 0, 0, 0);
                }
                frames.writeBytes(key).writeBytes(data.value(number), 0, valueBytes);
            }
        }
    }

    int frameBytes() {
        return frameBytes;
    }

    /** Appends any of them. */
    void writeAny(ByteBuf out) {
        out.writeBytes(frames, random.nextInt(COUNT) * frameBytes, frameBytes);
    }

    @Override
    public void close() {
        frames.release();
    }
}
