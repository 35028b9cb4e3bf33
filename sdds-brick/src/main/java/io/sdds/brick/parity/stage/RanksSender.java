package io.sdds.brick.parity.stage;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.bucket.RankSpace;
import io.sdds.brick.group.Group;
import io.sdds.brick.group.GroupFrame;
import io.sdds.brick.group.Groups;
import io.sdds.brick.group.Replication;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.map.TableView;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.parity.decoding.Decoding;
import io.sdds.brick.parity.decoding.DecodingFrame;
import io.sdds.brick.parity.records.CodedRecord;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Request;
import io.sdds.core.model.ParityMembers;
import io.sdds.core.node.Link;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends a column's records of some ranks to the parity members that decode lost records of other columns. All of them
 * get the records as they are in one turn, over the links over which they get the column's log. So each parity member
 * can fold the column's log up to the seq that comes with the records, and no further.
 *
 * <p>A request for the records of a primary that is not settled in its epoch yet waits, because the epochs have changed
 * just before most decodings. The number of requests and the time that they wait are bounded.
 */
final class RanksSender {
    private static final int WAITING_MAX = 256;

    /** Lines of a record that are loaded ahead. */
    private static final int TOUCHED_LINES = 3;

    private final Groups groups;
    private final BrickMap map;

    /** The links of the answer that is being sent. */
    private final List<Link> links = new ArrayList<>();

    private List<Waiting> waiting = new ArrayList<>();

    /** A request for the records of a primary that can't answer yet. */
    private record Waiting(Partition partition, ByteBuf frame, long sinceNanos) {}

    RanksSender(Groups groups, BrickMap map) {
        this.groups = groups;
        this.map = map;
    }

    /**
     * Answers RANKS_WANTED, at once or when this brick is the settled primary of the column. A request that has waited
     * as long as a decoding may take is dropped, and the parity member decodes again.
     */
    void onWanted(Partition partition, ByteBuf frame, int index, int length) {
        DecodingFrame.Head head = DecodingFrame.Head.read(frame, index, length);
        DecodingFrame.need(head.count() * Integer.BYTES, index + head.end(), index + length);
        if (isReady(partition, frame, index)) {
            answer(partition, frame, index, length);
        } else if (partition.bucket().ranks().areGiven() && waiting.size() < WAITING_MAX) {
            ByteBuf copy = groups.env().allocate(length);
            copy.writeBytes(frame, index, length);
            waiting.add(new Waiting(partition, copy, groups.env().nowNanos()));
        }
    }

    /** At the end of a turn: answers the requests whose primaries are settled now. */
    void flush() {
        if (waiting.isEmpty()) {
            return;
        }
        List<Waiting> all = waiting;
        waiting = new ArrayList<>();
        long now = groups.env().nowNanos();
        for (Waiting one : all) {
            if (isReady(one.partition(), one.frame(), 0)) {
                answer(one.partition(), one.frame(), 0, one.frame().readableBytes());
            } else if (now - one.sinceNanos() < Decoding.PATIENCE_NANOS) {
                waiting.add(one);
                continue;
            }
            one.frame().release();
        }
    }

    /** The node ends. */
    void release() {
        waiting.forEach(one -> one.frame().release());
        waiting.clear();
    }

    private void answer(Partition partition, ByteBuf frame, int index, int length) {
        DecodingFrame.Head head = DecodingFrame.Head.read(frame, index, length);
        Replication log = partition.group().replicationIfAny();
        ParityMembers parities = parities(partition);
        RankSpace ranks = partition.bucket().ranks().space();
        if (log == null || ranks == null || parities == null) {
            return;
        }
        links.clear();
        for (int p = 0; p < parities.members().size(); p++) {
            Link link = (head.parities() & 1 << p) == 0
                    ? null
                    : groups.link(parities.members().get(p));
            if (link != null) {
                links.add(link);
                groups.touched(link);
            }
        }
        if (!links.isEmpty()) {
            Body body = new Body(partition, ranks, frame, index + head.end(), head.count());
            DecodingFrame.ranks(links, log, head, log.committed(), body);
        }
    }

    /**
     * Whether the primary is settled in the epoch of the request or in a later one. Parity members know a later epoch
     * before they get the records, because its first PREPARE comes over the same link.
     */
    private static boolean isReady(Partition partition, ByteBuf frame, int index) {
        Group group = partition.group();
        return group.isSettledLeader() && group.epoch() >= frame.getLongLE(index + GroupFrame.EPOCH);
    }

    private @Nullable ParityMembers parities(Partition partition) {
        TableView table = map.table(partition.table());
        return table == null ? null : table.paritiesOf(partition.number());
    }

    /** The coded records of the ranks of a frame. */
    private final class Body implements DecodingFrame.Body {
        private final RecordStore store = groups.store();
        private final int[] ranks;
        private final long[] references;
        private final int[] lengths;
        private MemorySegment memory = MemorySegment.NULL;

        /** Consumes the loaded bytes, so that the compiler does not remove the loads. */
        @SuppressWarnings("UnusedVariable")
        private final long touched;

        Body(Partition partition, RankSpace space, ByteBuf frame, int at, int count) {
            this.ranks = new int[count];
            this.references = new long[count];
            this.lengths = new int[count];
            long sum = 0;
            for (int k = 0; k < count; k++) {
                ranks[k] = frame.getIntLE(at + k * Integer.BYTES);
                references[k] = space.reference(ranks[k]);
                // Loads all records before the first is read, so that the waits for memory overlap.
                sum += references[k] == 0 ? 0 : store.slots().touch(references[k], TOUCHED_LINES);
            }
            touched = sum;
            for (int k = 0; k < count; k++) {
                lengths[k] = references[k] != 0
                        ? CodedRecord.length(store, references[k])
                        : partition.group().missing().isMissing(ranks[k]) ? DecodingFrame.MISSING : 0;
            }
        }

        @Override
        public void begin(ByteBuf out) {
            memory = Request.memoryOf(out);
        }

        @Override
        public int length(int k) {
            return lengths[k];
        }

        @Override
        public int rank(int k) {
            return ranks[k];
        }

        @Override
        public void write(int k, ByteBuf out) {
            int at = out.writerIndex();
            CodedRecord.write(store, references[k], memory, at);
            out.writerIndex(at + lengths[k]);
        }
    }
}
