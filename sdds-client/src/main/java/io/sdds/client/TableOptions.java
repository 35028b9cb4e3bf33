package io.sdds.client;

import io.sdds.client.internal.TableContext;
import io.sdds.core.control.ControlMessage.CreateTable;
import io.sdds.core.model.Parity;
import io.sdds.core.model.Routing;
import io.sdds.core.model.Shipping;
import io.sdds.core.model.SplitControl;
import io.sdds.core.model.SplitPolicy;
import io.sdds.core.model.Splitting;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableSpec;
import io.sdds.core.row.Schema;
import io.sdds.core.row.SchemaText;
import java.time.Duration;

/**
 * The options of a table, given at its creation. Immutable.
 *
 * <pre>{@code
 * TableOptions options = TableOptions.builder()
 *         .replicas(3)
 *         .minCopies(2)
 *         .timeToLive(Duration.ofHours(1))
 *         .build();
 * TableOptions two = TableOptions.replicas(2); // the short factories for one option
 * TableOptions more = TableOptions.capacity(100_000).withReplicas(2); // the same options with one of them changed
 * }</pre>
 */
public final class TableOptions {
    private static final TableOptions DEFAULTS = new Builder().build();

    /** The options of a hash table. {@link #create} gives them the kind of the table. */
    private final TableSpec spec;

    private TableOptions(TableSpec spec) {
        this.spec = spec;
    }

    // ---- short factories

    /** One copy of each partition; partitions of 64 MiB, split dynamically. */
    public static TableOptions defaults() {
        return DEFAULTS;
    }

    /** As {@link #defaults}, with partitions that are meant to hold a number of records, however large they are. */
    public static TableOptions capacity(long records) {
        return builder().capacityRecords(records).capacityBytes(0).build();
    }

    /** As {@link #defaults}, with a number of copies of each partition. */
    public static TableOptions replicas(int copies) {
        return builder().replicas(copies).build();
    }

    /**
     * As {@link #defaults}, with parity groups: see {@link Builder#parity}.
     *
     * @throws IllegalArgumentException unless {@code dataColumns} is 2, 4, 8 or 16 and {@code parities} 1 to 4
     */
    public static TableOptions parity(int dataColumns, int parities) {
        return builder().parity(dataColumns, parities).build();
    }

    /** A builder that begins with {@link #defaults}. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that begins with these options. */
    public Builder toBuilder() {
        return new Builder(spec);
    }

    // ---- the options

    /** Records that a partition is meant to hold before it splits; 0: only bytes count. */
    public long capacityRecords() {
        return spec.capacityRecords();
    }

    /**
     * Bytes of records that a partition is meant to hold; 0: only records count. The limit that is reached first
     * counts.
     */
    public long capacityBytes() {
        return spec.capacityBytes();
    }

    /** When the partition whose turn it is splits, and how. All but {@link SplitPolicy#DEFAULT} is experimental. */
    public SplitPolicy split() {
        return spec.split();
    }

    /** The time to live of a record whose writer names none; {@link Duration#ZERO}: the record does not expire. */
    public Duration timeToLive() {
        return Duration.ofMillis(spec.ttlMillis());
    }

    /** Bricks that hold a copy of each partition. */
    public int replicas() {
        return spec.replicas();
    }

    /** Writes are refused while a partition has fewer copies. */
    public int minCopies() {
        return spec.minCopies();
    }

    /** Writes are refused while the parity group of a partition has fewer parities; 0 without parity. */
    public int minParities() {
        return spec.parity().minParities();
    }

    /** Partitions that the table begins with, and never has fewer. */
    public int partitions() {
        return spec.firstPartitions();
    }

    /**
     * How clients find the partition of a key in a range table, unless they are told otherwise; of a hash table
     * {@link Routing#IMAGE}.
     */
    public Routing routing() {
        return spec.routing();
    }

    /** The parity groups of the partitions; {@link Parity#NONE} for a table without parity. */
    public Parity parity() {
        return spec.parity();
    }

    /** The columns of the table; {@link Schema#NONE} for a table whose keys and values are bytes without types. */
    public Schema schema() {
        return spec.schema();
    }

    // ---- the same options with one of them changed

    /** These options with {@link Builder#capacityRecords} changed. */
    public TableOptions withCapacityRecords(long records) {
        return toBuilder().capacityRecords(records).build();
    }

    /** These options with {@link Builder#capacityBytes} changed. */
    public TableOptions withCapacityBytes(long bytes) {
        return toBuilder().capacityBytes(bytes).build();
    }

