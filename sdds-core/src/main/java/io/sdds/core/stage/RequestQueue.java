package io.sdds.core.stage;

import io.netty.buffer.ByteBuf;
import io.sdds.core.node.Link;
import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Requests that wait, a {@link RunQueue} for each link. Links take turns (Nagle 1987, "On Packet Switches with Infinite
 * Storage"), so the request of one client does not wait for all that another client has sent before it. The requests of
 * one link keep their order. One thread uses it.
 */
final class RequestQueue {
    private static final int SPARES_MAX = 256;

    private final Map<Link, RunQueue> queues = new IdentityHashMap<>();
    private final ArrayDeque<RunQueue> turns = new ArrayDeque<>();
    private final ArrayDeque<RunQueue> spares = new ArrayDeque<>();
    private int events;
    private long bytes;

    void add(Link link, ByteBuf frames, int from, int to, int runEvents, long arrivedNanos) {
        queueOf(link).add(link, frames, from, to, runEvents, arrivedNanos);
        events += runEvents;
        bytes += to - from;
    }

    private RunQueue queueOf(Link link) {
        RunQueue queue = queues.get(link);
        if (queue == null) {
            queue = spares.isEmpty() ? new RunQueue() : spares.poll();
            queues.put(link, queue);
            turns.add(queue);
        }
        return queue;
    }

    boolean isEmpty() {
        return turns.isEmpty();
    }

    int events() {
        return events;
    }

    long bytes() {
        return bytes;
    }

    /** Number of links whose requests wait. */
    int links() {
        return turns.size();
    }

    boolean has(Link link) {
        return queues.containsKey(link);
    }

    /** When the oldest waiting request of a link came; the given time if none of the link's waits. */
    long oldestNanos(Link link, long nowNanos) {
        RunQueue queue = queues.get(link);
        return queue == null ? nowNanos : queue.oldestNanos();
    }

    /** The runs of the link whose turn it is. */
    RunQueue next() {
        return turns.getFirst();
    }

    /** Removes the first events of the next run, which have run. */
    void advance(int from, int doneEvents) {
        RunQueue queue = next();
        events -= doneEvents;
        bytes -= from - queue.from();
        queue.advance(from, doneEvents);
    }

    /**
     * Removes the next run, and ends the turn of a link that has no other. The caller gets the reference to the buffer.
     */
    void take() {
        RunQueue queue = next();
        Link link = queue.link();
        events -= queue.runEvents();
        bytes -= queue.to() - queue.from();
        queue.take();
        if (queue.isEmpty()) {
            turns.removeFirst();
            remove(link, queue);
        }
    }

    /** It is the next link's turn. */
    void endTurn() {
        turns.add(turns.removeFirst());
    }

    /** Moves all requests of a link to another queue, where they count as arrived now. */
    void move(Link link, RequestQueue to, long nowNanos) {
        RunQueue queue = queues.get(link);
        if (queue != null) {
            events -= queue.events();
            bytes -= queue.bytes();
            to.events += queue.events();
            to.bytes += queue.bytes();
            queue.move(link, to.queueOf(link), nowNanos);
            turns.remove(queue);
            remove(link, queue);
        }
    }

    /** Removes all requests of a link without running them. */
    void drop(Link link) {
        RunQueue queue = queues.get(link);
        if (queue != null) {
            events -= queue.events();
            bytes -= queue.bytes();
            queue.clear();
            turns.remove(queue);
            remove(link, queue);
        }
    }

    private void remove(Link link, RunQueue empty) {
        queues.remove(link);
        if (spares.size() < SPARES_MAX) {
            spares.add(empty);
        }
    }

    void clear() {
        while (!isEmpty()) {
            ByteBuf frames = next().frames();
            take();
            frames.release();
        }
    }
}
