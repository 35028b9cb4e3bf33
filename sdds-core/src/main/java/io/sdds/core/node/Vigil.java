package io.sdds.core.node;

import org.jspecify.annotations.Nullable;

/**
 * Whether anybody is at the other end of a link. A machine that vanishes ends none of its connections, and a process
 * that hangs reads none: both would hold what the link holds for ever.
 */
final class Vigil {
    /** From one look to the next. */
    static final long NANOS = 5_000_000_000L;

    /** Looks in silence after which the other end is asked to say something. */
    private static final int SILENT_TO_PING = 2;

    /** Looks in silence after which it is given up. */
    private static final int SILENT_MAX = 4;

    /** Looks in which it read nothing of what waits for it, after which it is given up. */
    private static final int UNREAD_MAX = 2;

    private int silent;
    private int unread;
    private boolean waited;

    /** The most that was taken at any look since it has waited. */
    private long readBytes;

    /**
     * Looks once.
     *
     * @param heard whether anything came since the last look, or nothing could
     * @param waitingBytes that wait to be read by the other end, when they are many, else 0
     * @param takenBytes of all that was sent, which do not wait any more: more may have come to those that wait.
     *     Networks count a little more as waiting than was sent, so it may fall; it only rises when something was read
     * @return why it is to be given up, or null
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

    /** Whether the other end should be asked to say something. */
    boolean wantsPing() {
        return silent >= SILENT_TO_PING;
    }
}
