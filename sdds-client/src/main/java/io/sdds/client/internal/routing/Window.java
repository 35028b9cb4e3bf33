package io.sdds.client.internal.routing;

import io.sdds.client.ClientSettings;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits outstanding requests, by their number and by the bytes of their keys and values. Any thread may use the
 * window. No method waits.
 */
public final class Window {
    private static final int BYTE_BITS = 44;
    private static final long BYTES = (1L << BYTE_BITS) - 1;

    /** Largest window in bytes. The counter has room for requests that are let in beyond the window. */
    public static final long BYTES_MAX = 1L << (BYTE_BITS - 2);

    /** Requests in the high bits and bytes in the low bits, so that each operation is one atomic step. */
    private final AtomicLong taken = new AtomicLong();

    private final int requestsMax;
    private final long bytesMax;
    private Runnable onRoom = () -> {};

    /** The window that settings ask for. */
    public static Window of(ClientSettings settings) {
        return new Window(settings.windowRequests(), settings.windowBytes());
    }

    public Window(int requestsMax, long bytesMax) {
        this.requestsMax = requestsMax;
        this.bytesMax = bytesMax;
    }

    /**
     * Sets a listener, which is called after each {@link #leave} on the thread that gives room back. Called before the
     * first request.
     */
    public void onRoom(Runnable listener) {
        onRoom = listener;
    }

    /**
     * Takes room for a request, if there is any. A request larger than the whole window fits when no other request is
     * outstanding.
     */
    public boolean tryEnter(int bytes) {
        return tryEnter(bytes, 1);
    }

    /**
     * As {@link #tryEnter(int)}, for a caller that cannot wait: it may take as much room again. So the operations that
     * follow answers find room while threads wait for the window.
     */
    public boolean tryEnterTwice(int bytes) {
        return tryEnter(bytes, 2);
    }

    private boolean tryEnter(int bytes, int windows) {
        long before = taken.get();
        while (hasRoom(before, bytes, windows)) {
            if (taken.compareAndSet(before, before + unit(bytes))) {
                return true;
            }
            before = taken.get();
        }
        return false;
    }

    private boolean hasRoom(long before, int bytes, int windows) {
        return requests(before) < windows * requestsMax && (bytes(before) + bytes <= windows * bytesMax || before == 0);
    }

    /** Takes room even if there is none. For the next step of a sweep that was let in before. */
    void enter(int bytes) {
        taken.getAndAdd(unit(bytes));
    }

    /** Gives the room of a request back. */
    public void leave(int bytes) {
        taken.getAndAdd(-unit(bytes));
        onRoom.run();
    }

    /** Requests outstanding. */
    public int requests() {
        return requests(taken.get());
    }

    /** Bytes of keys and values outstanding. */
    public long bytes() {
        return bytes(taken.get());
    }

    private static long unit(int bytes) {
        return (1L << BYTE_BITS) + bytes;
    }

    private static int requests(long taken) {
        return (int) (taken >>> BYTE_BITS);
    }

    private static long bytes(long taken) {
        return taken & BYTES;
    }
}
