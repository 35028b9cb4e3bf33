package io.sdds.core.node;

import io.netty.buffer.ByteBuf;
import io.sdds.core.protocol.Hello;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * All that a node needs of the world, handed in: time, timers, randomness, connections. One thread calls a node and is
 * called by it; the shell is a Netty event loop or the simulator.
 */
public interface Env {
    /** Monotonic nanoseconds, going on while the machine is suspended where it can. Only differences mean anything. */
    long nowNanos();

    /**
     * Processor time of the calling thread in nanoseconds, without the time in which other threads had the processor.
     * Where it is not known, the time of {@link #nowNanos}. Only differences mean anything.
     */
    default long cpuNanos() {
        return nowNanos();
    }

    /** Runs a task after a delay, on the node's thread. */
    Timer schedule(long delayNanos, Runnable task);

    /** Runs a task on the node's thread after the events that are at hand have been delivered. */
    void defer(Runnable task);

    /** Hands a task over to the node's thread from any thread; in place when that is the calling one. */
    void execute(Runnable task);

    /** The node's own source of randomness. */
    RandomGenerator random();

    /** A new buffer for frames, in direct memory, with one reference. */
    ByteBuf allocate(int capacity);

    /**
     * Opens a connection and says hello. The node hears {@link Node#onLinkUp} or {@link Node#onLinkDown} after this
     * call has returned, never inside it. A host name is looked up at each call; a failed look-up is a failed dial, and
     * the next call may succeed.
     *
     * @param address host:port
     */
    Link dial(String address, Hello hello, Node node);

    /**
     * The optional parts of the protocol that this process may use, if it has them: bits of
     * {@link io.sdds.core.protocol.Features}.
     */
    default long featuresAllowed() {
        return -1;
    }

    /**
     * Begins to send to a group of IP multicast; null where that can't be done.
     *
     * @param group as {@code 239.255.74.74:7474}
     */
    default @Nullable Datagrams datagrams(String group) {
        return null;
    }
}
