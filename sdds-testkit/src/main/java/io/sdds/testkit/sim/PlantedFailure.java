package io.sdds.testkit.sim;

/**
 * What a node throws since a test has planted it: its process ends, as a real one does whatever it throws. Anything
 * else that a node throws ends the simulation.
 */
final class PlantedFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    PlantedFailure(String message) {
        super(message, null, false, false);
    }
}
