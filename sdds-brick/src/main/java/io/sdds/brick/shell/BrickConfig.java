package io.sdds.brick.shell;

import io.sdds.brick.erasure.KernelType;
import io.sdds.brick.node.BrickSettings;
import io.sdds.core.model.BrickWeight;
import io.sdds.core.netty.MulticastGroup;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a brick's process.
 *
 * @param id name that the operator gives the brick, such as {@code b1}
 * @param listenHost address to listen on
 * @param listenPort port to listen on; 0 stands for any free port
 * @param advertise host:port that other processes dial; if empty, the address on which the brick listens
 * @param coordinators host:port of each coordinator
 * @param memoryBytes most bytes of records, indexes and results; the process allocates them as needed
 * @param stages number of stages; each has a thread and owns a share of the partitions
 * @param clientsMax most clients that may be connected
 * @param multicast group of IP multicast to listen to, as {@code 239.255.74.74:7474}, with {@code @INTERFACE} behind it
 *     if needed; if empty, the brick listens to no group
 * @param erasureKernel computes parity; null for the fastest kernel that this JVM can run
 * @param weight the capacity weight in hundredths ({@link BrickWeight})
 */
public record BrickConfig(
        String id,
        String listenHost,
        int listenPort,
        String advertise,
        List<String> coordinators,
        long memoryBytes,
        int stages,
        int clientsMax,
        String multicast,
        @Nullable KernelType erasureKernel,
        int weight) {
    /** Smallest memory of a brick: a few chunks. */
    public static final long MEMORY_BYTES_MIN = 16L << 20;

    public static final int STAGES_MAX = 256;
    public static final int CLIENTS_LIMIT = 1_000_000;

    /** A configuration with the default weight. */
    public BrickConfig(
            String id,
            String listenHost,
            int listenPort,
            String advertise,
            List<String> coordinators,
            long memoryBytes,
            int stages,
            int clientsMax,
            String multicast,
            @Nullable KernelType erasureKernel) {
        this(
                id,
                listenHost,
                listenPort,
                advertise,
                coordinators,
                memoryBytes,
                stages,
                clientsMax,
                multicast,
                erasureKernel,
                BrickWeight.DEFAULT_HUNDREDTHS);
    }

    /** A configuration with the default limit of clients and the default weight, without multicast. */
    public BrickConfig(
            String id,
            String listenHost,
            int listenPort,
            String advertise,
            List<String> coordinators,
            long memoryBytes,
            int stages) {
        this(
                id,
                listenHost,
                listenPort,
                advertise,
                coordinators,
                memoryBytes,
                stages,
                BrickSettings.CLIENTS_MAX,
                "",
                null);
    }

    /** The same configuration with a group of IP multicast. */
    public BrickConfig withMulticast(String group) {
        return new BrickConfig(
                id,
                listenHost,
                listenPort,
                advertise,
                coordinators,
                memoryBytes,
                stages,
                clientsMax,
                group,
                erasureKernel,
                weight);
    }

    /** The same configuration with a capacity weight in hundredths. */
    public BrickConfig withWeight(int hundredths) {
        return new BrickConfig(
                id,
                listenHost,
                listenPort,
                advertise,
                coordinators,
                memoryBytes,
                stages,
                clientsMax,
                multicast,
                erasureKernel,
                hundredths);
    }

    /**
     * Checks the values that can be checked without a socket.
     *
     * @throws IllegalArgumentException naming the setting, its value and what was expected
     */
    public BrickConfig {
        coordinators = List.copyOf(coordinators);
        require(id.matches("[A-Za-z0-9._-]{1,64}"), "id", id, "1 to 64 of A-Z a-z 0-9 . _ -");
        require(listenPort >= 0 && listenPort <= 65_535, "listen", listenPort, "a port from 0 to 65535");
        require(!coordinators.isEmpty(), "coordinators", coordinators, "at least one host:port");
        require(memoryBytes >= MEMORY_BYTES_MIN, "memory", memoryBytes, "at least 16m");
        require(clientsMax >= 1 && clientsMax <= CLIENTS_LIMIT, "clients", clientsMax, "1 to " + CLIENTS_LIMIT);
        if (!multicast.isEmpty()) {
            MulticastGroup.parse(multicast);
        }
        if (erasureKernel != null) {
            require(
                    erasureKernel.isAvailable(),
                    "erasure-kernel",
                    erasureKernel,
                    "possible, because " + erasureKernel.missing());
        }
        require(weight != 0 && BrickWeight.isValid(weight), "weight", weight / 100.0, "a number from 0.1 to 100");
        require(stages >= 1 && stages <= STAGES_MAX, "stages", stages, "1 to " + STAGES_MAX);
    }

    private static void require(boolean holds, String name, Object value, String expected) {
        if (!holds) {
            throw new IllegalArgumentException(name + ": '" + value + "' is not " + expected);
        }
    }
}
