package io.sdds.sim.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A SLICE frame: records that one partition sends to another, the removals and results since, and the SEAL. */
public record DecodedSlice(SliceHeader header, List<SliceEntry> entries) {
    private static final int ENTRIES_SHOWN_MAX = 8;

    public DecodedSlice {
        entries = List.copyOf(entries);
    }

    /**
     * Decodes a whole frame.
     *
     * @throws RuntimeException when the lengths of its entries do not add up
     */
    public static DecodedSlice read(ByteBuf frame, int index, int length) {
        ByteBuf in = frame.slice(index + SliceHeader.BYTES, length - SliceHeader.BYTES);
        List<SliceEntry> entries = new ArrayList<>();
        while (in.isReadable()) {
            entries.add(SliceEntry.read(in));
        }
        return new DecodedSlice(SliceHeader.read(frame, index), entries);
    }

    /**
     * Whether the last entry of the slice is a SEAL. The entries are not decoded. Of a slice that is longer than a
     * frame only the first piece is seen, which may end within an entry.
     */
    public static boolean isSealed(ByteBuf frame, int index, int length) {
        int seal = index + length - SliceEntry.Sealed.BYTES;
        int at = index + SliceHeader.BYTES;
        while (at < seal) {
            at += SliceEntry.lengthAt(frame, at);
        }
        return at == seal && frame.getByte(at) == SliceEntry.SEAL;
    }

    /** The frame with these fields. */
    public ByteBuf frame() {
        int length = SliceHeader.BYTES
                + entries.stream().mapToInt(SliceEntry::length).sum();
        ByteBuf out = Unpooled.buffer(length);
        header.write(out, length);
        entries.forEach(entry -> entry.write(out));
        return out;
    }

    public DecodedSlice withNumber(long other) {
        return new DecodedSlice(header.withNumber(other), entries);
    }

    public DecodedSlice withEntries(List<SliceEntry> others) {
        return new DecodedSlice(header, others);
    }

    /** The SEAL that the slice ends with; null: it ends with another entry, and so its copy is not complete. */
    public SliceEntry.@Nullable Sealed seal() {
        return !entries.isEmpty() && entries.getLast() instanceof SliceEntry.Sealed seal ? seal : null;
    }

    /** How many entries are of one of the kinds. */
    public long count(Class<? extends SliceEntry> kind) {
        return entries.stream().filter(kind::isInstance).count();
    }

    /** One line: the header, the numbers of entries by their kinds, and the first entries. */
    @Override
    public String toString() {
        int bytes = entries.stream().mapToInt(SliceEntry::length).sum();
        String more = entries.size() > ENTRIES_SHOWN_MAX ? "; …" : "";
        return "SLICE " + header + ", " + count(SliceEntry.Copied.class) + " records, "
                + count(SliceEntry.Removed.class) + " removals, " + count(SliceEntry.Kept.class) + " results, "
                + (seal() == null ? "" : "sealed, ") + bytes + " bytes: "
                + entries.stream()
                        .limit(ENTRIES_SHOWN_MAX)
                        .map(SliceEntry::toString)
                        .collect(Collectors.joining("; "))
                + more;
    }
}
