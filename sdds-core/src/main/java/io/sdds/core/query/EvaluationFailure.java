package io.sdds.core.query;

/** An {@link EvaluationError} on its way out of a computation. It has no stack, because it is an ordinary outcome. */
public final class EvaluationFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final EvaluationError error;

    public EvaluationFailure(EvaluationError error) {
        super(error.text(), null, false, false);
        this.error = error;
    }

    public EvaluationError error() {
        return error;
    }
}
