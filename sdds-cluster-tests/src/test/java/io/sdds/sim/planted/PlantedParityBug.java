package io.sdds.sim.planted;

import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.parity.records.CodedRecord;
import io.sdds.coordinator.state.ClusterState;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.Place.Member;
import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.frame.DecodedDeltas;
import io.sdds.sim.frame.DecodedDeltas.Delta;
import io.sdds.sim.frame.DecodedDeltas.Reranked;
import io.sdds.sim.frame.DecodedEntry;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.planted.DeltaEdits.Before;
import io.sdds.sim.planted.DeltaEdits.Receiver;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Known-bad variants of the nodes that only tables with parity groups can show. */
enum PlantedParityBug implements Planted {
    /** A primary computes a delta against its bucket, though an uncommitted entry has changed the record. */
    DELTA_AGAINST_THE_BUCKET(1) {
        @Override
        DecodedEntry edited(DecodedEntry entry, Before before, Receiver to) {
            if (entry.kind() != DecodedEntry.DELTA) {
                return entry;
            }
            Delta delta = DecodedDeltas.deltas(entry).getFirst();
            byte[] after = DeltaEdits.sum(before.latest(), delta.bytes());
            return with(entry, delta.withBytes(DeltaEdits.sum(before.committed(), after)));
        }
    },

    /** A put over a record that has expired, and has not been dropped yet, takes another rank. */
    NEW_RANK_OVER_AN_EXPIRED_RECORD(3) {
        @Override
        DecodedEntry edited(DecodedEntry entry, Before before, Receiver to) {
            if (entry.kind() != DecodedEntry.DELTA || !hasExpired(before.latest(), entry.timeNanos())) {
                return entry;
            }
            Delta delta = DecodedDeltas.deltas(entry).getFirst();
            byte[] after = DeltaEdits.sum(before.latest(), delta.bytes());
            return with(entry, new Delta(delta.rank() + FAR, after));
        }
    },

    /** A parity does not clear the bytes by which a field grows. */
    GROWN_FIELD_NOT_CLEARED(1) {
        @Override
        DecodedEntry edited(DecodedEntry entry, Before before, Receiver to) {
            if (entry.kind() != DecodedEntry.DELTA || before.latest().length == 0) {
                return entry;
            }
            Delta delta = DecodedDeltas.deltas(entry).getFirst();
            byte[] bytes = delta.bytes().clone();
            for (int k = before.latest().length; k < bytes.length; k++) {
                bytes[k] ^= LEFT_BEHIND;
            }
            return with(entry, delta.withBytes(bytes));
        }
    },

    /** A parity does not keep the results of its columns. */
    RESULTS_NOT_KEPT_AT_A_PARITY(1) {
        @Override
        DecodedEntry edited(DecodedEntry entry, Before before, Receiver to) {
            return entry.withSession(0);
        }

        @Override
        public String complaint() {
            return "keeps different results of session";
        }
    },

    /** A parity does not keep the logical time of its columns. */
    TIME_NOT_KEPT_AT_A_PARITY(3) {
        @Override
        DecodedEntry edited(DecodedEntry entry, Before before, Receiver to) {
            return entry.withTimeNanos(0);
        }

        @Override
        public String complaint() {
            return "has different logical times";
        }
    },

    /** A parity folds the deltas of a column with the coefficient of the next column. */
    COEFFICIENT_OF_ANOTHER_COLUMN(2) {
        @Override
        DecodedEntry edited(DecodedEntry entry, Before before, Receiver to) {
            throw new UnsupportedOperationException(this + " needs the map");
        }

        @Override
        public void plant(SimCluster cluster) {
            cluster.simulation()
                    .network()
                    .filter(new DeltaEdits((entry, before, to) -> multiplied(cluster, entry, to)));
        }

        /** The coefficient of column c at parity p is 2 to the power of p times c. */
        private DecodedEntry multiplied(SimCluster cluster, DecodedEntry entry, Receiver to) {
            List<Delta> deltas = DecodedDeltas.deltas(entry);
            for (int times = index(cluster, to); times > 0; times--) {
                deltas = deltas.stream()
                        .map(delta -> delta.withBytes(twice(delta.bytes())))
                        .toList();
            }
            return deltas.isEmpty() ? entry : DecodedDeltas.withDeltas(entry, deltas);
        }
    },

    /** A primary tells the parities nothing of the records that it drops. */
    DROP_WITHOUT_DELTAS(1) {
        @Override
        DecodedEntry edited(DecodedEntry entry, Before before, Receiver to) {
            return entry.kind() == DecodedEntry.DELTA_DROP ? entry.asNothing() : entry;
        }
    },

