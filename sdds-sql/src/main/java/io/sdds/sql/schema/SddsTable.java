package io.sdds.sql.schema;

import io.sdds.client.Codec;
import io.sdds.client.TableInfo;
import io.sdds.client.TableStatistics;
import io.sdds.client.internal.query.QueryPlan;
import io.sdds.client.internal.query.QueryPlans;
import io.sdds.core.model.TableKind;
import io.sdds.core.row.Column;
import io.sdds.core.row.Schema;
import io.sdds.core.row.ValueType;
import io.sdds.core.row.Values;
import io.sdds.sql.plan.SddsScan;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.Statistic;
import org.apache.calcite.schema.Statistics;
import org.apache.calcite.schema.TranslatableTable;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorNamespace;
import org.apache.calcite.sql.validate.SqlValidatorTable;
import org.apache.calcite.sql2rel.InitializerExpressionFactory;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/**
 * A table of a cluster as a table of SQL. Its columns are those of its schema; of a table without a schema they are
 * {@code _key} and {@code _value}.
 */
public final class SddsTable extends AbstractTable implements TranslatableTable {
    private static final List<Column> BYTES = List.of(
            new Column("_key", ValueType.VARBINARY, true, true, false, new byte[0], false),
            new Column("_value", ValueType.VARBINARY, false, true, false, new byte[0], false));

    /** So many records more or less make no other plan. */
    private static final int ALIKE_RECORDS = 1_000;

    private final ClusterTables owner;
    private final TableInfo info;
    private final List<Column> columns;
    private final List<Integer> keys;
    private final TableRecords.Places places;
    private final boolean hidesKey;
    private @Nullable SddsTable withRowId;
    private volatile io.sdds.client.@Nullable Table<byte[], byte[]> opened;
    /** An object that is equal to the schema of the list. */
    private volatile Schema alike;

    private @Nullable CompletableFuture<io.sdds.client.Table<byte[], byte[]>> opening;
    private volatile @Nullable Estimates estimates;

    private record Estimates(@Nullable TableStatistics of, ColumnEstimates columns) {}

    SddsTable(ClusterTables owner, TableInfo info) {
        this(owner, info, RowId.isKeyOf(info.schema()));
    }

    private SddsTable(ClusterTables owner, TableInfo info, boolean hidesKey) {
        this.owner = owner;
        this.info = info;
        this.alike = info.schema();
        this.hidesKey = hidesKey;
        List<Column> all = info.schema().exists() ? info.schema().liveColumns() : BYTES;
        this.columns = hidesKey ? RowId.hidden(all) : all;
        this.keys = keys(columns);
        this.places = TableRecords.Places.of(info.schema(), columns, keys);
    }

    /** The table that an element of FROM names in a statement that is being validated; null: it is something else. */
    public static @Nullable SddsTable of(SqlNode from, SqlValidator validator) {
        SqlValidatorNamespace namespace = validator.getNamespace(from);
        SqlValidatorTable known = namespace == null ? null : namespace.resolve().getTable();
        return known == null ? null : known.unwrap(SddsTable.class);
    }

    /** The same table with the key among its columns, if it is hidden. */
    synchronized SddsTable withRowId() {
        if (withRowId == null) {
            withRowId = hidesKey ? new SddsTable(owner, info, false) : this;
        }
        return withRowId;
    }

    public ClusterTables owner() {
        return owner;
    }

    /** The table as a newer list has it. The same object if nothing has changed; a table that is open stays open. */
    SddsTable with(TableInfo newer) {
        boolean isSame = info.id() == newer.id() && info.schema().equals(newer.schema()) && info.kind() == newer.kind();
        if (!isSame) {
            return new SddsTable(owner, newer);
        }
        if (info.records() == newer.records()) {
            return this;
        }
        SddsTable made = new SddsTable(owner, newer);
        made.opened = opened;
        return made;
    }

    public String name() {
        return info.name();
    }

    /** The columns, in their order in SQL. */
    public List<Column> columns() {
        return columns;
    }

    /** The position of a column, whose name may be in any case; -1: there is none. */
    public int column(String name) {
        int at = columns.size() - 1;
        while (at >= 0 && !columns.get(at).name().equalsIgnoreCase(name)) {
            at--;
        }
        return at;
    }

