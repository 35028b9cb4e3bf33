package io.sdds.brick.query;

/** PROJECT: the tuple of each row. */
final class Projection extends Sink {
    private final Lane[] columns;
    private final int limit;
    private final int bytesMax;
    private final OffHeap tuples;
    private int count;

    /** @param bytesMax after which the step ends */
    Projection(Lane[] columns, int limit, int bytesMax, OffHeap tuples) {
        this.columns = columns;
        this.limit = limit;
        this.bytesMax = bytesMax;
        this.tuples = tuples;
    }

    @Override
    int take(int rows, int obliged) {
        for (int row = 0; row < rows; row++) {
            if (count == limit || row >= obliged && isFull()) {
                return row;
            }
            Tuples.write(columns, row, tuples);
            count++;
        }
        return rows;
    }

    @Override
    boolean isFull() {
        return tuples.used() >= bytesMax;
    }

    @Override
    boolean isDone() {
        return count == limit;
    }

    @Override
    long bytes() {
        return 0;
    }

    @Override
    void answer(OffHeap to) {
        // The tuples are written where they are answered.
    }
}
