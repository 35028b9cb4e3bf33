package io.sdds.core.node;

import io.netty.buffer.ByteBuf;
import io.sdds.core.protocol.BatchFrame;
import io.sdds.core.protocol.Checksum;
import io.sdds.core.protocol.Limits;
import org.jspecify.annotations.Nullable;

/**
 * The sending half of a link: it gathers messages in one buffer until the end of a turn, and tells whether the other
 * end is behind with reading them. {@link Inbox} is the receiving half.
 *
 * <p>Only the link's thread may call a method, unless its description says otherwise.
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

    /** The index when no batch is open, or no message is claimed. */
    private static final int NONE = -1;

    /**
     * Most messages that leave together. If a turn wrote all messages before it sent any, the other end would have no
     * work meanwhile. A stage sends earlier where that pays ({@link #endBatch}). This limit is for messages that are
     * written outside of drains, and for clients, whose turns follow the answers.
     */
    private static final int FLUSH_MESSAGES = 256;

    /** Number of messages whose requests cost more than a system call, which costs as much as about five requests. */
    private static final int BATCH_MESSAGES = 32;

    private final Env env;
    private final Runnable onRoom;
    private @Nullable Connection connection;
    private @Nullable Backlog backlog;
    private @Nullable ByteBuf out;
    private @Nullable ByteBuf large;

    /** Index of the message that was claimed and not committed, if it fits in a frame; otherwise {@link #NONE}. */
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

    /** A caller was told that the link is full, and is to hear when the link is full no more. */
    private volatile boolean foundFull;

    /** @param onRoom runs when the link was found full and is full no more, if the connection does not tell so */
    Outbox(Env env, Runnable onRoom) {
        this.env = env;
        this.onRoom = onRoom;
    }

    /** Sets the connection that takes the messages. */
    void open(Connection opened) {
        connection = opened;
    }

    /** Sends all messages in batches with a checksum from now on. No message may be gathered yet. */
    void checkFrames() {
        checksum = new Checksum();
    }

    /** Counts unread bytes against a budget from now on. */
    void holdWithin(UnreadBudget budget) {
        backlog = Backlog.counted(budget, env, this::lookAtBacklog);
    }

    /** Lets a view be full when the seen link is full by its budget. Only the seen link counts the bytes. */
    void holdWithBudgetOf(Outbox seen) {
        backlog = seen.backlog == null ? null : seen.backlog.view();
    }

    /** Whether the link may hold more unread bytes than {@link UnreadBudget#SHARE_BYTES_MIN}. */
    boolean hasRoom() {
        return backlog == null || backlog.hasRoom();
    }

    /**
     * Whether the other end is behind with reading. Each flush judges anew, and so does a call while the link is full.
     */
    boolean isFull() {
        if (full) {
            full = isTooMuch(pendingBytes());
            if (full) {
                foundFull = true; // this method never sets false, because a view may have set true meanwhile
            }
        }
        return full;
    }

    /** Whether the other end is so far behind that the link is closed. */
    boolean isOverflowing() {
        return full && pendingBytes() > PENDING_BYTES_MAX;
    }

    /** Tells the link that a view of it is about to find it full. Any thread may call. */
    void willBeFoundFull() {
        foundFull = true;
    }

    private boolean isTooMuch(long pendingBytes) {
        return backlog == null ? pendingBytes > Link.PENDING_BYTES_FULL : backlog.isTooMuch(pendingBytes);
    }

    /** Looks whether the other end has read enough of the bytes that were held a moment ago. */
    private void lookAtBacklog() {
        full = isTooMuch(pendingBytes());
        if (foundFull && !full) {
            foundFull = false;
            onRoom.run();
        }
    }

    /** Makes room for a message of exactly {@code bytes}, which the caller writes at the writer index. */
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

    /** Ends the open batch, if there is one. A batch without frames is dropped. */
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

    /** A number that changes when {@link #claim} returns another buffer than before. */
    long buffers() {
        return buffers;
    }

    /** Ends the message that was claimed last. */
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

    /** Drops the message that was claimed and not committed. */
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

    /** Sends the committed messages if they are many, because messages to other links follow. */
    void endBatch() {
        if (gathered >= BATCH_MESSAGES) {
            flush();
        }
    }

    /** Sends the committed messages. */
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

    /** Number of flushes: times that the link has given messages to the network. */
    long flushes() {
        return flushes;
    }

    /** Bytes that were sent and that the network has not taken yet. Any thread may call. */
    long pendingBytes() {
        Connection open = connection;
        return open == null ? 0 : open.pendingBytes();
    }

    /** Bytes of all sent bytes that the network has taken. */
    long takenBytes() {
        return writtenBytes - pendingBytes();
    }

    /** Drops the messages that were not flushed. */
    void discard() {
        batchStart = NONE;
        if (out != null) {
            out.release();
            out = null;
        }
    }

    /** The link is down, so no message leaves any more. */
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
