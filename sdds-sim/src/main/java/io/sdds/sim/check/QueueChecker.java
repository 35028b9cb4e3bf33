package io.sdds.sim.check;

import io.sdds.core.stage.ControlLimits;
import io.sdds.core.stage.StageLimits;
import java.util.ArrayList;
import java.util.List;

/** Checks the bounds of request queues of stages, and of incomplete messages of bricks. */
public final class QueueChecker {
    private QueueChecker() {}

    /**
     * Highest sizes of the queues of a stage.
     *
     * @param queue highest size of the request queue
     * @param admitted highest size of the request queue just after the admission of a client request
     * @param parked highest number of requests whose clients do not read their answers
     */
    public record Peaks(String brick, Waiting queue, Waiting admitted, Waiting parked) {}

    /** Number of waiting requests, and their bytes. */
    public record Waiting(long events, long bytes) {
        boolean isBeyond(StageLimits limits, int times) {
            return events > (long) times * limits.queueEventsMax() || bytes > (long) times * limits.queueBytesMax();
        }
    }

    /**
     * Checks the queue of control requests of clients. Beyond the bound, each client may have one waiting request, if
     * the client has no other.
     */
    public static List<String> beyondBounds(String brick, Waiting controls, int clients, ControlLimits limits) {
        boolean isBeyond = controls.events() > limits.eventsMax() + clients || controls.bytes() > limits.bytesMax();
        return isBeyond
                ? List.of("control requests of clients waited at " + brick + ": " + controls + ", " + limits)
                : List.of();
    }

    /** Checks the memory that all links of a brick together held for incomplete messages. */
    public static List<String> incomingBeyondBounds(String brick, long bytes, long bytesMax) {
        return bytes > bytesMax
                ? List.of("links of " + brick + " held " + bytes + " bytes of messages that were not whole: more than "
                        + bytesMax)
                : List.of();
    }

    /** Checks the queues of a stage. Requests that other bricks have admitted may double the size of a queue. */
    public static List<String> beyondBounds(Peaks peaks, StageLimits limits) {
        List<String> wrong = new ArrayList<>();
        if (peaks.queue().isBeyond(limits, 2)) {
            wrong.add("a queue of " + peaks.brick() + " held " + peaks.queue() + ": twice " + limits);
        }
        if (peaks.admitted().isBeyond(limits, 1)) {
            wrong.add(peaks.brick() + " admitted a client's request to a queue of " + peaks.admitted() + ": " + limits);
        }
        if (peaks.parked().isBeyond(limits, 1)) {
            wrong.add(peaks.parked() + " waited at " + peaks.brick() + " for clients that don't read: " + limits);
        }
        return wrong;
    }
}
