package io.sdds.brick.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A few chunks that the system has already backed with memory. On the first touch of a huge page the kernel zeroes the
 * page, and in a virtual machine the host faults, too: 0.4 to 12 ms were measured for 2 MiB, in which a stage would
 * serve no request. So another thread touches chunks ahead of time, by {@link #run}.
 *
 * <p>Thread-safe; the chunks held ready, {@value #READY} and one in the making, are charged to no budget.
 */
public final class ReadyChunks implements Runnable, AutoCloseable {
    static final long CHUNK_BYTES = 2 << 20;

    private static final int READY = 3;
    private static final long PAGE_BYTES = 4096;
    private static final long RETRY_MILLIS = 100;

    private final NativePages pages;
    private final BlockingQueue<Long> ready = new ArrayBlockingQueue<>(READY);
    private final CountDownLatch wanted = new CountDownLatch(1);

    private ReadyChunks(NativePages pages) {
        this.pages = pages;
    }

    /** Opens a pool in which no chunk is ready yet; null where {@link NativePages} is not available. */
    public static @Nullable ReadyChunks open() {
        NativePages pages = NativePages.SYSTEM;
        return pages == null ? null : new ReadyChunks(pages);
    }

    /** The address of {@link #CHUNK_BYTES} of touched memory, to be unmapped by the caller; 0 when none is ready. */
    long take() {
        wanted.countDown();
        Long address = ready.poll();
        return address == null ? 0 : address;
    }

    /** Prepares chunks, from when the first one is asked for, until the thread is interrupted. */
    @Override
    public void run() {
        NativePriority.giveWay();
        try {
            wanted.await();
            while (true) {
                prepareOne();
            }
        } catch (InterruptedException e) {
            // the thread ends
        }
    }

    private void prepareOne() throws InterruptedException {
        long address = pages.map(CHUNK_BYTES);
        if (address == 0) {
            TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
        } else {
            touch(address);
            offer(address);
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

    /** Unmaps the chunks that were not taken. To be called after the last {@link #take} and the end of {@link #run}. */
    @Override
    public void close() {
        for (Long address = ready.poll(); address != null; address = ready.poll()) {
            pages.unmap(address, CHUNK_BYTES);
        }
    }
}
