package io.sdds.sql;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.type.RelDataType;
import org.jspecify.annotations.Nullable;

/**
 * Runs a join that ships packets of keys: the paper's distributed nested loop (AMOS-SDDS, section 5.2). Rows of the
 * left side are taken in packets; the bricks scan for the rows of the right side whose keys are in a packet; and the
 * client joins their answers with the rows of the packet. Code that the engine generates calls this class, so that it
 * is public.
 */
public final class JoinRun {
    /** Packets whose answers are under way. */
    private static final int PACKETS_AHEAD = 4;

    private final JoinHint hint;
    private final JoinRelType type;
    private final JoinKeys keys;
    private final ScanRun inner;
    private final List<ShippedText> names;
    private final List<RelDataType> keyTypes;

    /**
     * @param names the right keys in the language of bricks
     * @param keyTypes the types of the left keys
     */
    JoinRun(
            JoinHint hint,
            JoinRelType type,
            JoinKeys keys,
            ScanRun inner,
            List<ShippedText> names,
            List<RelDataType> keyTypes) {
        this.hint = hint;
        this.type = type;
        this.keys = keys;
        this.inner = inner;
        this.names = names;
        this.keyTypes = keyTypes;
    }

    /** The rows of the join, each an {@code Object[]}, in no order. */
    public Enumerable<@Nullable Object[]> rows(Enumerable<@Nullable Object[]> outer, DataContext context) {
        return new AbstractEnumerable<>() {
            @Override
            public Enumerator<@Nullable Object[]> enumerator() {
                return new Rows(outer.enumerator(), context);
            }
        };
    }

    /** The values of the one column of the rows. */
    public Enumerable<@Nullable Object> values(Enumerable<@Nullable Object[]> outer, DataContext context) {
        return rows(outer, context).select(row -> row[0]);
    }

    /** Asks the bricks for the rows of the right side whose keys are in a packet. */
    private RowFeed ask(List<@Nullable Object[]> packet, DataContext context) {
        StringBuilder condition = new StringBuilder();
        for (int k = 0; k < names.size(); k++) {
            condition
                    .append(k == 0 ? "" : " and ")
                    .append(names.get(k).text(Parameters.of(context)))
                    .append(" in (")
                    .append(String.join(", ", texts(packet, k)))
                    .append(')');
        }
        return inner.begin(context, condition.toString());
    }

    /** The different values of a key column of a packet. */
    private List<String> texts(List<@Nullable Object[]> packet, int key) {
        Map<Object, String> texts = new LinkedHashMap<>();
        for (@Nullable Object[] row : packet) {
            Object value = row[keys.left().get(key)];
            if (value != null) {
                texts.computeIfAbsent(value, some -> Literals.text(some, keyTypes.get(key)));
            }
        }
        if (!hint.isSorted()) {
            return List.copyOf(texts.values());
        }
        List<Map.Entry<Object, String>> entries = new ArrayList<>(texts.entrySet());
        entries.sort(Map.Entry.comparingByKey(JoinRun::compare));
        return entries.stream().map(Map.Entry::getValue).toList();
    }

    @SuppressWarnings("unchecked") // the values of a column are of one class, whose order is that of the values
    private static int compare(Object one, Object other) {
        return one instanceof Comparable<?>
                ? ((Comparator<Object>) (Comparator<?>) Comparator.naturalOrder()).compare(one, other)
                : 0;
    }

    /** Rows of the left side, and the rows of the right side that may match. */
    private final class Packet {
        private final Map<Object, List<Integer>> byKey = new HashMap<>();
        private final List<@Nullable Object[]> outer;
        private final boolean[] hasMatch;
        private final @Nullable RowFeed answers;

        Packet(List<@Nullable Object[]> outer, DataContext context) {
            this.outer = outer;
            this.hasMatch = new boolean[outer.size()];
            for (int k = 0; k < outer.size(); k++) {
                Object key = keys.ofLeft(outer.get(k));
                if (key != null) {
                    byKey.computeIfAbsent(key, some -> new ArrayList<>()).add(k);
                }
            }
            this.answers = byKey.isEmpty() ? null : ask(outer, context);
        }

        /** The next rows of the join; null: the packet is done. */
        @Nullable
        List<@Nullable Object[]> next() {
            if (answers != null && answers.moveNext()) {
                return joined(answers.current());
            }
            return null;
        }

        private List<@Nullable Object[]> joined(@Nullable Object[] right) {
            Object key = keys.ofRight(right);
            List<@Nullable Object[]> rows = new ArrayList<>();
            for (int k : key == null ? List.<Integer>of() : byKey.getOrDefault(key, List.of())) {
                boolean isFirst = !hasMatch[k];
                hasMatch[k] = true;
                if (type == JoinRelType.SEMI && isFirst) {
                    rows.add(outer.get(k));
                } else if (type == JoinRelType.INNER || type == JoinRelType.LEFT) {
                    rows.add(row(outer.get(k), right));
                }
            }
            return rows;
        }

        /** The rows of the left side that match none, if the join has them. */
        List<@Nullable Object[]> unmatched() {
            List<@Nullable Object[]> rows = new ArrayList<>();
            for (int k = 0; k < hasMatch.length; k++) {
                if (!hasMatch[k] && type == JoinRelType.LEFT) {
                    rows.add(row(outer.get(k), new @Nullable Object[inner.width()]));
                } else if (!hasMatch[k] && type == JoinRelType.ANTI) {
                    rows.add(outer.get(k));
                }
            }
            return rows;
        }

        private @Nullable Object[] row(@Nullable Object[] left, @Nullable Object[] right) {
            @Nullable Object[] row = new @Nullable Object[left.length + right.length];
            System.arraycopy(left, 0, row, 0, left.length);
            System.arraycopy(right, 0, row, left.length, right.length);
            return row;
        }

        void close() {
            if (answers != null) {
                answers.close();
            }
        }
    }

    private final class Rows implements Enumerator<@Nullable Object[]> {
        private final Enumerator<@Nullable Object[]> outer;
        private final DataContext context;
        private final ArrayDeque<Packet> underWay = new ArrayDeque<>();
        private boolean outerIsOver;
        private List<@Nullable Object[]> ready = List.of();
        private int at = -1;

        Rows(Enumerator<@Nullable Object[]> outer, DataContext context) {
            this.outer = outer;
            this.context = context;
        }

        @Override
        public @Nullable Object[] current() {
            return ready.get(at);
        }

        @Override
        public boolean moveNext() {
            while (++at >= ready.size()) {
                askAhead();
                Packet first = underWay.peek();
                if (first == null) {
                    return false;
                }
                List<@Nullable Object[]> next = first.next();
                if (next == null) {
                    next = first.unmatched();
                    underWay.remove();
                }
                ready = next;
                at = -1;
            }
            return true;
        }

        private void askAhead() {
            while (underWay.size() < PACKETS_AHEAD && !outerIsOver) {
                List<@Nullable Object[]> rows = new ArrayList<>();
                while (rows.size() < hint.packetRows() && !outerIsOver) {
                    outerIsOver = !outer.moveNext();
                    if (!outerIsOver) {
                        rows.add(outer.current());
                    }
                }
                if (!rows.isEmpty()) {
                    underWay.add(new Packet(rows, context));
                }
            }
        }

        @Override
        public void reset() {
            throw new UnsupportedOperationException("rows are read once");
        }

        @Override
        public void close() {
            underWay.forEach(Packet::close);
            outer.close();
        }
    }
}
