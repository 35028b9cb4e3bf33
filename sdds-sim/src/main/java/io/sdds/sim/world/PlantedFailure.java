package io.sdds.sim.world;

/**
 * An error that a test has planted in a node. The process of the node ends, as a real process does after an error. Any
 * other exception of a node ends the simulation.
 */
public final class PlantedFailure extends Error {
    private static final long serialVersionUID = 1;

    public PlantedFailure(String message) {
        super(message, null, false, false);
    }
}
