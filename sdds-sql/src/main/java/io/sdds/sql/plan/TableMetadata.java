package io.sdds.sql.plan;

import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.volcano.RelSubset;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinInfo;
import org.apache.calcite.rel.metadata.BuiltInMetadata;
import org.apache.calcite.rel.metadata.ChainedRelMetadataProvider;
import org.apache.calcite.rel.metadata.CyclicMetadataException;
import org.apache.calcite.rel.metadata.DefaultRelMetadataProvider;
import org.apache.calcite.rel.metadata.MetadataDef;
import org.apache.calcite.rel.metadata.MetadataHandler;
import org.apache.calcite.rel.metadata.ReflectiveRelMetadataProvider;
import org.apache.calcite.rel.metadata.RelColumnOrigin;
import org.apache.calcite.rel.metadata.RelMdUtil;
import org.apache.calcite.rel.metadata.RelMetadataProvider;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/**
 * What the planner knows of scans and joins, where the engine guesses: by the number of records of a table and its
 * statistics. Code that the engine generates calls the handlers, so that they are public.
 */
public final class TableMetadata {
    /** The engine's own answers, and before them those of this class. */
    public static final RelMetadataProvider PROVIDER = ChainedRelMetadataProvider.of(List.of(
            ReflectiveRelMetadataProvider.reflectiveSource(new Rows(), BuiltInMetadata.RowCount.Handler.class),
            ReflectiveRelMetadataProvider.reflectiveSource(new Part(), BuiltInMetadata.Selectivity.Handler.class),
            ReflectiveRelMetadataProvider.reflectiveSource(
                    new Distinct(), BuiltInMetadata.DistinctRowCount.Handler.class),
            ReflectiveRelMetadataProvider.reflectiveSource(new Keys(), BuiltInMetadata.UniqueKeys.Handler.class),
            ReflectiveRelMetadataProvider.reflectiveSource(
                    new Unique(), BuiltInMetadata.ColumnUniqueness.Handler.class),
            ReflectiveRelMetadataProvider.reflectiveSource(new Origins(), BuiltInMetadata.ColumnOrigin.Handler.class),
            DefaultRelMetadataProvider.INSTANCE));

    /** Part of the left side that has no match, at least. */
    private static final double UNMATCHED_PART = 0.1;

    private TableMetadata() {}

    /** Rows of joins. */
    public static final class Rows implements MetadataHandler<BuiltInMetadata.RowCount> {
        @Override
        public MetadataDef<BuiltInMetadata.RowCount> getDef() {
            return BuiltInMetadata.RowCount.DEF;
        }

        /**
         * Each row has as many matches as rows of the other side have the same key, if the keys of one are all there.
         */
        public @Nullable Double getRowCount(Join join, RelMetadataQuery mq) {
            JoinInfo info = join.analyzeCondition();
            double left = mq.getRowCount(join.getLeft());
            double right = mq.getRowCount(join.getRight());
            double rest = RelMdUtil.guessSelectivity(
                    RexUtil.composeConjunction(join.getCluster().getRexBuilder(), info.nonEquiConditions));
            double keysOfLeft = 1;
            double keysOfRight = 1;
            if (!info.leftKeys.isEmpty()) {
                keysOfLeft = distinct(mq.getDistinctRowCount(join.getLeft(), info.leftSet(), null), left);
                keysOfRight = distinct(mq.getDistinctRowCount(join.getRight(), info.rightSet(), null), right);
            }
            double rows = Math.max(1, left * right / Math.max(keysOfLeft, keysOfRight) * rest);
            double matched = left * Math.min(1, keysOfRight / keysOfLeft) * rest;
            return switch (join.getJoinType()) {
                case LEFT -> Math.max(rows, left);
                case RIGHT -> Math.max(rows, right);
                case FULL -> Math.max(rows, left + right);
                case SEMI -> Math.max(1, info.leftKeys.isEmpty() ? left * rest : matched);
                case ANTI -> Math.max(1, Math.max(left * UNMATCHED_PART, left - matched));
                default -> rows;
            };
        }

