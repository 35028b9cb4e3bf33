package io.sdds.sim.world;

import io.netty.buffer.ByteBuf;
import io.sdds.sim.frame.FrameText;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Supplier;

/** Trace of a run: always a hash of every delivery, and on request the last lines as text. */
public final class Trace {
    private final Simulation simulation;
    private final ArrayDeque<String> lines = new ArrayDeque<>();
    private int linesMax;
    private long hash = 0x5344_4453L;
    private long folded;

    Trace(Simulation simulation) {
        this.simulation = simulation;
    }

    /** Keeps so many last lines from now on. This does not change the run, only its speed. */
    public void keepLines(int most) {
        linesMax = most;
    }

    /** The last lines, oldest first. */
    public List<String> lines() {
        return List.copyOf(lines);
    }

    /** Hash of all deliveries so far, in their order. Two runs with the same hash are the same run. */
    public long hash() {
        return hash;
    }

    /** Number of deliveries in the hash. */
    public long folded() {
        return folded;
    }

    /** Adds a line. The line is formatted only if lines are kept. */
    public void line(Supplier<String> text) {
        if (linesMax > 0) {
            SimEnv running = simulation.running();
            long timeNanos = running == null ? simulation.nowNanos() : running.localNanos();
            lines.add(FrameText.time(timeNanos) + " " + text.get());
            if (lines.size() > linesMax) {
                lines.removeFirst();
            }
        }
    }

    /** Adds the numbers of a delivery to the hash. */
    void fold(long kind, long node, long what) {
        folded++;
        hash = mix(mix(hash, simulation.nowNanos()), kind << 56 ^ node << 40 ^ what);
    }

    /** Adds the bytes of a delivery to the hash. */
    void fold(ByteBuf bytes) {
        int at = bytes.readerIndex();
        int end = bytes.writerIndex();
        long value = hash;
        for (; at + Long.BYTES <= end; at += Long.BYTES) {
            value = (value ^ bytes.getLongLE(at)) * 0x9E37_79B9_7F4A_7C15L;
            value ^= value >>> 29;
        }
        for (; at < end; at++) {
            value = (value ^ bytes.getByte(at)) * 0x9E37_79B9_7F4A_7C15L;
        }
        hash = mix(value, end);
    }

    public static long mix(long a, long b) {
        long z = (a ^ Long.rotateLeft(b, 31) * 0xBF58_476D_1CE4_E5B9L) + 0x9E37_79B9_7F4A_7C15L;
        z = (z ^ z >>> 30) * 0xBF58_476D_1CE4_E5B9L;
        z = (z ^ z >>> 27) * 0x94D0_49BB_1331_11EBL;
        return z ^ z >>> 31;
    }

    public static long hashOf(String text) {
        long value = text.length();
        for (int k = 0; k < text.length(); k++) {
            value = mix(value, text.charAt(k));
        }
        return value;
    }
}
