package io.sdds.sim.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;

/**
 * A PREPARE frame: entries that the primary of a group sends to a backup. The class {@code GroupFrame} of the brick has
 * the layout.
 *
 * @param first seq of the first entry
 * @param start seq of the primary's last entry when the epoch began
 * @param committed entries up to this seq are committed
 * @param stable all members know that the entries up to this seq are committed
 */
public record DecodedPrepare(
        GroupHeader header, long first, long start, long committed, long stable, List<DecodedEntry> entries) {
    private static final int FIRST = 24;
    private static final int START = 32;
    private static final int COMMITTED = 40;
    private static final int STABLE = 48;
    private static final int ENTRIES = 56;

    public DecodedPrepare {
        entries = List.copyOf(entries);
    }

    /**
     * Decodes a whole frame.
     *
     * @throws IllegalArgumentException when the lengths of its entries do not add up
     */
    public static DecodedPrepare read(ByteBuf frame, int index, int length) {
        int end = index + length;
        List<DecodedEntry> entries = new ArrayList<>();
        for (int at = index + ENTRIES; at < end; ) {
            DecodedEntry entry = DecodedEntry.read(frame, at, end);
            entries.add(entry);
            at += entry.length();
        }
        return new DecodedPrepare(
                GroupHeader.read(frame, index),
                frame.getLongLE(index + FIRST),
                frame.getLongLE(index + START),
                frame.getLongLE(index + COMMITTED),
                frame.getLongLE(index + STABLE),
                entries);
    }

    /** Kinds and epochs of the entries that begin in a frame, the end of which may come in later fragments. */
    public static List<DecodedEntry.Head> heads(ByteBuf frame, int index, int length) {
        List<DecodedEntry.Head> heads = new ArrayList<>();
        int end = index + length - DecodedEntry.Head.BYTES;
        for (int at = index + ENTRIES; at <= end; at += DecodedEntry.lengthAt(frame, at)) {
            heads.add(DecodedEntry.Head.read(frame, at));
        }
        return heads;
    }

    /** The frame with these fields. */
    public ByteBuf frame() {
        int length = ENTRIES + entries.stream().mapToInt(DecodedEntry::length).sum();
        ByteBuf out = Unpooled.buffer(length);
        header.write(out, length);
        out.writeLongLE(first).writeLongLE(start).writeLongLE(committed).writeLongLE(stable);
        entries.forEach(entry -> entry.write(out));
        return out;
    }

    public DecodedPrepare withCommitted(long other) {
        return new DecodedPrepare(header, first, start, other, stable, entries);
    }

    public DecodedPrepare withEntries(List<DecodedEntry> others) {
        return new DecodedPrepare(header, first, start, committed, stable, others);
    }

    /** One line: the header, the numbers, and each entry with its seq. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("PREPARE ").append(header);
        text.append(" start ").append(start);
        text.append(" committed ").append(committed).append(" stable ").append(stable);
        for (int k = 0; k < entries.size(); k++) {
            text.append(k == 0 ? ": " : "; ").append(first + k).append(' ').append(entries.get(k));
        }
        return text.toString();
    }
}
