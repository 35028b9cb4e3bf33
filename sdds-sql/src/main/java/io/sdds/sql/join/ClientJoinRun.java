package io.sdds.sql.join;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.jspecify.annotations.Nullable;

/** Runs a hash join. Code that the engine generates calls this class, so that it is public. */
public final class ClientJoinRun {
    private final JoinCursor.Shape shape;

    ClientJoinRun(JoinCursor.Shape shape) {
        this.shape = shape;
    }

    /** The rows of the join, each an {@code Object[]}, in no order. */
    public Enumerable<@Nullable Object[]> rows(
            Enumerable<@Nullable Object[]> left, Enumerable<@Nullable Object[]> right) {
        return new AbstractEnumerable<>() {
            @Override
            public Enumerator<@Nullable Object[]> enumerator() {
                return new JoinCursor(shape, new Whole(left, right));
            }
        };
    }

    /** The values of the one column of the rows. */
    public Enumerable<@Nullable Object> values(
            Enumerable<@Nullable Object[]> left, Enumerable<@Nullable Object[]> right) {
        return rows(left, right).select(row -> row[0]);
    }

    /** The whole left side as one packet. */
    private final class Whole implements JoinCursor.Packets {
        private final Enumerable<@Nullable Object[]> left;
        private final Enumerable<@Nullable Object[]> right;
        private boolean isTaken;

        Whole(Enumerable<@Nullable Object[]> left, Enumerable<@Nullable Object[]> right) {
            this.left = left;
            this.right = right;
        }

        @Override
        public JoinCursor.@Nullable Packet next() {
            if (isTaken) {
                return null;
            }
            isTaken = true;
            List<@Nullable Object[]> rows = new ArrayList<>();
            try (Enumerator<@Nullable Object[]> all = left.enumerator()) {
                while (all.moveNext()) {
                    rows.add(all.current());
                }
            }
            boolean isOver = rows.isEmpty() && !shape.type().generatesNullsOnLeft();
            return new JoinCursor.Packet(new JoinTable(rows, shape.keys()), isOver ? null : right.enumerator());
        }

        @Override
        public void close() {}
    }
}
