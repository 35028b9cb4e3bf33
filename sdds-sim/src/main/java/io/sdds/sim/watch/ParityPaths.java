package io.sdds.sim.watch;

import io.netty.buffer.ByteBuf;
import io.sdds.core.protocol.Opcode;
import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.frame.DecodedDeltas;
import io.sdds.sim.frame.DecodedEntry;
import io.sdds.sim.frame.DecodedPrepare;
import io.sdds.sim.frame.DecodedVote;
import io.sdds.sim.frame.GroupHeader;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.world.Coverage;
import io.sdds.sim.world.RareEvent;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.SimNetwork;
import java.util.Map;
import java.util.TreeMap;

/** Counts the rare events of tables with parity groups, as the frames on the wire tell them. */
public final class ParityPaths implements SimNetwork.FrameWatch {
    private final Coverage coverage;

    /** By partition and rank: the last entry about the rank's record. */
    private final Map<String, Last> last = new TreeMap<>();

    /**
     * An entry about the record of a rank.
     *
     * @param removes whether the record is removed, so that the rank is free
     * @param deltaBytes length of the delta
     */
    private record Last(long seq, boolean removes, int deltaBytes) {}

    public ParityPaths(SimCluster cluster) {
        this.coverage = cluster.simulation().coverage();
    }

    @Override
    public void onFrame(long connection, SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        byte opcode = frame.getByte(index + 4);
        if (length != frame.getIntLE(index) || !ClusterPlan.isBrick(from.name())) {
            return; // the beginning of a message in fragments, or nonsense
        }
        if (opcode == Opcode.PREPARE && GroupHeader.read(frame, index).columns() > 0) {
            prepare(DecodedPrepare.read(frame, index, length));
        } else if (opcode == Opcode.VOTE && last.size() > 0) {
            if (DecodedVote.read(frame, index, length).isStuck()) {
                coverage.hit(RareEvent.PARITY_STUCK);
            }
        }
    }

    private void prepare(DecodedPrepare prepare) {
        String partition = prepare.header().table() + "/" + prepare.header().partition() + "/";
        long seq = prepare.first();
        for (DecodedEntry entry : prepare.entries()) {
            if (entry.kind() == DecodedEntry.DELTA_DROP) {
                coverage.hit(entry.session() == 0 ? RareEvent.PARITY_SWEPT : RareEvent.PARITY_CLEARED);
            } else if (entry.kind() == DecodedEntry.DELTA_RERANK) {
                coverage.hit(RareEvent.RANKS_DENSIFIED);
            }
            deltas(partition, seq, entry);
            seq++;
        }
    }

    private void deltas(String partition, long seq, DecodedEntry entry) {
        boolean reranks = entry.kind() == DecodedEntry.DELTA_RERANK;
        boolean enters = entry.kind() == DecodedEntry.DELTA;
        for (DecodedDeltas.Delta delta : DecodedDeltas.deltas(entry)) {
            delta(partition + delta.rank(), new Last(seq, !enters, delta.bytes().length));
            enters ^= reranks; // the record leaves one rank, and enters another
        }
    }

    /** A delta is as long as the longer one of the records before and after. */
    private void delta(String rank, Last now) {
        Last before = last.get(rank);
        if (before != null && now.seq() <= before.seq()) {
            return; // sent again, or to another parity
        }
        last.put(rank, now);
        if (before != null && before.removes()) {
            coverage.hit(RareEvent.RANK_REUSED);
        } else if (before != null && now.deltaBytes() != before.deltaBytes()) {
            coverage.hit(now.deltaBytes() > before.deltaBytes() ? RareEvent.RECORD_GROWN : RareEvent.RECORD_SHRUNK);
        }
    }
}
