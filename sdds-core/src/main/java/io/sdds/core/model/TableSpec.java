package io.sdds.core.model;

import io.sdds.core.protocol.Limits;
import io.sdds.core.row.Schema;
import io.sdds.core.row.SchemaChange;
import io.sdds.core.row.SchemaText;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The options of a table. This class alone says which options there are, what their defaults are, and which values are
 * allowed; {@link io.sdds.core.protocol.RecordCodec} encodes them in this order.
 *
 * @param split when and how partitions split
 * @param capacityRecords records that a partition is meant to hold (V), 0 when only bytes count
 * @param capacityBytes bytes of records that a partition is meant to hold, 0 when only records count; the limit that is
 *     reached first counts
 * @param ttlMillis time to live of a record whose writer names none; 0: the record does not expire
 * @param replicas members that each partition's replica group is meant to have, 1 to {@link #REPLICAS_MAX}; changed by
 *     {@link io.sdds.core.control.ControlMessage.AlterReplicas}
 * @param minCopies writes are refused while a group has fewer members
 * @param firstPartitions number of partitions at the creation; the table never has fewer
 * @param routing how clients find the partition of a key in a range table, unless their settings name another way
 * @param parity the parity groups of the partitions, or {@link Parity#NONE}. A table with parity has one replica, but
 *     for a table that is being converted. The number of parities changes by
 *     {@link io.sdds.core.control.ControlMessage.AlterParity}; then each group has as many {@link ParityMembers}, of
 *     which new ones are missing at first
 * @param schema the columns of the table, or {@link Schema#NONE}. Bricks do not read it: they tell it to clients. It
 *     changes by {@link io.sdds.core.control.ControlMessage.AlterSchema}
 */
public record TableSpec(
        TableKind kind,
        SplitPolicy split,
        long capacityRecords,
        long capacityBytes,
        long ttlMillis,
        int replicas,
        int minCopies,
        int firstPartitions,
        Routing routing,
        Parity parity,
        Schema schema) {

    /** Most members of a replica group. */
    public static final int REPLICAS_MAX = 5;

    /** Most partitions that a table may be created with. */
    public static final int PARTITIONS_FIRST_MAX = 512;

    private static final long CAPACITY_BYTES_DEFAULT = 64L << 20;

    /** A builder that begins with the defaults: one copy of each partition, partitions of 64 MiB. */
    public static Builder of(TableKind kind) {
        return new Builder(kind);
    }

    /** A builder that begins with these options. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** The first fault of the options; null if a table can be created with them. */
    public @Nullable String fault() {
        String fault = faultOfAnyKind();
        return fault == null ? faultOfKind() : fault;
    }

    /** The first fault of the options that tables of no kind can have; null if there is none. */
    public @Nullable String faultOfAnyKind() {
        return Stream.<Supplier<@Nullable String>>of(
                        this::capacityFault,
                        this::ttlFault,
                        split::fault,
                        () -> replicasFault(replicas, minCopies),
                        this::parityFault,
                        () -> parity.copiesFault(replicas, minCopies),
                        this::partitionsFault,
                        () -> SchemaChange.fault(schema))
                .flatMap(fault -> Stream.ofNullable(fault.get()))
                .findFirst()
                .orElse(null);
    }

    private @Nullable String capacityFault() {
        return capacityRecords >= 0 && capacityBytes >= 0 && (capacityRecords > 0 || capacityBytes > 0)
                ? null
                : "capacity of " + capacityRecords + " records and " + capacityBytes
                        + " bytes: one must be positive, none negative";
    }

    private @Nullable String ttlFault() {
        return ttlMillis >= 0 && ttlMillis <= Limits.TTL_MILLIS_MAX
                ? null
                : "time to live of " + ttlMillis + " ms: 0 to " + Limits.TTL_MILLIS_MAX;
    }

    /** The fault of a number of replicas, or null. */
    public static @Nullable String replicasFault(int replicas, int minCopies) {
        if (replicas < 1 || replicas > REPLICAS_MAX) {
            return replicas + " replicas: 1 to " + REPLICAS_MAX + " are allowed";
        }
        return minCopies < 1 || minCopies > replicas
                ? "at least " + minCopies + " copies of " + replicas + " replicas: 1 to " + replicas + " are allowed"
                : null;
    }

    private @Nullable String parityFault() {
        if (parity.isNone()) {
            return parity.minAsked() == Parity.MIN_BY_DEFAULT
                    ? null
                    : "writes with at least " + parity.minAsked() + " parities: the table has no parity";
        }
        return parity.auto() ? Parity.fault(parity.columns(), parity.parities()) : parity.fault();
    }

    private @Nullable String partitionsFault() {
        return firstPartitions >= 1 && firstPartitions <= PARTITIONS_FIRST_MAX
                ? null
                : firstPartitions + " partitions: 1 to " + PARTITIONS_FIRST_MAX + " are allowed";
    }

    private @Nullable String faultOfKind() {
        if (kind == TableKind.UNKNOWN || routing == Routing.UNKNOWN) {
            return "a kind of table or a routing that this version does not know";
        }
        if (kind == TableKind.HASH && routing != Routing.IMAGE) {
            return "a hash table is routed by image; multicast is of range tables";
        }
        return kind == TableKind.RANGE && firstPartitions > 1
                ? "a range table begins with one partition, not " + firstPartitions
                        + ", and splits where its records are"
                : null;
    }

    /** The options as text for logs and messages. */
    public String text() {
        return "capacity " + capacityRecords + " records, " + capacityBytes + " bytes; " + split + "; time to live "
                + ttlMillis + " ms; " + replicas + " replicas, at least " + minCopies + "; " + firstPartitions
                + " first partitions; routing " + routing
                + (parity.isNone() ? "" : "; parity " + parity.text() + ", at least " + parity.minParities())
                + (schema.exists() ? "; schema " + SchemaText.print(schema) : "");
    }

    /** Builds options. Each method returns the builder. {@link #build} checks nothing: see {@link TableSpec#fault}. */
    public static final class Builder {
        private TableKind kind;
        private SplitPolicy split = SplitPolicy.DEFAULT;
        private long capacityRecords;
        private long capacityBytes = CAPACITY_BYTES_DEFAULT;
        private long ttlMillis;
        private int replicas = 1;
        private int minCopies = 1;
        private int firstPartitions = 1;
        private Routing routing = Routing.IMAGE;
        private Parity parity = Parity.NONE;
        private Schema schema = Schema.NONE;

        private Builder(TableKind kind) {
            this.kind = kind;
        }

        private Builder(TableSpec from) {
            kind = from.kind;
            split = from.split;
            capacityRecords = from.capacityRecords;
            capacityBytes = from.capacityBytes;
            ttlMillis = from.ttlMillis;
            replicas = from.replicas;
            minCopies = from.minCopies;
            firstPartitions = from.firstPartitions;
            routing = from.routing;
            parity = from.parity;
            schema = from.schema;
        }

        public Builder kind(TableKind other) {
            kind = other;
            return this;
        }

        public Builder split(SplitPolicy policy) {
            split = policy;
            return this;
        }

        public Builder capacityRecords(long records) {
            capacityRecords = records;
            return this;
        }

        public Builder capacityBytes(long bytes) {
            capacityBytes = bytes;
            return this;
        }

        /** A capacity in records alone. */
        public Builder capacity(long records) {
            return capacityRecords(records).capacityBytes(0);
        }

        public Builder ttlMillis(long millis) {
            ttlMillis = millis;
            return this;
        }

        public Builder replicas(int copies) {
            replicas = copies;
            return this;
        }

        public Builder minCopies(int copies) {
            minCopies = copies;
            return this;
        }

        public Builder firstPartitions(int partitions) {
            firstPartitions = partitions;
            return this;
        }

        public Builder routing(Routing way) {
            routing = way;
            return this;
        }

        public Builder parity(Parity groups) {
            parity = groups;
            return this;
        }

        public Builder schema(Schema columns) {
            schema = columns;
            return this;
        }

        public TableSpec build() {
            return new TableSpec(
                    kind,
                    split,
                    capacityRecords,
                    capacityBytes,
                    ttlMillis,
                    replicas,
                    minCopies,
                    firstPartitions,
                    routing,
                    parity,
                    schema);
        }
    }
}
