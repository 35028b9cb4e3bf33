package io.sdds.brick.query;

/** A row of the batch has an error where its value is used. */
final class RowFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    final int row;
    final byte state;

    RowFailure(int row, byte state) {
        super(Fault.error(state).text(), null, false, false);
        this.row = row;
        this.state = state;
    }

    /** Throws if the row of a lane is an error. */
    static void check(Lane lane, int row) {
        if (!lane.clean && lane.states[row] > Lane.NULL) {
            throw new RowFailure(row, lane.states[row]);
        }
    }
}