    /** For each column its default, as the client has it; null: NULL, or none. */
    @Nullable
    public Object[] defaults() {
        return columns.stream()
                .map(column -> column.hasDefault() ? Values.decode(column.type(), column.defaultValue()) : null)
                .toArray();
    }

    /** Positions of the key columns in {@link #columns}, in the order of the key; none if the key is hidden. */
    public List<Integer> keys() {
        return keys;
    }

    private static List<Integer> keys(List<Column> columns) {
        List<Integer> keys = new ArrayList<>();
        for (int k = 0; k < columns.size(); k++) {
            if (columns.get(k).key()) {
                keys.add(k);
            }
        }
        return List.copyOf(keys);
    }

    public TableKind kind() {
        return info.kind();
    }

    /** Whether another object is about the same table with the same schema. */
    boolean isLike(SddsTable other) {
        return this == other || info.id() == other.info.id() && info.schema().equals(other.info.schema());
    }

    /** Whether this client has heard of another schema of the table since. */
    @SuppressWarnings("ReferenceEquality") // the same object needs no further look
    boolean isChanged() {
        io.sdds.client.Table<byte[], byte[]> known = opened;
        Schema heard = known == null ? alike : known.schema();
        if (heard == alike) {
            return false;
        }
        if (!heard.equals(info.schema())) {
            return true;
        }
        alike = heard;
        return false;
    }

    /** Records of the table when its list was made. */
    public long records() {
        return info.records();
    }

    /** Whether the number of records is about that of another object, so that both have the same good plans. */
    boolean hasSizeOf(SddsTable other) {
        long smaller = Math.min(records(), other.records());
        long larger = Math.max(records(), other.records());
        return larger <= 2 * smaller + ALIKE_RECORDS;
    }

    /** Whether scans give the rows in the order of their keys. */
    public boolean isRange() {
        return info.kind() == TableKind.RANGE;
    }

    /** How many records conditions leave, by the last ANALYZE. */
    @SuppressWarnings("ReferenceEquality") // statistics that were asked for again are others
    public ColumnEstimates estimates() {
        TableStatistics statistics = owner.statistics(name());
        Estimates known = estimates;
        if (known == null || known.of() != statistics) {
            known = new Estimates(statistics, new ColumnEstimates(this, statistics));
            estimates = known;
        }
        return known.columns();
    }

    /** The table of the client, of bytes. Threads that open it at the same time wait for the same request. */
    public io.sdds.client.Table<byte[], byte[]> open() {
        io.sdds.client.Table<byte[], byte[]> known = opened;
        return known == null ? Answers.await(opening()) : known;
    }

    /** The query of all records. */
    public QueryPlan<?, ?> scan() {
        return QueryPlans.of(open().scan());
    }

    private synchronized CompletableFuture<io.sdds.client.Table<byte[], byte[]>> opening() {
        CompletableFuture<io.sdds.client.Table<byte[], byte[]>> under = opening;
        if (under == null || under.isCompletedExceptionally()) {
            under = owner.client()
                    .<byte[], byte[]>tableAsync(name(), Codec.bytes(), Codec.bytes())
                    .thenApply(table -> opened = table);
            opening = under;
        }
        return under;
    }

    /** Reads and writes records of the table, for one thread. */
    public TableRecords format() {
        return new TableRecords(info.schema(), columns, keys, places);
    }

    /** Whether the records have typed columns, so that they are more than bytes. */
    public boolean hasSchema() {
        return info.schema().exists();
    }

    @Override
    public RelDataType getRowType(RelDataTypeFactory factory) {
        RelDataTypeFactory.Builder builder = factory.builder();
        for (Column column : columns) {
            builder.add(column.name(), SqlTypes.type(factory, column.type(), !column.notNull()));
        }
        return builder.build();
    }

    @Override
    public Statistic getStatistic() {
        List<ImmutableBitSet> unique = hidesKey ? List.of() : List.of(ImmutableBitSet.of(keys()));
        return Statistics.of((double) Math.max(1, records()), unique);
    }

    @Override
    public RelNode toRel(RelOptTable.ToRelContext context, RelOptTable table) {
        return SddsScan.whole(context.getCluster(), table, this);
    }

    @Override
    public <C> @Nullable C unwrap(Class<C> type) {
        if (type == InitializerExpressionFactory.class) {
            return type.cast(new ColumnDefaults(this));
        }
        return super.unwrap(type);
    }
}
