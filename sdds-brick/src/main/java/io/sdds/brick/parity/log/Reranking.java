package io.sdds.brick.parity.log;

import io.sdds.brick.bucket.RankSpace;
import io.sdds.brick.group.Group;
import io.sdds.brick.group.Groups;
import io.sdds.brick.group.Replication;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.partition.RerankList;

/**
 * Chooses, at the primary of a column, which records move from the highest ranks into the lowest holes. A hole costs
 * the parity members nearly as much as a record, because other columns have records at its rank (docs/design/parity.md,
 * "Holes").
 */
final class Reranking {
    private final Groups groups;
    private final Replication replication;
    private final RankSpace ranks;

    /** The last RERANK. */
    private long last;

    Reranking(Groups groups, Replication replication, RankSpace ranks) {
        this.groups = groups;
        this.replication = replication;
        this.ranks = ranks;
    }

    /**
     * Whether records should move now. They do not while the column lacks records or is copied or handed over, while
     * the last RERANK is uncommitted, and while writes need the room of the log.
     */
    boolean isDue() {
        Group group = replication.group();
        return ranks.isSparse()
                && !group.isFilling()
                && group.partition().mover() == null
                && replication.committed() >= Math.min(last, replication.last())
                && replication.room().hasForList();
    }

    /**
     * The records that move by the next entry, each with a rank that is allocated for it. A record with an uncommitted
     * entry stays, because that entry names its rank. A record that is longer than a list moves alone, while little is
     * uncommitted and all members have memory, as a long record is put.
     */
    RerankList list() {
        RerankList moved = groups.rerankList();
        moved.begin(replication.room().listBytesMax());
        RecordStore store = groups.store();
        int from = ranks.highestBelow(ranks.top());
        while (!moved.isFull() && ranks.holes() > 0 && ranks.lowestHole() < from) {
            long ref = ranks.reference(from);
            if (ref != 0 && replication.uncommitted().lastOf(store.hash(ref)) == 0) {
                if (!moved.fits(store, ref) || moved.isLong(store, ref) && !takesLong(store.contentLength(ref))) {
                    break;
                }
                moved.add(store, ref, ranks.allocate(false));
            }
            from = ranks.highestBelow(from);
        }
        last = moved.isEmpty() ? last : replication.last() + 1;
        return moved;
    }

    private boolean takesLong(int bytes) {
        return replication.room().hasForBackground(bytes)
                && replication.leader().haveMemory();
    }
}
