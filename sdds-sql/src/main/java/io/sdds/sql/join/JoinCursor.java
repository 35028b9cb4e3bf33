package io.sdds.sql.join;

import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.rel.core.JoinRelType;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a join, packet after packet: rows of the left side are in a table, and those of the right side stream.
 */
final class JoinCursor implements Enumerator<@Nullable Object[]> {
    /**
     * Rows of the left side, and the rows of the right side that may match.
     *
     * @param right null: none
     */
    record Packet(JoinTable left, @Nullable Enumerator<@Nullable Object[]> right) {
        void close() {
            if (right != null) {
                right.close();
            }
        }
    }

    /** Where packets come from. */
    interface Packets {
        /** The next packet; null: there are no more. */
        @Nullable
        Packet next();

        void close();
    }

    /**
     * What a join is.
     *
     * @param leftWidth columns of the left side
     * @param rightWidth columns of the right side
     */
    record Shape(JoinRelType type, JoinKeys keys, int leftWidth, int rightWidth) {}

    private final Shape shape;
    private final Packets packets;
    private @Nullable Packet packet;
    private boolean rightIsOver;
    private @Nullable Object[] right = new @Nullable Object[0];
    private Object key = "";
    private int match = -1;
    private int unmatchedFrom;
    private @Nullable Object[] current = new @Nullable Object[0];

    JoinCursor(Shape shape, Packets packets) {
        this.shape = shape;
        this.packets = packets;
    }

    @Override
    public @Nullable Object[] current() {
        return current;
    }

    @Override
    public boolean moveNext() {
        while (true) {
            if (packet == null && !begin()) {
                return false;
            }
            Packet open = packet;
            if (open == null) {
                return false;
            }
            boolean isRow = match >= 0 ? takeMatch(open) : rightIsOver ? takeUnmatched(open) : takeRight(open);
            if (isRow) {
                return true;
            }
        }
    }

    private boolean begin() {
        packet = packets.next();
        match = -1;
        unmatchedFrom = 0;
        rightIsOver = packet == null || packet.right() == null;
        return packet != null;
    }

    private boolean takeRight(Packet open) {
        Enumerator<@Nullable Object[]> rows = open.right();
        if (rows == null || !rows.moveNext()) {
            rightIsOver = true;
            return false;
        }
        right = rows.current();
        Object of = shape.keys().ofRight(right);
        match = open.left().first(of);
        if (of != null) {
            key = of;
        }
        if (match < 0 && shape.type().generatesNullsOnLeft()) {
            current = joined(null, right);
            return true;
        }
        return false;
    }

    private boolean takeMatch(Packet open) {
        int at = match;
        match = open.left().after(at, key);
        boolean had = open.left().match(at);
        if (shape.type().projectsRight()) {
            current = joined(open.left().row(at), right);
            return true;
        }
        current = open.left().row(at);
        return shape.type() == JoinRelType.SEMI && !had;
    }

    private boolean takeUnmatched(Packet open) {
        boolean isKept = shape.type().generatesNullsOnRight() || shape.type() == JoinRelType.ANTI;
        int at = isKept ? open.left().unmatched(unmatchedFrom) : -1;
        if (at < 0) {
            open.close();
            packet = null;
            return false;
        }
        unmatchedFrom = at + 1;
        current = shape.type() == JoinRelType.ANTI
                ? open.left().row(at)
                : joined(open.left().row(at), null);
        return true;
    }

    private @Nullable Object[] joined(@Nullable Object @Nullable [] left, @Nullable Object @Nullable [] of) {
        @Nullable Object[] row = new @Nullable Object[shape.leftWidth() + shape.rightWidth()];
        if (left != null) {
            System.arraycopy(left, 0, row, 0, shape.leftWidth());
        }
        if (of != null) {
            System.arraycopy(of, 0, row, shape.leftWidth(), shape.rightWidth());
        }
        return row;
    }

    @Override
    public void reset() {
        throw new UnsupportedOperationException("rows are read once");
    }

    @Override
    public void close() {
        if (packet != null) {
            packet.close();
        }
        packets.close();
    }
}
