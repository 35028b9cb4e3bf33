package io.sdds.brick.query;

/** Takes the rows that pass the filter, and keeps what is answered of them. */
abstract class Sink {
    /**
     * Takes the first rows of the batch.
     *
     * @param obliged rows that it takes even if it is full, because the step cannot end before them
     * @return how many it took: all, or fewer when it is full or {@link #isDone}
     * @throws RowFailure if a value that is used is an error
     */
    abstract int take(int rows, int obliged);

    /** Whether the step should end. */
    abstract boolean isFull();

    /** Whether the answer has as many tuples as the program wants. */
    boolean isDone() {
        return false;
    }

    /** Appends the tuples of the answer. */
    abstract void answer(OffHeap to);

    /** Bytes of the memory that it holds, besides that of the answer. */
    abstract long bytes();

    void release() {}
}