        private static double distinct(@Nullable Double distinct, double rows) {
            return Math.max(1, distinct == null ? rows : Math.min(distinct, rows));
        }
    }

    /** The part of rows that meet a condition. */
    public static final class Part implements MetadataHandler<BuiltInMetadata.Selectivity> {
        @Override
        public MetadataDef<BuiltInMetadata.Selectivity> getDef() {
            return BuiltInMetadata.Selectivity.DEF;
        }

        /** Of the rows of a scan. */
        public @Nullable Double getSelectivity(SddsScan scan, RelMetadataQuery mq, @Nullable RexNode predicate) {
            List<RexNode> values = scan.spec().values();
            return predicate == null || values == null
                    ? RelMdUtil.guessSelectivity(predicate)
                    : scan.statistics().selectivity(FilterRule.overColumns(predicate, values), scan.rex());
        }
    }

    /** The number of different values. */
    public static final class Distinct implements MetadataHandler<BuiltInMetadata.DistinctRowCount> {
        @Override
        public MetadataDef<BuiltInMetadata.DistinctRowCount> getDef() {
            return BuiltInMetadata.DistinctRowCount.DEF;
        }

        /** Of a set of equal plans, of which the engine answers only when it has found one that runs. */
        public @Nullable Double getDistinctRowCount(
                RelSubset set, RelMetadataQuery mq, ImmutableBitSet columns, @Nullable RexNode predicate) {
            try {
                return mq.getDistinctRowCount(set.getBestOrOriginal(), columns, predicate);
            } catch (CyclicMetadataException e) {
                return null;
            }
        }

        /** Of columns of the rows of a scan. */
        public @Nullable Double getDistinctRowCount(
                SddsScan scan, RelMetadataQuery mq, ImmutableBitSet columns, @Nullable RexNode predicate) {
            double rows = mq.getRowCount(scan);
            List<RexNode> values = scan.spec().values();
            if (values == null) {
                return rows;
            }
            double distinct = 1;
            for (int column : columns) {
                distinct *= scan.statistics().distinct(values.get(column));
            }
            double most = scan.rowsOfTable();
            double part = predicate == null ? 1 : mq.getSelectivity(scan, predicate);
            // One row at least: the engine's formula is no number for one value and no rows.
            return RelMdUtil.numDistinctVals(Math.min(distinct, most), Math.max(1, rows * part));
        }
    }

    /** Columns that no two rows have the same values in. */
    public static final class Keys implements MetadataHandler<BuiltInMetadata.UniqueKeys> {
        @Override
        public MetadataDef<BuiltInMetadata.UniqueKeys> getDef() {
            return BuiltInMetadata.UniqueKeys.DEF;
        }

        /** Of the rows of a scan. */
        public @Nullable Set<ImmutableBitSet> getUniqueKeys(SddsScan scan, RelMetadataQuery mq, boolean ignoreNulls) {
            ImmutableBitSet key = scan.key();
            return key == null ? Set.of() : Set.of(key);
        }
    }

    /** Whether columns are unique. */
    public static final class Unique implements MetadataHandler<BuiltInMetadata.ColumnUniqueness> {
        @Override
        public MetadataDef<BuiltInMetadata.ColumnUniqueness> getDef() {
            return BuiltInMetadata.ColumnUniqueness.DEF;
        }

        /** Of the rows of a scan. */
        public @Nullable Boolean areColumnsUnique(
                SddsScan scan, RelMetadataQuery mq, ImmutableBitSet columns, boolean ignoreNulls) {
            ImmutableBitSet key = scan.key();
            return key != null && columns.contains(key);
        }
    }

    /** Which columns of tables values are. */
    public static final class Origins implements MetadataHandler<BuiltInMetadata.ColumnOrigin> {
        @Override
        public MetadataDef<BuiltInMetadata.ColumnOrigin> getDef() {
            return BuiltInMetadata.ColumnOrigin.DEF;
        }

        /** Of a column of a scan. */
        public @Nullable Set<RelColumnOrigin> getColumnOrigins(SddsScan scan, RelMetadataQuery mq, int column) {
            return scan.origin(column);
        }
    }
}
