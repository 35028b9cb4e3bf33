package io.sdds.brick.node;

import io.sdds.brick.erasure.KernelType;
import io.sdds.brick.group.Groups;
import io.sdds.core.model.BrickWeight;
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
 * @param weight the capacity weight in hundredths ({@link BrickWeight})
 * @param logBytesMax most bytes of the log of a group, and of its long entries beyond their shares
 */
public record BrickSettings(
        String id,
        String address,
        List<String> coordinators,
        long heartbeatNanos,
        StageLimits limits,
        int clientsMax,
        KernelType kernel,
        int weight,
        int logBytesMax) {
    public static final long HEARTBEAT_NANOS = 200_000_000L;
    public static final int CLIENTS_MAX = 4096;

    /** Settings with {@link #CLIENTS_MAX} clients, the kernel that every JVM can run, and the default weight. */
    public BrickSettings(
            String id, String address, List<String> coordinators, long heartbeatNanos, StageLimits limits) {
        this(
                id,
                address,
                coordinators,
                heartbeatNanos,
                limits,
                CLIENTS_MAX,
                KernelType.REED_SOLOMON,
                BrickWeight.DEFAULT_HUNDREDTHS,
                Groups.LOG_BYTES_MAX);
    }

    /** Returns these settings with another weight, in hundredths. */
    public BrickSettings withWeight(int hundredths) {
        return new BrickSettings(
                id, address, coordinators, heartbeatNanos, limits, clientsMax, kernel, hundredths, logBytesMax);
    }

    /** Returns these settings with logs of another size. */
    public BrickSettings withLogBytesMax(int bytes) {
        return new BrickSettings(id, address, coordinators, heartbeatNanos, limits, clientsMax, kernel, weight, bytes);
    }

    public BrickSettings {
        coordinators = List.copyOf(coordinators);
    }
}
