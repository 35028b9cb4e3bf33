package io.sdds.core.node;

import io.netty.buffer.ByteBuf;
import io.sdds.core.protocol.BatchFrame;
import io.sdds.core.protocol.Checksum;
import io.sdds.core.protocol.Limits;
import org.jspecify.annotations.Nullable;

/**
 * What leaves by a link: messages gathered in one buffer until the end of a turn, and whether the other end is behind
 * with reading them.
 *
 * <p>Used by the link's thread alone, but for what says otherwise.
 */
final class Outbox {
    /** Pending bytes at which the other end is given up as one that does not read. */
    private static final long PENDING_BYTES_MAX = 256L << 20;

    private static final int BUFFER_BYTES = 64 << 10;

    /**
     * Bytes from which a batch of frames is sealed and the next one begun in the same buffer. A receiver copies the
     * part of a batch that a read ends with, so it should be short; a checksum costs some 50 ns besides its bytes, so
     * it should not be much shorter.
     */
    private static final int BATCH_BYTES = 16 << 10;

    /** Where no batch is open, or nothing was claimed. */
    private static final int NONE = -1;

    /**
     * Messages that leave together at most. A turn that wrote everything before it sent anything would leave the other
     * end without work meanwhile. A stage sends earlier where that pays ({@link #endBatch}); this bounds what is
     * written outside of its drains, and by clients, which take their turns as answers come.
     */
    private static final int FLUSH_MESSAGES = 256;

    /** Messages whose sending costs less than they did: a system call is worth about five requests. */
    private static final int BATCH_MESSAGES = 32;

    private final Env env;
    private final Runnable onRoom;
    private @Nullable Connection connection;
    private @Nullable Backlog backlog;
    private @Nullable ByteBuf out;
    private @Nullable ByteBuf large;

    /**
     * Where a message begins that was claimed and is not committed, of one that fits in a frame; {@link #NONE} else.
     */
    private int claimedAt = NONE;

    private @Nullable Checksum checksum;
    private int batchStart = NONE;
    private long buffers;
    private int gathered;
    private boolean unflushed;
    private long unflushedBytes;
    private long writtenBytes;
    private long flushes;
    private boolean full;
    private boolean closed;

    /** Somebody was told that it is full, and is to hear when it is no more. */
    private volatile boolean foundFull;

    /** @param onRoom runs when it was found full and is no more, if the connection does not tell */
    Outbox(Env env, Runnable onRoom) {
        this.env = env;
        this.onRoom = onRoom;
    }

    /** Where it all goes from now on. */
    void open(Connection opened) {
        connection = opened;
    }

    /** From now on everything travels in batches with a checksum. Nothing may be gathered yet. */
    void checkFrames() {
        checksum = new Checksum();
    }

    /** From now on what the other end does not read is counted against a budget. */
    void holdWithin(UnreadBudget budget) {
        backlog = Backlog.counted(budget, env, this::lookAtBacklog);
    }

    /** The same of a view: what is seen holds is judged, and counted there alone. */
    void holdWithBudgetOf(Outbox seen) {
        backlog = seen.backlog == null ? null : seen.backlog.view();
    }

    /** Whether more may be held than {@link UnreadBudget#SHARE_BYTES_MIN}. */
    boolean hasRoom() {
        return backlog == null || backlog.hasRoom();
    }

    /** Whether the other end is behind with reading. Judged anew at each flush, and while it is. */
    boolean isFull() {
        if (full) {
            full = isTooMuch(pendingBytes());
            if (full) {
                foundFull = true; // and never false: a view may have set it meanwhile
            }
        }
        return full;
    }

    /** Whether it is so far behind that it is given up. */
    boolean isOverflowing() {
        return full && pendingBytes() > PENDING_BYTES_MAX;
    }

    /** A view of it is about to find it full, by bytes that it holds. Any thread. */
    void willBeFoundFull() {
        foundFull = true;
    }

    private boolean isTooMuch(long pendingBytes) {
        return backlog == null ? pendingBytes > Link.PENDING_BYTES_FULL : backlog.isTooMuch(pendingBytes);
    }

    /** It has held something a moment ago, of which the other end may have read enough. */
    private void lookAtBacklog() {
        full = isTooMuch(pendingBytes());
        if (foundFull && !full) {
            foundFull = false;
            onRoom.run();
        }
    }

