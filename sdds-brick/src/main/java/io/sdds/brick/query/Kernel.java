package io.sdds.brick.query;

/** An instruction, prepared: it computes one {@link Lane} from others, for all rows of a batch. */
abstract class Kernel {
    final Lane out;

    Kernel(Lane out) {
        this.out = out;
    }

    /** Computes the first {@code rows} rows. */
    abstract void run(int rows);

    /** About the nanoseconds for a row, without those for each byte of a text. */
    int cost() {
        return 1;
    }

    /** Whether the cost of a row grows with the length of a text. */
    boolean readsText() {
        return false;
    }

    /** Bytes of memory that the kernel holds besides its lane. */
    long bytes() {
        return 0;
    }
}
