package io.sdds.sim.world;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import io.netty.util.internal.CleanableDirectBuffer;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Direct buffers for simulated nodes: each is accounted for until its last reference is gone, and poisoned then. */
public final class SimBuffers extends AbstractByteBufAllocator {
    private static final long POISON = 0xDBDB_DBDB_DBDB_DBDBL;
    private static final int POISONED_BYTES_MAX = 2048;

    private final Live head = new Live(this);
    private int owner;
    private long serial;

    SimBuffers() {
        super(true);
        head.next = head;
        head.previous = head;
    }

    /** Memory by powers of two, shared by all simulations of the JVM: what is in it never matters. */
    private static final class Pool {
        private static final int CLASSES = 32;
        private static final int KEPT_MAX = 256;
        private static final List<ArrayDeque<ByteBuffer>> FREE = new ArrayList<>();

        static {
            for (int k = 0; k < CLASSES; k++) {
                FREE.add(new ArrayDeque<>());
            }
        }

        private static int sizeClass(int bytes) {
            return 32 - Integer.numberOfLeadingZeros(Math.max(63, bytes - 1));
        }

        static ByteBuffer take(int bytes) {
            int sizeClass = sizeClass(bytes);
            ByteBuffer memory;
            synchronized (FREE) {
                memory = FREE.get(sizeClass).pollLast();
            }
            return memory == null ? ByteBuffer.allocateDirect(1 << sizeClass) : memory;
        }

        static void give(ByteBuffer memory) {
            for (int k = Math.min(memory.capacity(), POISONED_BYTES_MAX) - 1; k >= 7; k -= 8) {
                memory.putLong(k - 7, POISON);
            }
            ArrayDeque<ByteBuffer> free = FREE.get(sizeClass(memory.capacity()));
            synchronized (FREE) {
                if (free.size() < KEPT_MAX) {
                    free.addLast(memory);
                }
            }
        }
    }

    private record Memory(ByteBuffer whole, ByteBuffer buffer) implements CleanableDirectBuffer {
        @Override
        public void clean() {
            Pool.give(whole);
        }
    }

    /** A buffer in somebody's hands, in a list of all of them in the order of their making. */
    private static final class Live extends UnpooledDirectByteBuf {
        private @Nullable Live next;
        private @Nullable Live previous;
        private final int owner;
        private final long serial;

        Live(SimBuffers buffers) {
            this(buffers, 0, 0);
        }

        Live(SimBuffers buffers, int capacity, int capacityMax) {
            super(buffers, capacity, capacityMax);
            owner = buffers.owner;
            serial = buffers.serial++;
        }

        @Override
        protected CleanableDirectBuffer allocateDirectBuffer(int capacity) {
            ByteBuffer whole = Pool.take(capacity);
            return new Memory(whole, whole.slice(0, capacity));
        }

        @Override
        protected void deallocate() {
            unlink();
            super.deallocate();
        }

        private void unlink() {
            if (next != null && previous != null) {
                previous.next = next;
                next.previous = previous;
                next = null;
                previous = null;
            }
        }
    }

    ByteBuf allocate(int capacity, int ownerIndex) {
        owner = ownerIndex;
        return directBuffer(capacity);
    }

    @Override
    protected ByteBuf newDirectBuffer(int capacity, int capacityMax) {
        Live buffer = new Live(this, capacity, capacityMax);
        Live last = head.previous;
        buffer.previous = last;
        buffer.next = head;
        if (last != null) {
            last.next = buffer;
        }
        head.previous = buffer;
        return buffer;
    }

    @Override
    protected ByteBuf newHeapBuffer(int capacity, int capacityMax) {
        return UnpooledByteBufAllocator.DEFAULT.heapBuffer(capacity, capacityMax);
    }

    @Override
    public boolean isDirectBufferPooled() {
        return false;
    }

    @SuppressWarnings("ReferenceEquality") // the head is one buffer
    private boolean isHead(Live buffer) {
        return buffer == head;
    }

    /** The buffers of a node whose process is gone are nobody's any more. */
    void abandon(int ownerIndex) {
        for (Live at = head.next; at != null && !isHead(at); ) {
            Live following = at.next;
            if (at.owner == ownerIndex) {
                at.unlink();
            }
            at = following;
        }
    }

    /** Buffers that somebody still holds, described: what they hold and how many they are, by node. */
    public List<String> held(List<SimEnv> envs) {
        List<String> held = new ArrayList<>();
        for (Live at = head.next; at != null && !isHead(at); at = at.next) {
            held.add(envs.get(at.owner).name() + ": buffer " + at.serial + " of " + at.capacity() + " bytes, "
                    + at.readableBytes() + " readable, " + at.refCnt() + " references");
        }
        return held;
    }
}
