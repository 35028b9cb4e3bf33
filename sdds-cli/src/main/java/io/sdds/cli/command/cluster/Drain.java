package io.sdds.cli.command.cluster;

import io.sdds.cli.connection.CommandClient;
import io.sdds.client.DrainStatus;
import java.time.Duration;
import java.util.List;

/** The drain of a brick, whose status is requested repeatedly until no partition is left on the brick. */
final class Drain {
    /** Pause between two requests. */
    static final long LOOK_MILLIS = 200;

    private final List<String> addresses;
    private final String brick;

    /** @param addresses addresses of coordinators or bricks */
    Drain(List<String> addresses, String brick) {
        this.addresses = addresses;
        this.brick = brick;
    }

    /**
     * Starts the drain if it has not started, and returns its status. A refused drain has a status that is not
     * draining.
     */
    DrainStatus begin(Duration timeout) {
        try (CommandClient client = new CommandClient(addresses, timeout)) {
            return client.await(connected -> connected.drainBrickAsync(brick));
        }
    }

    /** How the drain goes. The status of a drain that was cancelled is not draining. */
    DrainStatus look(Duration timeout) {
        try (CommandClient client = new CommandClient(addresses, timeout)) {
            return client.await(connected -> connected.drainStatusAsync(brick));
        }
    }

    /** Ends the drain. */
    DrainStatus cancel(Duration timeout) {
        try (CommandClient client = new CommandClient(addresses, timeout)) {
            return client.await(connected -> connected.cancelDrainAsync(brick));
        }
    }

    static boolean isDone(DrainStatus status) {
        return status.draining() && status.partitionsLeft() == 0;
    }
}