    /** A parity keeps the fingerprint of a record at the rank that the record leaves. */
    OLD_FINGERPRINT_AFTER_A_RERANK(13) {
        @Override
        DecodedEntry edited(DecodedEntry entry, Before before, Receiver to) {
            return entry.kind() == DecodedEntry.DELTA_RERANK ? withOldFingerprints(entry) : entry;
        }

        /** Behind each record a record without bytes puts the fingerprint back. */
        private DecodedEntry withOldFingerprints(DecodedEntry entry) {
            List<Reranked> records = DecodedDeltas.reranked(entry).stream()
                    .flatMap(record -> Stream.of(
                            record, new Reranked(record.rank(), record.rank(), record.fingerprint(), new byte[0])))
                    .toList();
            return DecodedDeltas.withReranked(entry, records);
        }
    },

    /** A primary tells the parities nothing of the records that it moves into holes. */
    RERANK_WITHOUT_DELTAS(1) {
        @Override
        DecodedEntry edited(DecodedEntry entry, Before before, Receiver to) {
            return entry.kind() == DecodedEntry.DELTA_RERANK ? entry.asNothing() : entry;
        }
    },

    /** A parity skips some entries, and votes for them. */
    DELTA_SKIPPED(1) {
        @Override
        DecodedEntry edited(DecodedEntry entry, Before before, Receiver to) {
            throw new UnsupportedOperationException(this + " needs chance");
        }

        @Override
        public void plant(SimCluster cluster) {
            SplittableRandom random = cluster.simulation().fork("planted bug");
            cluster.simulation()
                    .network()
                    .filter(new DeltaEdits(
                            (entry, before, to) -> entry.kind() == DecodedEntry.DELTA && random.nextInt(SOME) == 0
                                    ? entry.asNothing()
                                    : entry));
        }
    },

    /** Two records are moved in memory, and the references of their ranks are not set right. */
    REFERENCES_STALE_AFTER_A_MOVE(1) {
        @Override
        DecodedEntry edited(DecodedEntry entry, Before before, Receiver to) {
            throw new UnsupportedOperationException(this + " is no edit");
        }

        @Override
        public void plant(SimCluster cluster) {
            new PlantedRanks(cluster).await();
        }
    };

    private static final int FAR = 1000;
    private static final int SOME = 50;
    private static final byte LEFT_BEHIND = 0x5a;
    private static final int REDUCTION = 0x1d;

    private final long firstSeed;

    PlantedParityBug(long firstSeed) {
        this.firstSeed = firstSeed;
    }

    @Override
    public long firstSeed() {
        return firstSeed;
    }

    @Override
    public Scenario scenario() {
        return Scenario.PARITY;
    }

    @Override
    public ClusterPlan.Severity severity() {
        return ClusterPlan.Severity.ROUGH;
    }

    /** The entry that a parity gets in place of another. */
    abstract DecodedEntry edited(DecodedEntry entry, Before before, Receiver to);

    @Override
    public void plant(SimCluster cluster) {
        cluster.simulation().network().filter(new DeltaEdits(this::edited));
    }

    private static DecodedEntry with(DecodedEntry entry, Delta delta) {
        return DecodedDeltas.withDeltas(entry, List.of(delta));
    }

    private static boolean hasExpired(byte[] coded, long timeNanos) {
        if (coded.length == 0) {
            return false;
        }
        long expiry = CodedRecord.expiry(MemorySegment.ofArray(coded), 0);
        return expiry != RecordStore.NO_EXPIRY && expiry <= timeNanos;
    }

    /** The index of the parity at a brick; 0 if the map does not have it. */
    private static int index(SimCluster cluster, Receiver to) {
        ClusterState state = cluster.truth();
        BrickInfo info = state == null ? null : state.brick(to.brick().name());
        if (info == null) {
            return 0;
        }
        Member member = new Member(info.number(), info.incarnation());
        return Math.max(
                0, state.parities(to.table(), to.partition() / to.columns()).indexOf(member));
    }

    /** A field times 2, modulo the polynomial 0x11d. */
    private static byte[] twice(byte[] bytes) {
        byte[] twice = new byte[bytes.length];
        for (int k = 0; k < bytes.length; k++) {
            twice[k] = times(bytes[k], 1);
        }
        return twice;
    }

    /** A byte times 2 to a power, modulo the polynomial 0x11d. */
    static byte times(byte value, int power) {
        byte product = value;
        for (int k = 0; k < power; k++) {
            product = (byte) (product << 1 ^ (product < 0 ? REDUCTION : 0));
        }
        return product;
    }
}
