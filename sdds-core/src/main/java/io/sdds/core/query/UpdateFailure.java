package io.sdds.core.query;

import java.util.Optional;

/** Why an update has no effect on its record. It has no stack, because it is an ordinary outcome. */
public final class UpdateFailure extends RuntimeException {
    private static final long serialVersionUID = 1;
    private static final int COLUMN_SHIFT = 8;
    private static final int ERROR_MASK = 0xff;

    private final EvaluationError error;
    private final int column;

    /** @param column number of the column of the value that gets no value; -1: another part of the program failed */
    public UpdateFailure(EvaluationError error, int column) {
        super(error.text(), null, false, false);
        this.error = error;
        this.column = column;
    }

    public EvaluationError error() {
        return error;
    }

    /** The column that gets no value; -1: another part of the program failed. */
    public int column() {
        return column;
    }

    /** The failure as a number, for replies and for the results that partitions keep. */
    public long code() {
        return (column + 1L) << COLUMN_SHIFT | error.ordinal();
    }

    /** The failure of a {@link #code}; empty if it is of a later version. */
    public static Optional<UpdateFailure> of(long code) {
        int ordinal = (int) code & ERROR_MASK;
        EvaluationError[] errors = EvaluationError.values();
        return ordinal < errors.length
                ? Optional.of(new UpdateFailure(errors[ordinal], (int) (code >> COLUMN_SHIFT) - 1))
                : Optional.empty();
    }
}
