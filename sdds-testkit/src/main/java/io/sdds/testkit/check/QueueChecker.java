package io.sdds.testkit.check;

import io.sdds.core.stage.ControlLimits;
import io.sdds.core.stage.StageLimits;
import java.util.ArrayList;
import java.util.List;

/** Whether the request queues of a stage, and what a brick holds of messages on their way, kept within their bounds. */
public final class QueueChecker {
    private QueueChecker() {}

    /**
     * The most that a stage's queues held at a time.
     *
     * @param queue of requests
     * @param admitted the same when a client's request had been admitted, with that
     * @param parked requests whose clients do not read their answers
     */
    public record Peaks(String brick, Waiting queue, Waiting admitted, Waiting parked) {}

    /** Requests that wait, and their bytes. */
    public record Waiting(long events, long bytes) {
        boolean isBeyond(StageLimits limits, int times) {
            return events > (long) times * limits.queueEventsMax() || bytes > (long) times * limits.queueBytesMax();
        }
    }

    /**
     * What is wrong with the queue of clients' control requests: of each client one may wait beyond the bound, if none
     * of its others does.
     */
    public static List<String> beyondBounds(String brick, Waiting controls, int clients, ControlLimits limits) {
        boolean isBeyond = controls.events() > limits.eventsMax() + clients || controls.bytes() > limits.bytesMax();
        return isBeyond
                ? List.of("control requests of clients waited at " + brick + ": " + controls + ", " + limits)
                : List.of();
    }

    /**
     * What is wrong with the memory that a brick's links held together for messages of which not all bytes had come.
     */
    public static List<String> incomingBeyondBounds(String brick, long bytes, long bytesMax) {
        return bytes > bytesMax
                ? List.of("links of " + brick + " held " + bytes + " bytes of messages that were not whole: more than "
                        + bytesMax)
                : List.of();
    }

    /** What is wrong, in lines: only requests that other bricks have admitted find room for as many again. */
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