    /** These options with {@link Builder#timeToLive} changed. */
    public TableOptions withTimeToLive(Duration duration) {
        return toBuilder().timeToLive(duration).build();
    }

    /** These options with {@link Builder#replicas} changed; {@code minCopies} is lowered to it if it is higher. */
    public TableOptions withReplicas(int copies) {
        return toBuilder()
                .replicas(copies)
                .minCopies(Math.min(minCopies(), copies))
                .build();
    }

    /** These options with {@link Builder#minCopies} changed. */
    public TableOptions withMinCopies(int copies) {
        return toBuilder().minCopies(copies).build();
    }

    /** These options with {@link Builder#minParities} changed. */
    public TableOptions withMinParities(int parities) {
        return toBuilder().minParities(parities).build();
    }

    /** These options with {@link Builder#partitions} changed. */
    public TableOptions withPartitions(int first) {
        return toBuilder().partitions(first).build();
    }

    /** These options with {@link Builder#routing} changed. */
    public TableOptions withRouting(Routing way) {
        return toBuilder().routing(way).build();
    }

    /** These options with other parity groups, such as {@link Parity#auto}. */
    public TableOptions withParity(Parity groups) {
        return toBuilder().parity(groups).build();
    }

    /** These options with {@link Builder#parity} changed. */
    public TableOptions withParity(int dataColumns, int parities) {
        return toBuilder().parity(dataColumns, parities).build();
    }

    /** These options with {@link Builder#schema(String)} changed. */
    public TableOptions withSchema(String columns) {
        return toBuilder().schema(columns).build();
    }

    /** Experimental: these options with {@link Builder#split} changed. */
    public TableOptions withSplit(SplitPolicy policy) {
        return toBuilder().split(policy).build();
    }

    /** Experimental: these options with another split control. */
    public TableOptions withSplitControl(SplitControl control) {
        return withSplit(split().withControl(control));
    }

    /**
     * Experimental: these options with another {@link Splitting}, which tells what a partition serves while it splits.
     */
    public TableOptions withSplitting(Splitting splitting) {
        return withSplit(split().withSplitting(splitting));
    }

    /** Experimental: these options with another {@link Shipping} of the records of a split. */
    public TableOptions withShipping(Shipping shipping) {
        return withSplit(split().withShipping(shipping));
    }

    /**
     * Experimental: these options with another number of bytes in a message of bulk shipping.
     *
     * @throws IllegalArgumentException unless 1 to {@link SplitPolicy#SLICE_BYTES_MAX}
     */
    public TableOptions withSliceBytes(int bytes) {
        return withSplit(split().withSliceBytes(bytes));
    }

    /**
     * Experimental: these options with another number of splits of the table that may ship at the same time.
     *
     * @throws IllegalArgumentException unless 1 to {@link SplitPolicy#AT_ONCE_MAX}
     */
    public TableOptions withSplitsAtOnce(int splits) {
        return withSplit(split().withAtOnce(splits));
    }

    /** The control request that creates a table of these options. */
    CreateTable create(String name, TableKind kind) {
        Schema schema = schema();
        return new CreateTable(
                name,
                spec.toBuilder()
                        .kind(kind)
                        .firstPartitions(parity().firstPartitions(kind, partitions()))
                        .schema(schema.exists() ? Schema.of(schema.liveColumns()) : Schema.NONE)
                        .build());
    }

    /**
     * The options that a table was created with. A later version may have created the table with options that this
     * version does not know.
     */
    static TableOptions of(TableDefinition table) {
        return new TableOptions(table.spec().toBuilder().kind(TableKind.HASH).build());
    }

    /** Whether the other object has the same options. */
    @Override
    public boolean equals(Object other) {
        return other instanceof TableOptions options && spec.equals(options.spec);
    }

    /** A hash code that fits {@link #equals}. */
    @Override
    public int hashCode() {
        return spec.hashCode();
    }

    /** The options as text for logs and messages. */
    @Override
    public String toString() {
        return spec.text();
    }

    /** Builds options. Each method returns the builder; {@link #build} checks the values. */
    public static final class Builder {
        private final TableSpec.Builder spec;

        private Builder() {
            this.spec = TableSpec.of(TableKind.HASH);
        }

        private Builder(TableSpec from) {
            this.spec = from.toBuilder();
        }

        /** Records that a partition is meant to hold before it splits; 0, as by default: only bytes count. */
        public Builder capacityRecords(long records) {
            spec.capacityRecords(records);
            return this;
        }

