package io.sdds.cli.command;

import io.sdds.cli.quick.QuickClient;
import io.sdds.client.DrainStatus;
import java.time.Duration;
import java.util.List;

/** A brick's drain, asked for again and again until nothing is left on the brick. */
final class Drain {
    /** Between two looks at how it goes. */
    static final long LOOK_MILLIS = 200;

    private final List<String> addresses;
    private final String brick;

    /** @param addresses of coordinators or bricks */
    Drain(List<String> addresses, String brick) {
        this.addresses = addresses;
        this.brick = brick;
    }

    /** Begins it, or tells how it goes; of one that is refused the status is not draining. */
    DrainStatus ask(Duration timeout) {
        try (QuickClient client = new QuickClient(addresses, timeout)) {
            return client.await(connected -> connected.drainBrickAsync(brick));
        }
    }

    DrainStatus cancel(Duration timeout) {
        try (QuickClient client = new QuickClient(addresses, timeout)) {
            return client.await(connected -> connected.cancelDrainAsync(brick));
        }
    }

    static boolean isDone(DrainStatus status) {
        return status.draining() && status.partitionsLeft() == 0;
    }
}
