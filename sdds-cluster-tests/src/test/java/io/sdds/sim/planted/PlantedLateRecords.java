package io.sdds.sim.planted;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.bucket.Bucket;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SegmentHash;
import io.sdds.brick.parity.records.CodedRecord;
import io.sdds.brick.partition.Partition;
import io.sdds.core.protocol.Opcode;
import io.sdds.sim.cluster.Replicas;
import io.sdds.sim.cluster.SimBrick;
import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.frame.GroupHeader;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.SimNetwork;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/** Puts decoded records into the buckets of spares once more, a while after they have come. */
final class PlantedLateRecords implements SimNetwork.FrameWatch {
    private static final int FLAG_RECORDS = 1;
    private static final int COUNT = 36;
    private static final int RANKS = 40;
    private static final long LATE_NANOS_MAX = 2_000_000_000L;

    private final SimCluster cluster;
    private final SplittableRandom random;

    PlantedLateRecords(SimCluster cluster) {
        this.cluster = cluster;
        this.random = cluster.simulation().fork("late records");
    }

    @Override
    public void onFrame(long connection, SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        if (frame.getByte(index + 4) != Opcode.COLUMN
                || frame.getByte(index + 5) != FLAG_RECORDS
                || !ClusterPlan.isBrick(from.name())
                || frame.getIntLE(index) != length) {
            return;
        }
        GroupHeader header = GroupHeader.read(frame, index);
        int at = index + RANKS;
        for (int k = frame.getIntLE(index + COUNT); k > 0; k--) {
            byte[] coded = new byte[frame.getIntLE(at + Integer.BYTES)];
            at += 2 * Integer.BYTES;
            frame.getBytes(at, coded);
            at += coded.length;
            if (coded.length > 0) {
                cluster.simulation().after(random.nextLong(LATE_NANOS_MAX), () -> comesLate(to, header, coded));
            }
        }
    }

    private void comesLate(SimEnv to, GroupHeader header, byte[] coded) {
        for (SimBrick brick : cluster.bricks()) {
            Partition partition =
                    brick.name().equals(to.name()) ? Replicas.held(brick, header.table(), header.partition()) : null;
            if (partition != null && !to.isStopped()) {
                replace(partition, brick.store(partition), MemorySegment.ofArray(coded));
            }
        }
    }

    /** A record with the same key that was written since is replaced. */
    private void replace(Partition partition, RecordStore store, MemorySegment coded) {
        long key = CodedRecord.keyOffset(coded, 0);
        int keyLength = CodedRecord.keyLength(coded, 0);
        long hash = SegmentHash.hash(coded, key, keyLength);
        Bucket bucket = partition.bucket();
        long now = bucket.findAny(hash, coded, key, keyLength);
        if (now == 0 || store.version(now) == CodedRecord.version(coded, 0)) {
            return;
        }
        bucket.put(
                hash,
                coded,
                key,
                keyLength,
                coded,
                CodedRecord.valueOffset(coded, 0),
                CodedRecord.valueLength(coded, 0),
                CodedRecord.version(coded, 0),
                CodedRecord.expiry(coded, 0),
                false);
        cluster.simulation().tampering().happened(() -> "an old record replaces a new one in " + partition);
    }
}
