package io.sdds.brick.node;

import io.sdds.brick.erasure.KernelType;
import io.sdds.core.stage.StageLimits;
import java.util.List;

/**
 * The settings of a brick's logic.
 *
 * @param id name that the operator gives the brick
 * @param address host:port that other processes dial
 * @param coordinators host:port of each coordinator
 * @param heartbeatNanos longest time between heartbeats. The brick sends four heartbeats in the time of a lease, whose
 *     length the coordinators choose
 * @param clientsMax most clients that may be connected
 * @param kernel codes the records of parity groups; all kernels compute the same bytes
 */
public record BrickSettings(
        String id,
        String address,
        List<String> coordinators,
        long heartbeatNanos,
        StageLimits limits,
        int clientsMax,
        KernelType kernel) {
    public static final long HEARTBEAT_NANOS = 200_000_000L;
    public static final int CLIENTS_MAX = 4096;

    /** Settings with {@link #CLIENTS_MAX} clients and the kernel that every JVM can run. */
    public BrickSettings(
            String id, String address, List<String> coordinators, long heartbeatNanos, StageLimits limits) {
        this(id, address, coordinators, heartbeatNanos, limits, CLIENTS_MAX, KernelType.REED_SOLOMON);
    }

    public BrickSettings {
        coordinators = List.copyOf(coordinators);
    }
}
