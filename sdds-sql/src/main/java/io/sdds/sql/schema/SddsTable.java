package io.sdds.sql.schema;

import io.sdds.client.Codec;
import io.sdds.client.TableInfo;
import io.sdds.core.model.TableKind;
import io.sdds.core.row.Column;
import io.sdds.core.row.Schema;
import io.sdds.core.row.ValueType;
import io.sdds.sql.plan.PlanMetadata;
import io.sdds.sql.plan.SddsScan;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.Statistic;
import org.apache.calcite.schema.Statistics;
import org.apache.calcite.schema.TranslatableTable;
import org.apache.calcite.schema.impl.AbstractTable;
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

    private final SddsSchema schema;
    private final TableInfo info;
    private final List<Column> columns;
    private final boolean hidesKey;
    private @Nullable SddsTable withRowId;
    private io.sdds.client.@Nullable Table<byte[], byte[]> opened;
    private @Nullable ColumnEstimates estimates;

    SddsTable(SddsSchema schema, TableInfo info) {
        this(schema, info, RowId.isKeyOf(info.schema()));
    }

    private SddsTable(SddsSchema schema, TableInfo info, boolean hidesKey) {
        this.schema = schema;
        this.info = info;
        this.hidesKey = hidesKey;
        List<Column> all = info.schema().exists() ? info.schema().liveColumns() : BYTES;
        this.columns = hidesKey ? RowId.hidden(all) : all;
    }

    /** The same table with the key among its columns, if it is hidden. */
    synchronized SddsTable withRowId() {
        if (withRowId == null) {
            withRowId = hidesKey ? new SddsTable(schema, info, false) : this;
        }
        return withRowId;
    }

    public SddsSchema owner() {
        return schema;
    }

    public String name() {
        return info.name();
    }

    /** The columns, in their order in SQL. */
    public List<Column> columns() {
        return columns;
    }

    /** The schema of the rows; {@link Schema#NONE} of bytes. */
    Schema rows() {
        return info.schema();
    }

    /** Positions of the key columns in {@link #columns}, in the order of the key; none if the key is hidden. */
    public List<Integer> keys() {
        List<Integer> keys = new ArrayList<>();
        for (int k = 0; k < columns.size(); k++) {
            if (columns.get(k).key()) {
                keys.add(k);
            }
        }
        return keys;
    }

    public TableKind kind() {
        return info.kind();
    }

    /** Whether another object is about the same table with the same schema. */
    boolean isLike(SddsTable other) {
        return this == other || info.id() == other.info.id() && info.schema().equals(other.info.schema());
    }

    /** Whether this client has heard of another schema of the table since. */
    synchronized boolean isChanged() {
        return opened != null && !opened.schema().equals(info.schema());
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
    public synchronized ColumnEstimates estimates() {
        if (estimates == null) {
            estimates = new ColumnEstimates(this, schema.statistics(name()));
        }
        return estimates;
    }

    /** The table of the client, of bytes. */
    public synchronized io.sdds.client.Table<byte[], byte[]> open() {
        if (opened == null) {
            opened = schema.client().table(name(), Codec.bytes(), Codec.bytes());
        }
        return opened;
    }

    /** Reads and writes records of the table. */
    public TableRecords format() {
        return new TableRecords(this);
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
        PlanMetadata.addTable(context.getCluster(), this);
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
