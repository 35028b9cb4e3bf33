package io.sdds.core.node;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.core.protocol.Hello;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Time that moves when a test says so; tasks that run when it does. */
public final class FakeEnv implements Env {
    private final ArrayDeque<Runnable> deferred = new ArrayDeque<>();
    private final PriorityQueue<Due> timers =
            new PriorityQueue<>(Comparator.comparingLong(Due::at).thenComparingLong(Due::order));
    private final List<ByteBuf> buffers = new ArrayList<>();
    private final RandomGenerator random = new SplittableRandom(1);
    private long now;
    private long order;

    private record Due(long at, long order, Runnable task, boolean[] cancelled) {}

    /** Runs what was deferred, and what that defers. */
    public void settle() {
        while (!deferred.isEmpty()) {
            deferred.poll().run();
        }
    }

    /** Runs what was deferred, and not what that defers. */
    public void settleOnce() {
        for (int k = deferred.size(); k > 0; k--) {
            deferred.removeFirst().run();
        }
    }

    /** Lets time pass. */
    public void pass(long nanos) {
        long until = now + nanos;
        settle();
        while (!timers.isEmpty() && timers.peek().at() <= until) {
            Due due = timers.poll();
            now = due.at();
            if (!due.cancelled()[0]) {
                due.task().run();
            }
            settle();
        }
        now = until;
    }

    /** Moves the clock and runs nothing, as when the thread was held up. */
    public void clockOnly(long nanos) {
        now += nanos;
    }

    /** Buffers given out and not released. */
    public long buffersHeld() {
        return buffers.stream().filter(buffer -> buffer.refCnt() > 0).count();
    }

    @Override
    public long nowNanos() {
        return now;
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        boolean[] cancelled = new boolean[1];
        timers.add(new Due(now + delayNanos, order++, task, cancelled));
        return () -> cancelled[0] = true;
    }

    @Override
    public void defer(Runnable task) {
        deferred.add(task);
    }

    @Override
    public void execute(Runnable task) {
        task.run();
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    @Override
    public ByteBuf allocate(int capacity) {
        ByteBuf buffer = Unpooled.directBuffer(Math.max(1, capacity));
        buffers.add(buffer);
        return buffer;
    }

    @Override
    public Link dial(String address, Hello hello, Node node) {
        throw new UnsupportedOperationException("this test dials nobody");
    }
}
