package io.sdds.sim.world;

/**
 * Virtual time that a node's work costs it. A busy node's next events wait, so that queues, overload and shedding
 * happen, and happen again with the same seed.
 *
 * @param readNanos for each read from a connection
 * @param byteInPicos for each byte read
 * @param frameOutNanos for each frame sent, as the measure of the work that led to it
 * @param byteOutPicos for each byte sent
 * @param taskNanos for each timer and deferred task
 */
public record ServiceTimes(long readNanos, long byteInPicos, long frameOutNanos, long byteOutPicos, long taskNanos) {
    /** About what a node costs a core. */
    public static final ServiceTimes DEFAULT = new ServiceTimes(3_000, 2_000, 1_000, 500, 500);

    /** Everything takes so many times as long. */
    public ServiceTimes times(long factor) {
        return new ServiceTimes(
                readNanos * factor,
                byteInPicos * factor,
                frameOutNanos * factor,
                byteOutPicos * factor,
                taskNanos * factor);
    }

    long readNanos(long bytes) {
        return readNanos + bytes * byteInPicos / 1000;
    }

    long sendNanos(long frames, long bytes) {
        return frames * frameOutNanos + bytes * byteOutPicos / 1000;
    }
}
