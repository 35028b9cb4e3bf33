package io.sdds.core.node;

import org.jspecify.annotations.Nullable;

/**
 * Checks whether the other end of a link lives and reads. A machine that vanishes closes none of its connections, and a
 * process that hangs reads none. Without this check the memory of such links would be held for ever.
 */
final class KeepAlive {
    /** Time between two looks. */
    static final long NANOS = 5_000_000_000L;

    /** Number of looks in silence after which a PING is sent. */
    private static final int SILENT_TO_PING = 2;

    /** Number of looks in silence after which the link is closed. */
    private static final int SILENT_MAX = 4;

    /** Number of looks in which the other end has read none of the waiting bytes, after which the link is closed. */
    private static final int UNREAD_MAX = 2;

    private int silent;
    private int unread;
    private boolean waited;

    /** Largest number of bytes taken at any look while bytes were waiting. */
    private long readBytes;

    /**
     * Looks once.
     *
     * @param heard whether bytes have come since the last look, or reading was paused
     * @param waitingBytes bytes that wait to be read by the other end, if they are many; otherwise 0
     * @param takenBytes bytes of all sent bytes that do not wait any more. Networks count a little more as waiting than
     *     was sent, so this number may fall; it rises only when the other end has read
     * @return why the link is to be closed, or null
     */
    @Nullable
    String trouble(boolean heard, long waitingBytes, long takenBytes) {
        silent = heard ? 0 : silent + 1;
        boolean waits = waitingBytes > 0;
        unread = waits && waited && takenBytes <= readBytes ? unread + 1 : 0;
        readBytes = waits && waited ? Math.max(readBytes, takenBytes) : takenBytes;
        waited = waits;
        if (unread >= UNREAD_MAX) {
            return "the other end does not read its answers: " + waitingBytes + " bytes have waited for "
                    + unread * NANOS / 1_000_000_000 + " s";
        }
        return silent >= SILENT_MAX
                ? "nothing was heard for " + SILENT_MAX * NANOS / 1_000_000_000 + " s, not even an answer to a ping"
                : null;
    }

    /** Whether a PING should be sent. */
    boolean wantsPing() {
        return silent >= SILENT_TO_PING;
    }
}
