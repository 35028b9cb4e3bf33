package io.sdds.brick.parity.member;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.group.GroupFrame;
import io.sdds.brick.group.Groups;
import io.sdds.brick.parity.RecoveryCounters;
import io.sdds.brick.parity.decoding.Decoding;
import io.sdds.brick.parity.decoding.DecodingFrame;
import io.sdds.brick.parity.decoding.RankBytes;
import io.sdds.brick.partition.Request;
import io.sdds.core.node.Link;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The decodings in which one parity member takes part. */
public final class Decodings {
    private static final int DECODINGS_MAX = 256;
    private static final long PATIENCE_NANOS = 2_000_000_000L;

    private final Groups groups;
    private final ParityPartition parity;
    private final Decoder decoder;
    private final List<Decoding> underWay = new ArrayList<>();

    Decodings(Groups groups, ParityPartition parity, Decoder decoder) {
        this.groups = groups;
        this.parity = parity;
        this.decoder = decoder;
    }

    /** Takes the records of a column. Records that cannot be used are dropped; the leading member asks again. */
    public void onRanks(Column column, ByteBuf frame, int index, int length) {
        DecodingFrame.Head head = DecodingFrame.Head.read(frame, index, length);
        int at = index + head.end();
        DecodingFrame.need(Long.BYTES, at, index + length);
        long committed = frame.getLongLE(at);
        if (column.leads() || column.epoch() != frame.getLongLE(index + GroupFrame.EPOCH)) {
            return;
        }
        if (!column.foldTo(committed)) {
            groups.recoveryCounters().add(RecoveryCounters.Event.DECODING_REFUSED);
            forget(find(head));
            return;
        }
        Decoding decoding = find(head);
        if (decoding == null) {
            decoding = begin(head, ranks(head, frame, at + Long.BYTES, index + length));
        }
        if (decoding != null && !decoding.hasAnswered(column.index())) {
            decoding.answer(column.index(), frame, at + Long.BYTES, index + length);
            if (decoding.isComplete()) {
                end(decoding);
                forget(decoding);
            }
        }
    }

    /** Begins a decoding for which no column is asked, because the primaries of all columns are gone. */
    public void onWanted(ByteBuf frame, int index, int length) {
        DecodingFrame.Head head = DecodingFrame.Head.read(frame, index, length);
        int at = index + head.end();
        DecodingFrame.need(head.count() * Integer.BYTES, at, index + length);
        int[] ranks = new int[head.count()];
        Arrays.setAll(ranks, k -> frame.getIntLE(at + k * Integer.BYTES));
        alone(head, ranks);
    }

    /** As {@link #onWanted}, at the member that leads the decoding. */
    void alone(DecodingFrame.Head head, int[] ranks) {
        Decoding made = begin(head, ranks);
        if (made != null) {
            end(made);
            forget(made);
        }
    }

    private @Nullable Decoding find(DecodingFrame.Head head) {
        for (int k = 0; k < underWay.size(); k++) {
            DecodingFrame.Head other = underWay.get(k).head();
            if (other.id() == head.id() && other.lead().equals(head.lead())) {
                return underWay.get(k);
            }
        }
        return null;
    }

    private void forget(@Nullable Decoding decoding) {
        if (decoding != null && underWay.remove(decoding)) {
            groups.residues().giveBack(decoding.bytes());
        }
    }

    /** Begins with the first answer. The closed columns must be folded up to the same seq at all parity members. */
    private @Nullable Decoding begin(DecodingFrame.Head head, int[] ranks) {
        if (underWay.size() >= DECODINGS_MAX
                || head.closedSeqs().length != parity.columns().size()) {
            return null;
        }
        for (Column column : parity.columns()) {
            if (head.isClosed(column.index()) && !column.foldTo(head.closedSeqs()[column.index()])) {
                return null;
            }
        }
        if (!groups.residues().take(Decoding.bytes(parity.records(), ranks))) {
            return null;
        }
        Decoding made = new Decoding(
                head, groups.kernel(), parity.records(), ranks, groups.env().nowNanos());
        underWay.add(made);
        return made;
    }

    private static int[] ranks(DecodingFrame.Head head, ByteBuf frame, int at, int end) {
        int[] ranks = new int[head.count()];
        int next = at;
        for (int k = 0; k < ranks.length; k++) {
            DecodingFrame.need(2 * Integer.BYTES, next, end);
            ranks[k] = frame.getIntLE(next);
            next += 2 * Integer.BYTES + Math.max(0, frame.getIntLE(next + Integer.BYTES));
        }
        return ranks;
    }

    private void end(Decoding decoding) {
        DecodingFrame.Head head = decoding.head();
        if (head.lead().equals(groups.self())) {
            decoder.residues(parity.index(), decoding.missing(), head, decoding.residues());
            return;
        }
        Link link = groups.link(head.lead());
        if (link != null) {
            int first = parity.columns().get(0).number();
            Residues residues = new Residues(decoding);
            DecodingFrame.residues(link, parity.table(), first, head, parity.index(), decoding.missing(), residues);
            groups.touched(link);
        }
    }

    /** The residues of a decoding, as the body of a frame. */
    private static final class Residues implements DecodingFrame.Body {
        private final int[] ranks;
        private final RankBytes residues;
        private MemorySegment memory = MemorySegment.NULL;

        Residues(Decoding decoding) {
            this.ranks = decoding.ranks();
            this.residues = decoding.residues();
        }

        @Override
        public void begin(ByteBuf out) {
            memory = Request.memoryOf(out);
        }

        @Override
        public int length(int k) {
            return residues.length(k);
        }

        @Override
        public int rank(int k) {
            return ranks[k];
        }

        @Override
        public void write(int k, ByteBuf out) {
            int at = out.writerIndex();
            MemorySegment.copy(residues.memory(), residues.offset(k), memory, at, residues.length(k));
            out.writerIndex(at + residues.length(k));
        }
    }

    /** Takes a delta that has been folded into a parity record just now. */
    void folded(int column, int rank, MemorySegment delta, long offset, int length) {
        for (int k = 0; k < underWay.size(); k++) {
            underWay.get(k).folded(column, rank, delta, offset, length);
        }
    }

    /** Each 100 ms: forgets the decodings that have ended elsewhere. */
    void tick() {
        long now = groups.env().nowNanos();
        for (Decoding decoding : List.copyOf(underWay)) {
            if (now - decoding.startedNanos() > PATIENCE_NANOS) {
                forget(decoding);
            }
        }
    }

    void clear() {
        List.copyOf(underWay).forEach(this::forget);
    }
}
