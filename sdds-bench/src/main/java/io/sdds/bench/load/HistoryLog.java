package io.sdds.bench.load;

import io.sdds.client.SddsException;
import io.sdds.testkit.check.HistoryFile;
import io.sdds.testkit.check.Operation;
import io.sdds.testkit.check.Operation.Kind;
import io.sdds.testkit.check.Operation.Result;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Writes each operation to a file, on its own thread. Load threads wait for the writer, because a history is for checks
 * and not for measurements.
 */
final class HistoryLog implements AutoCloseable {
    private static final int QUEUE_OPERATIONS = 1 << 16;
    private static final Operation END = new Operation(0, Kind.GET, "", null, null, Result.UNKNOWN, null, 0, 0);

    private final BlockingQueue<Operation> queue = new ArrayBlockingQueue<>(QUEUE_OPERATIONS);
    private final AtomicLong values = new AtomicLong();
    private final BufferedWriter out;
    private final Thread writer;
    private volatile @Nullable IOException failure;

    HistoryLog(Path file) {
        try {
            out = Files.newBufferedWriter(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the history to " + file + ": " + e.getMessage(), e);
        }
        writer = Thread.ofPlatform().daemon().name("history").unstarted(this::write);
    }

    void start() {
        writer.start();
    }

    /** A value that no other operation writes. */
    byte[] uniqueValue(Dataset data, int service) {
        return data.uniqueValue("v" + service + "-" + values.getAndIncrement());
    }

    /** An operation has ended. */
    void ended(
            int client,
            boolean read,
            byte[] key,
            byte @Nullable [] written,
            long startNanos,
            long endNanos,
            byte @Nullable [] found,
            @Nullable RuntimeException trouble) {
        Result result = result(read, found, trouble);
        try {
            queue.put(new Operation(
                    client,
                    read ? Kind.GET : Kind.PUT,
                    text(key),
                    read || written == null ? null : text(written),
                    null,
                    result,
                    found == null ? null : text(found),
                    startNanos,
                    result == Result.UNKNOWN ? Operation.OPEN : endNanos));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until all operations are in the file. */
    @Override
    public void close() {
        try {
            queue.put(END);
            writer.join();
            out.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot finish the history: " + e.getMessage(), e);
        }
        IOException broken = failure;
        if (broken != null) {
            throw new UncheckedIOException("cannot write the history: " + broken.getMessage(), broken);
        }
    }

    private static Result result(boolean read, byte @Nullable [] found, @Nullable RuntimeException trouble) {
        if (trouble == null) {
            return !read ? Result.OK : found == null ? Result.ABSENT : Result.VALUE;
        }
        return trouble instanceof SddsException known && !known.isOutcomeUnknown() ? Result.REFUSED : Result.UNKNOWN;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private void write() {
        try {
            for (Operation next = queue.take(); next != END; next = queue.take()) {
                if (failure == null) {
                    append(next);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void append(Operation operation) {
        try {
            HistoryFile.write(out, operation);
        } catch (IOException e) {
            failure = e;
        }
    }
}
