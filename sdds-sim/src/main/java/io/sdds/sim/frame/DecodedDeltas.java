package io.sdds.sim.frame;

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
public final class DecodedDeltas {
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
    public record Delta(int rank, byte[] bytes) {
        public Delta withBytes(byte[] others) {
            return new Delta(rank, others);
        }

        @Override
        public String toString() {
            return "rank " + rank + " " + FrameText.bytes(bytes);
        }
    }

    /** A record of a DELTA_RERANK, in coded form, which leaves its rank and enters the next one. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    public record Reranked(int rank, int next, int fingerprint, byte[] bytes) {
        @Override
        public String toString() {
            return "rank " + rank + " to " + next + " " + FrameText.bytes(bytes);
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

    /** The records of a DELTA_RERANK. */
    public static List<Reranked> reranked(DecodedEntry rerank) {
        ByteBuf in = Unpooled.wrappedBuffer(rerank.body());
        List<Reranked> records = new ArrayList<>();
        while (in.isReadable()) {
            records.add(new Reranked(in.readIntLE(), in.readIntLE(), in.readIntLE(), bytes(in, in.readIntLE())));
        }
        return records;
    }

    /** A DELTA_RERANK with other records. */
    public static DecodedEntry withReranked(DecodedEntry rerank, List<Reranked> others) {
        ByteBuf out = Unpooled.buffer();
        for (Reranked record : others) {
            out.writeIntLE(record.rank()).writeIntLE(record.next()).writeIntLE(record.fingerprint());
            out.writeIntLE(record.bytes().length).writeBytes(record.bytes());
        }
        return rerank.withBody(ByteBufUtil.getBytes(out));
    }

    /**
     * The deltas of a DELTA or DELTA_REMOVE, which has one, of a DELTA_DROP, or of a DELTA_RERANK, which has two for
     * each record: at the old rank, and at the next one. None for other entries.
     */
    public static List<Delta> deltas(DecodedEntry entry) {
        ByteBuf in = Unpooled.wrappedBuffer(entry.body());
        List<Delta> deltas = new ArrayList<>();
        if (isOfOneRecord(entry.kind())) {
            deltas.add(new Delta(in.readIntLE(), bytes(in, in.readableBytes())));
        } else if (entry.kind() == DecodedEntry.DELTA_DROP) {
            while (in.isReadable()) {
                deltas.add(new Delta(in.readIntLE(), bytes(in, in.readIntLE())));
            }
        } else if (entry.kind() == DecodedEntry.DELTA_RERANK) {
            for (Reranked record : reranked(entry)) {
                deltas.add(new Delta(record.rank(), record.bytes()));
                deltas.add(new Delta(record.next(), record.bytes()));
            }
        }
        return deltas;
    }

    /**
     * An entry of a parity member's log with other deltas: one, or any number of them in a DELTA_DROP. A DELTA_RERANK
     * keeps its number of deltas.
     */
    public static DecodedEntry withDeltas(DecodedEntry entry, List<Delta> others) {
        if (entry.kind() == DecodedEntry.DELTA_RERANK) {
            return withReranked(entry, rerankedWith(reranked(entry), others));
        }
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

    private static List<Reranked> rerankedWith(List<Reranked> records, List<Delta> deltas) {
        List<Reranked> others = new ArrayList<>();
        for (int k = 0; k < records.size(); k++) {
            Delta from = deltas.get(2 * k);
            int next = deltas.get(2 * k + 1).rank();
            others.add(new Reranked(from.rank(), next, records.get(k).fingerprint(), from.bytes()));
        }
        return others;
    }

    /** Whether only the log of a parity member has such entries. */
    static boolean areIn(byte kind) {
        return isOfOneRecord(kind) || kind == DecodedEntry.DELTA_DROP || kind == DecodedEntry.DELTA_RERANK;
    }

    private static boolean isOfOneRecord(byte kind) {
        return kind == DecodedEntry.DELTA || kind == DecodedEntry.DELTA_REMOVE;
    }

    private static byte[] bytes(ByteBuf in, int length) {
        byte[] bytes = new byte[length];
        in.readBytes(bytes);
        return bytes;
    }

    /** The body of a DROP, DELTA, DELTA_REMOVE, DELTA_DROP or DELTA_RERANK as text. */
    static String text(DecodedEntry entry) {
        List<?> parts = switch (entry.kind()) {
            case DecodedEntry.DROP -> dropped(entry);
            case DecodedEntry.DELTA_RERANK -> reranked(entry);
            default -> deltas(entry);
        };
        return parts.stream().map(Object::toString).collect(Collectors.joining(", "));
    }
}
