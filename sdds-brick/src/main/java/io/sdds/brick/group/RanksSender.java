package io.sdds.brick.group;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.bucket.RankSpace;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.map.TableView;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.parity.CodedRecord;
import io.sdds.brick.partition.Partition;
import io.sdds.core.model.ParityMembers;
import io.sdds.core.node.Link;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Sends a column's records of some ranks to the parity members that decode lost records of other columns. All of them
 * get the records as they are in one turn, over the links over which they get the column's log. So each parity member
 * can fold the column's log up to the seq that comes with the records, and no further.
 */
final class RanksSender {
    private final Groups groups;
    private final BrickMap map;

    RanksSender(Groups groups, BrickMap map) {
        this.groups = groups;
        this.map = map;
    }

    /**
     * Answers RANKS_WANTED, if this brick leads the column. Otherwise the frame is dropped, and the sender asks again.
     */
    void onWanted(Partition partition, ByteBuf frame, int index, int length) {
        DecodingFrame.Head head = DecodingFrame.Head.read(frame, index, length);
        Replication log = partition.group().replicationIfAny();
        ParityMembers parities = parities(partition);
        RankSpace ranks = partition.bucket().ranks();
        if (log == null || ranks == null || parities == null || !isReady(partition, frame, index)) {
            return;
        }
        int at = index + head.end();
        DecodingFrame.need(head.count() * Integer.BYTES, at, index + length);
        Body body = new Body(partition, ranks, frame, at, head.count());
        for (int p = 0; p < parities.members().size(); p++) {
            Link link = (head.parities() & 1 << p) == 0
                    ? null
                    : groups.link(parities.members().get(p));
            if (link != null) {
                DecodingFrame.ranks(link, log, head, log.committed(), body);
                groups.touched(link);
            }
        }
    }

    private static boolean isReady(Partition partition, ByteBuf frame, int index) {
        Group group = partition.group();
        return group.isSettledLeader() && group.epoch() == frame.getLongLE(index + GroupFrame.EPOCH);
    }

    private @Nullable ParityMembers parities(Partition partition) {
        TableView table = map.table(partition.table());
        return table == null ? null : table.paritiesOf(partition.number());
    }

    /** The coded records of the ranks of a frame. */
    private final class Body implements DecodingFrame.Body {
        private final RankSpace space;
        private final RecordStore store = groups.store();
        private final int[] ranks;
        private final int[] lengths;

        Body(Partition partition, RankSpace space, ByteBuf frame, int at, int count) {
            this.space = space;
            this.ranks = new int[count];
            this.lengths = new int[count];
            for (int k = 0; k < count; k++) {
                ranks[k] = frame.getIntLE(at + k * Integer.BYTES);
                long ref = space.reference(ranks[k]);
                lengths[k] = ref != 0
                        ? CodedRecord.length(store, ref)
                        : partition.group().lacks(ranks[k]) ? DecodingFrame.MISSING : 0;
            }
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
            byte[] coded = new byte[lengths[k]];
            CodedRecord.write(store, space.reference(ranks[k]), MemorySegment.ofArray(coded), 0);
            out.writeBytes(coded);
        }
    }
}