        /**
         * Bytes of records that a partition is meant to hold, by default 64 MiB; 0: only records count. The limit
         * reached first counts.
         */
        public Builder capacityBytes(long bytes) {
            spec.capacityBytes(bytes);
            return this;
        }

        /** Experimental: when the partition whose turn it is splits, and how. */
        public Builder split(SplitPolicy policy) {
            spec.split(policy);
            return this;
        }

        /**
         * The time to live of a record whose writer names none, up to a hundred years; {@link Duration#ZERO}, as by
         * default: the record does not expire.
         */
        public Builder timeToLive(Duration duration) {
            spec.ttlMillis(TableContext.ttlMillis(duration));
            return this;
        }

        /**
         * Bricks that hold a copy of each partition, 1 (as by default) to {@link TableSpec#REPLICAS_MAX}; all of them
         * answer reads.
         */
        public Builder replicas(int copies) {
            spec.replicas(copies);
            return this;
        }

        /** Writes are refused while a partition has fewer copies; 1 (as by default) to the number of replicas. */
        public Builder minCopies(int copies) {
            spec.minCopies(copies);
            return this;
        }

        /**
         * Parity groups (LH*RS): each {@code dataColumns} partitions of the table form a group that has
         * {@code parities} parity partitions, all on different bricks, so that the cluster needs at least
         * {@code dataColumns + parities} bricks. 0 and 0, as by default: no parity. A table has parity or copies, so it
         * has one replica then.
         *
         * <p>The table survives the loss of any {@code parities} bricks. Reads of a lost partition are answered with
         * records that are decoded from the rest of the group. Writes to a lost partition wait until another brick has
         * taken the partition over.
         *
         * <p>A hash table with parity begins with full groups: its number of partitions is rounded up to a multiple of
         * {@code dataColumns}.
         *
         * @param dataColumns partitions of a group: 2, 4, 8 or 16
         * @param parities parity partitions of a group: 1 to {@link Parity#PARITIES_MAX}
         */
        public Builder parity(int dataColumns, int parities) {
            return parity(new Parity(dataColumns, parities));
        }

        /**
         * As {@link #parity(int, int)}. With {@link Parity#auto} the number of parities grows with the number of
         * partitions, so that the table stays available with about the same probability. It is never lowered by itself.
         */
        public Builder parity(Parity groups) {
            spec.parity(groups.orMinOf(spec.build().parity()));
            return this;
        }

        /**
         * Writes are refused while the parity group of a partition has fewer parities, until the missing ones are built
         * again. From 0 to the number of parities; by default 1, or 0 if each group has one parity.
         */
        public Builder minParities(int parities) {
            spec.parity(spec.build().parity().withMinParities(parities));
            return this;
        }

        /**
         * Partitions that a hash table begins with, and never has fewer, 1 (as by default) to
         * {@link TableSpec#PARTITIONS_FIRST_MAX}. A range table begins with one.
         */
        public Builder partitions(int first) {
            spec.firstPartitions(first);
            return this;
        }

        /**
         * How clients find the partition of a key in a range table, unless they are told otherwise; by default
         * {@link Routing#IMAGE}.
         */
        public Builder routing(Routing way) {
            spec.routing(way);
            return this;
        }

        /**
         * The columns of the table: {@code NAME TYPE [key] [not null] [default V], ...}, such as {@code "id bigint key,
         * name varchar(40) not null, born date default null"}. The key columns, in their order, make the key of a
         * record, the other columns its value. Types: boolean, integer, bigint, double, decimal(p,s), varchar,
         * varbinary, date, time, timestamp, uuid.
         *
         * @throws IllegalArgumentException that names the position, if the text is no schema
         */
        public Builder schema(String columns) {
            return schema(SchemaText.parse(columns));
        }

        /**
         * As {@link #schema(String)}. {@link Schema#NONE}, as by default: keys and values are bytes without types. A
         * table that is created with a later version of a schema begins without its dropped columns.
         */
        public Builder schema(Schema columns) {
            spec.schema(columns);
            return this;
        }

        /**
         * The options.
         *
         * @throws IllegalArgumentException that names the value, when one is out of its range
         */
        public TableOptions build() {
            TableSpec built = spec.build();
            String fault = built.faultOfAnyKind();
            if (fault != null) {
                throw new IllegalArgumentException(fault);
            }
            return new TableOptions(built);
        }
    }
}
