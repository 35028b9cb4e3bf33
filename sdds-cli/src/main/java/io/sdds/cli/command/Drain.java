package io.sdds.cli.command;

import io.sdds.cli.quick.QuickClient;
import io.sdds.client.DrainStatus;
import java.time.Duration;
import java.util.List;

/** A brick's drain, which is looked at again and again until nothing is left on the brick. */
final class Drain {
    /** Between two looks at how the drain goes. */
    static final long LOOK_MILLIS = 200;

    private final List<String> addresses;
    private final String brick;

    /** @param addresses of coordinators or bricks */
    Drain(List<String> addresses, String brick) {
        this.addresses = addresses;
        this.brick = brick;
    }

    /** Begins the drain. The status of a drain that is refused is not draining. */
    DrainStatus begin(Duration timeout) {
        try (QuickClient client = new QuickClient(addresses, timeout)) {
            return client.await(connected -> connected.drainBrickAsync(brick));
        }
    }

    /** How the drain goes. The status of a drain that was cancelled is not draining. */
    DrainStatus look(Duration timeout) {
        try (QuickClient client = new QuickClient(addresses, timeout)) {
            return client.await(connected -> connected.drainStatusAsync(brick));
        }
    }

    /** Ends the drain. */
    DrainStatus cancel(Duration timeout) {
        try (QuickClient client = new QuickClient(addresses, timeout)) {
            return client.await(connected -> connected.cancelDrainAsync(brick));
        }
    }

    static boolean isDone(DrainStatus status) {
        return status.draining() && status.partitionsLeft() == 0;
    }
}
