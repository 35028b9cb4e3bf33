package io.sdds.brick.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A few chunks that the system has already backed with memory. The first touch of a huge page costs its zeroing, and in a virtual machine also the
 * host's own faults: measured 0.4 to 12 ms for 2 MiB, in which a stage would answer nobody. A thread of its own pays that ahead of time.
 *
 * <p>Thread-safe; the chunks held ready, {@value #READY} and one in the making, are charged to no budget.
 */
public final class ReadyChunks implements AutoCloseable {
    static final long CHUNK_BYTES = 2 << 20;

    private static final int READY = 3;
    private static final long PAGE_BYTES = 4096;
    private static final long RETRY_MILLIS = 100;

    private final NativePages pages;
    private final BlockingQueue<Long> ready = new ArrayBlockingQueue<>(READY);
    private final Thread preparer = Thread.ofPlatform().daemon().name("chunks").unstarted(this::prepare);

    private ReadyChunks(NativePages pages) {
        this.pages = pages;
    }

    /** Nothing is prepared before the first chunk is taken; null where memory isn't mapped by our own calls. */
    public static @Nullable ReadyChunks open() {
        NativePages pages = NativePages.SYSTEM;
        return pages == null ? null : new ReadyChunks(pages);
    }

    /** The address of {@link #CHUNK_BYTES} of touched memory, to be unmapped by the caller; 0 when none is ready. */
    long take() {
        if (preparer.getState() == Thread.State.NEW) {
            start();
        }
        Long address = ready.poll();
        return address == null ? 0 : address;
    }

    private synchronized void start() {
        if (preparer.getState() == Thread.State.NEW) {
            preparer.start();
        }
    }

    private void prepare() {
        try {
            while (true) {
                long address = pages.map(CHUNK_BYTES);
                if (address == 0) {
                    TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
                    continue;
                }
                touch(address);
                offer(address);
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    private void offer(long address) throws InterruptedException {
        try {
            ready.put(address);
        } catch (InterruptedException e) {
            pages.unmap(address, CHUNK_BYTES);
            throw e;
        }
    }

    private static void touch(long address) {
        MemorySegment chunk = MemorySegment.ofAddress(address).reinterpret(CHUNK_BYTES);
        for (long offset = 0; offset < CHUNK_BYTES; offset += PAGE_BYTES) {
            chunk.set(ValueLayout.JAVA_BYTE, offset, (byte) 0);
        }
    }

    /** Gives back what nobody has taken. After the last {@link #take}. */
    @Override
    public void close() {
        preparer.interrupt();
        try {
            preparer.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (Long address = ready.poll(); address != null; address = ready.poll()) {
            pages.unmap(address, CHUNK_BYTES);
        }
    }
}
