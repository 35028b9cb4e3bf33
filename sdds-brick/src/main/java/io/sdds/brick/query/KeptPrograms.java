package io.sdds.brick.query;

import io.sdds.core.query.ProgramHash;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The programs that a brick keeps for SCAN and RANGE requests that name them by hash. All its stages share them. They
 * are soft state: the brick drops those that were not used for a while, and those that were used longest ago when they
 * take too much memory. A request that names a dropped program is answered NO_PROGRAM, and its client sends the program
 * again. Any thread may call.
 */
public final class KeptPrograms {
    /** Most bytes of all programs, but that one program is always kept. */
    public static final long BYTES_MAX = 64 << 20;

    /** Time after which an unused program is dropped. */
    public static final long IDLE_NANOS = 60_000_000_000L;

    private final long bytesMax;

    /** The program that was used last at the end. */
    private final Map<ProgramHash, Entry> entries = new LinkedHashMap<>();

    private long bytes;

    private record Entry(KeptProgram program, long bytes, long usedNanos) {}

    public KeptPrograms() {
        this(BYTES_MAX);
    }

    KeptPrograms(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Finds a program, and counts it as used now; null if it is not kept. */
    public synchronized @Nullable KeptProgram use(ProgramHash hash, long nowNanos) {
        expire(nowNanos);
        Entry entry = entries.remove(hash);
        if (entry == null) {
            return null;
        }
        entries.put(hash, new Entry(entry.program(), entry.bytes(), nowNanos));
        return entry.program();
    }

    /** Keeps a program, whose hash was compared with its bytes. */
    public synchronized void keep(ProgramHash hash, KeptProgram program, long nowNanos) {
        expire(nowNanos);
        Entry entry = new Entry(program, program.bytes(), nowNanos);
        Entry former = entries.remove(hash);
        bytes += entry.bytes() - (former == null ? 0 : former.bytes());
        entries.put(hash, entry);
        while (bytes > bytesMax && entries.size() > 1) {
            dropEldest();
        }
    }

    /** Drops the programs that were not used for {@link #IDLE_NANOS}. */
    public synchronized void expire(long nowNanos) {
        while (!entries.isEmpty()) {
            Entry eldest = entries.values().iterator().next();
            if (nowNanos - eldest.usedNanos() < IDLE_NANOS) {
                return;
            }
            dropEldest();
        }
    }

    private void dropEldest() {
        Iterator<Entry> each = entries.values().iterator();
        bytes -= each.next().bytes();
        each.remove();
    }

    /** Bytes of the programs that are kept. */
    public synchronized long bytes() {
        return bytes;
    }

    /** Number of the programs that are kept. */
    public synchronized int size() {
        return entries.size();
    }
}
