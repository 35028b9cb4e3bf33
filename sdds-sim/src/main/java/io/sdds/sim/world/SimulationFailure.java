package io.sdds.sim.world;

import org.jspecify.annotations.Nullable;

/** A simulated run has violated a guarantee or an invariant. */
public final class SimulationFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    public SimulationFailure(String message) {
        super(message);
    }

    public SimulationFailure(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