    /** Room for a message of exactly so many bytes, to be written at the writer index. */
    ByteBuf claim(int bytes) {
        if (bytes > Limits.FRAME_BYTES_MAX) {
            large = env.allocate(bytes);
            buffers++;
            return large;
        }
        ByteBuf buffer = checksum == null ? claimFrame(bytes) : claimInBatch(bytes, checksum);
        claimedAt = buffer.writerIndex();
        return buffer;
    }

    private ByteBuf claimFrame(int bytes) {
        if (out != null && out.writableBytes() < bytes) {
            writeOut();
        }
        return out == null ? newBuffer(bytes) : out;
    }

    private ByteBuf claimInBatch(int bytes, Checksum sum) {
        if (out != null && out.writerIndex() - batchStart >= BATCH_BYTES) {
            sealBatch(out, sum);
        }
        if (out != null && out.writableBytes() < bytes + BatchFrame.HEADER + BatchFrame.TRAILER) {
            writeOut();
        }
        ByteBuf buffer = out == null ? newBuffer(bytes + BatchFrame.HEADER + BatchFrame.TRAILER) : out;
        if (batchStart == NONE) {
            batchStart = buffer.writerIndex();
            BatchFrame.begin(buffer);
        }
        return buffer;
    }

    private ByteBuf newBuffer(int bytes) {
        ByteBuf buffer = env.allocate(Math.max(bytes, BUFFER_BYTES));
        out = buffer;
        buffers++;
        return buffer;
    }

    /** Ends the open batch, if there is one; one without frames leaves nothing. */
    private void sealBatch(ByteBuf buffer, Checksum sum) {
        if (batchStart == NONE) {
            return;
        }
        if (buffer.writerIndex() == batchStart + BatchFrame.HEADER) {
            buffer.writerIndex(batchStart);
        } else {
            BatchFrame.seal(buffer, batchStart, sum);
        }
        batchStart = NONE;
    }

    /** Changes whenever {@link #claim} answers with another buffer than before. */
    long buffers() {
        return buffers;
    }

    /** The message claimed last is written. */
    void commit() {
        claimedAt = NONE;
        if (large != null) {
            ByteBuf message = large;
            large = null;
            buffers++;
            Fragments.cut(message, this);
            message.release();
        }
        if (++gathered == FLUSH_MESSAGES) {
            flush();
        }
    }

    /** A message that was claimed and is not committed is given up: nothing of it leaves. */
    void abandon() {
        if (large != null) {
            large.release();
            large = null;
            buffers++;
        } else if (out != null && claimedAt != NONE) {
            out.writerIndex(claimedAt);
        }
        claimedAt = NONE;
    }

    /** Takes whole frames, or batches of them where frames are checked, whose reference passes over. */
    void append(ByteBuf frames) {
        writeOut();
        written(frames);
    }

    /** Messages to others follow: sends what was committed if that pays. */
    void endBatch() {
        if (gathered >= BATCH_MESSAGES) {
            flush();
        }
    }

    /** Sends what was committed. */
    void flush() {
        gathered = 0;
        writeOut();
        if (unflushed && connection != null) {
            unflushed = false;
            unflushedBytes = 0;
            flushes++;
            connection.flush();
            full = isTooMuch(connection.pendingBytes());
        }
    }

    /** How often it has given messages to the network. */
    long flushes() {
        return flushes;
    }

    /** Bytes sent and not yet given to the network; may be asked by any thread. */
    long pendingBytes() {
        Connection open = connection;
        return open == null ? 0 : open.pendingBytes();
    }

    /** Bytes that the network has taken of all there were. */
    long takenBytes() {
        return writtenBytes - pendingBytes();
    }

    /** Lets go of what was not flushed. */
    void discard() {
        batchStart = NONE;
        if (out != null) {
            out.release();
            out = null;
        }
    }

    /** The link is down: nothing leaves any more. */
    void close() {
        closed = true;
        discard();
        if (backlog != null) {
            backlog.release();
        }
    }

    private void writeOut() {
        ByteBuf bytes = out;
        out = null;
        if (bytes != null) {
            if (checksum != null) {
                sealBatch(bytes, checksum);
            }
            written(bytes);
        }
    }

    private void written(ByteBuf bytes) {
        if (connection == null || closed) {
            bytes.release();
            return;
        }
        unflushedBytes += bytes.readableBytes();
        writtenBytes += bytes.readableBytes();
        connection.write(bytes);
        unflushed = true;
        if (unflushedBytes > UnreadBudget.SHARE_BYTES_MIN
                || backlog != null && connection.pendingBytes() > UnreadBudget.SHARE_BYTES_MIN) {
            full |= isTooMuch(Math.max(unflushedBytes, connection.pendingBytes()));
        }
    }
}
