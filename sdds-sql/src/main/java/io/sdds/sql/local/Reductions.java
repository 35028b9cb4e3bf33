package io.sdds.sql.local;

import io.sdds.core.row.ValueType;
import io.sdds.sql.schema.SqlTypes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the tables of which only the rows that match another table are read. The tables whose rows are kept for it
 * have few of them, unless a hint says so.
 */
final class Reductions {
    /** Rows of a table that is kept to reduce another one, by the planner's choice. */
    static final long KEPT_ROWS_MAX = 10_000;

    /** Rows of a scan that take as long as a look-up by key, as {@code sdds bench costs} measures them. */
    private static final long LOOKUP_ROWS = 5;

    /** Rows of a scan that take as long as the step before it. */
    private static final long STEP_ROWS = 200;

    /** Look-ups that take less time than the requests of a scan. */
    private static final long FEW_KEYS = 16;

    private final List<TableReference> references;
    private final List<Shipment> shipments;
    private final long[] rows;
    private final List<Reduction> chosen = new ArrayList<>();
    private final Set<Integer> reduced = new HashSet<>();

    private Reductions(List<TableReference> references, List<Shipment> shipments) {
        this.references = references;
        this.shipments = shipments;
        this.rows = shipments.stream().mapToLong(Shipment::rows).toArray();
    }

    /** The reductions of the tables of a statement, in the order in which they are done. */
    static List<Reduction> of(List<TableReference> references, List<Shipment> shipments) {
        Reductions reductions = new Reductions(references, shipments);
        reductions.byHints();
        reductions.byCosts();
        return reductions.chosen;
    }

    private void byHints() {
        for (int k = 0; k < references.size(); k++) {
            JoinHint hint = JoinHint.of(references.get(k).block());
            boolean isFirst =
                    k == 0 || references.get(k - 1).block() != references.get(k).block();
            if (hint != null && !isFirst) {
                follow(hint, k);
            }
        }
    }

    private void follow(JoinHint hint, int table) {
        if (hint.form() == JoinHint.Form.HASH) {
            return;
        }
        String why = "its condition has no equality of columns of which the second table keeps no other rows";
        for (int by = table - 1; by >= 0; by--) {
            Reduction found = reduction(table, by, hint);
            if (found != null && (hint.form() != JoinHint.Form.LOOKUP || givesKey(found))) {
                add(found);
                return;
            }
            if (found != null) {
                why = "its condition does not give the whole key of "
                        + references.get(table).table().name();
            }
        }
        throw hint.impossible(why);
    }

    private void byCosts() {
        boolean goesOn = true;
        while (goesOn) {
            Reduction best = null;
            for (int table = 0; table < references.size(); table++) {
                for (int by = 0; by < references.size() && !reduced.contains(table); by++) {
                    Reduction offer = isFree(table) && !dependsOn(by, table) ? offer(table, by) : null;
                    best = offer != null && (best == null || saved(offer) > saved(best)) ? offer : best;
                }
            }
            goesOn = best != null;
            if (best != null) {
                add(best);
            }
        }
    }

    private boolean isHinted(int table) {
        return JoinHint.of(references.get(table).block()) != null;
    }

    /** Whether no hint is about a table, and its rows were not kept for another one. */
    private boolean isFree(int table) {
        return !isHinted(table) && chosen.stream().noneMatch(reduction -> reduction.by() == table);
    }

    private boolean dependsOn(int table, int other) {
        return table == other
                || chosen.stream()
                        .anyMatch(reduction -> reduction.table() == table && dependsOn(reduction.by(), other));
    }

    private @Nullable Reduction offer(int table, int by) {
        if (rows[by] > KEPT_ROWS_MAX || shipments.get(table).lookup() != null) {
            return null;
        }
        Reduction lookup = reduction(table, by, JoinHint.of(JoinHint.Form.LOOKUP));
        if (lookup == null) {
            return null;
        }
        Reduction offer = givesKey(lookup) ? lookup : reduction(table, by, JoinHint.of(JoinHint.Form.SEMI));
        return offer != null && saved(offer) > stepRows(offer) ? offer : null;
    }

    /** What it costs to wait for the other table first, as rows of a scan. A scan asks all partitions, too. */
    private long stepRows(Reduction offer) {
        boolean isShort = offer.form().form() == JoinHint.Form.LOOKUP && rows[offer.by()] <= FEW_KEYS;
        return isShort ? 0 : STEP_ROWS;
    }

    /** Rows of a scan that a reduction saves. */
    private long saved(Reduction reduction) {
        long all = rows[reduction.table()];
        return reduction.form().form() == JoinHint.Form.LOOKUP
                ? all - LOOKUP_ROWS * rows[reduction.by()]
                : all / 2 - left(reduction);
    }

    /** About how many rows a reduction leaves. */
    private long left(Reduction reduction) {
        long by = rows[reduction.by()];
        if (reduction.form().form() == JoinHint.Form.LOOKUP) {
            return by;
        }
        int table = reduction.table();
        double distinct = references
                .get(table)
                .table()
                .estimates()
                .distinct(reduction.columns().get(0));
        return (long) Math.min(rows[table], rows[table] * (by / Math.max(1, distinct)));
    }

    private void add(Reduction reduction) {
        rows[reduction.table()] = left(reduction);
        reduced.add(reduction.table());
        chosen.add(reduction);
    }

    // ---- what is possible

    /** A reduction by all equalities of two tables; null: there is none. */
    private @Nullable Reduction reduction(int table, int by, JoinHint form) {
        TableReference reference = references.get(table);
        TableReference other = references.get(by);
        if (table == by || reference.block() != other.block()) {
            return null;
        }
        List<Integer> columns = new ArrayList<>();
        List<Integer> otherColumns = new ArrayList<>();
        for (TableReference.Equality equality : reference.equalities()) {
            int column = reference.table().column(equality.column());
            int otherColumn = other.table().column(equality.otherColumn());
            boolean isUsed = equality.otherAlias().equals(other.alias())
                    && column >= 0
                    && otherColumn >= 0
                    && !columns.contains(column)
                    && areComparable(type(reference, column), type(other, otherColumn), equality.isCast());
            if (isUsed) {
                columns.add(column);
                otherColumns.add(otherColumn);
            }
        }
        return columns.isEmpty() ? null : new Reduction(table, by, columns, otherColumns, form, isHinted(table));
    }

    private static ValueType type(TableReference reference, int column) {
        return reference.table().columns().get(column).type();
    }

    /** Whether bricks find the values that DuckDB takes for equal. Times have other digits there. */
    private static boolean areComparable(ValueType one, ValueType other, boolean isCast) {
        if (isCast) {
            return SqlTypes.isWhole(one) && SqlTypes.isWhole(other);
        }
        boolean areExact = SqlTypes.isExact(one) && SqlTypes.isExact(other);
        return areExact || one.kind() == other.kind() && isComparedAsBytes(one.kind());
    }

    private static boolean isComparedAsBytes(ValueType.Kind kind) {
        return switch (kind) {
            case VARCHAR, VARBINARY, UUID, DATE, BOOLEAN -> true;
            default -> false;
        };
    }

    private boolean givesKey(Reduction reduction) {
        List<Integer> keys = references.get(reduction.table()).table().keys();
        return !keys.isEmpty() && reduction.columns().containsAll(keys);
    }
}
