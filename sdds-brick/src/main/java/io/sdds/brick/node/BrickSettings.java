package io.sdds.brick.node;

import io.sdds.core.stage.StageLimits;
import java.util.List;

/**
 * What a brick's logic is told.
 *
 * @param id the operator's name for it
 * @param address host:port that others dial
 * @param coordinators host:port of each
 * @param heartbeatNanos between heartbeats, at most: four leave in the time of a lease, whose length the coordinators
 *     say
 * @param clientsMax clients that may be connected
 */
public record BrickSettings(
        String id, String address, List<String> coordinators, long heartbeatNanos, StageLimits limits, int clientsMax) {
    public static final long HEARTBEAT_NANOS = 200_000_000L;
    public static final int CLIENTS_MAX = 4096;

    /** With as many clients as usual. */
    public BrickSettings(
            String id, String address, List<String> coordinators, long heartbeatNanos, StageLimits limits) {
        this(id, address, coordinators, heartbeatNanos, limits, CLIENTS_MAX);
    }

    public BrickSettings {
        coordinators = List.copyOf(coordinators);
    }
}
