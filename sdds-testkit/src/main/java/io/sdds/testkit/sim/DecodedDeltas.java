package io.sdds.testkit.sim;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The bodies of the entries that only tables with parity groups have. The class {@code Entry} of the brick has the
 * layout.
 */
final class DecodedDeltas {
    private DecodedDeltas() {}

    /** A record that a DROP removes. */
    record Dropped(long hash, int rank) {
        @Override
        public String toString() {
            return "rank " + rank + " (x" + Long.toHexString(hash) + ")";
        }
    }

    /** The change of a record, as a parity member gets it: the coded record before xor the coded record after. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Delta(int rank, byte[] bytes) {
        Delta withRank(int other) {
            return new Delta(other, bytes);
        }

        Delta withBytes(byte[] others) {
            return new Delta(rank, others);
        }

        @Override
        public String toString() {
            return "rank " + rank + " " + FrameText.bytes(bytes);
        }
    }

    /** The records of a DROP. */
    static List<Dropped> dropped(DecodedEntry drop) {
        ByteBuf in = Unpooled.wrappedBuffer(drop.body());
        List<Dropped> dropped = new ArrayList<>();
        while (in.isReadable()) {
            dropped.add(new Dropped(in.readLongLE(), in.readIntLE()));
        }
        return dropped;
    }

    /** A DROP with other records. */
    static DecodedEntry withDropped(DecodedEntry drop, List<Dropped> others) {
        ByteBuf out = Unpooled.buffer();
        others.forEach(record -> out.writeLongLE(record.hash()).writeIntLE(record.rank()));
        return drop.withBody(ByteBufUtil.getBytes(out));
    }

    /** The deltas of a DELTA or DELTA_REMOVE, which has one, or of a DELTA_DROP. None for other entries. */
    static List<Delta> deltas(DecodedEntry entry) {
        ByteBuf in = Unpooled.wrappedBuffer(entry.body());
        List<Delta> deltas = new ArrayList<>();
        if (isOfOneRecord(entry.kind())) {
            deltas.add(new Delta(in.readIntLE(), bytes(in, in.readableBytes())));
        } else if (entry.kind() == DecodedEntry.DELTA_DROP) {
            while (in.isReadable()) {
                deltas.add(new Delta(in.readIntLE(), bytes(in, in.readIntLE())));
            }
        }
        return deltas;
    }

    /** An entry of a parity member's log with other deltas: one, or any number of them in a DELTA_DROP. */
    static DecodedEntry withDeltas(DecodedEntry entry, List<Delta> others) {
        ByteBuf out = Unpooled.buffer();
        for (Delta delta : others) {
            out.writeIntLE(delta.rank());
            if (!isOfOneRecord(entry.kind())) {
                out.writeIntLE(delta.bytes().length);
            }
            out.writeBytes(delta.bytes());
        }
        return entry.withBody(ByteBufUtil.getBytes(out));
    }

    /** Whether only the log of a parity member has such entries. */
    static boolean areIn(byte kind) {
        return isOfOneRecord(kind) || kind == DecodedEntry.DELTA_DROP;
    }

    private static boolean isOfOneRecord(byte kind) {
        return kind == DecodedEntry.DELTA || kind == DecodedEntry.DELTA_REMOVE;
    }

    private static byte[] bytes(ByteBuf in, int length) {
        byte[] bytes = new byte[length];
        in.readBytes(bytes);
        return bytes;
    }

    /** The body of a DROP, DELTA, DELTA_REMOVE or DELTA_DROP as text. */
    static String text(DecodedEntry entry) {
        List<?> parts = entry.kind() == DecodedEntry.DROP ? dropped(entry) : deltas(entry);
        return parts.stream().map(Object::toString).collect(Collectors.joining(", "));
    }
}
