package io.sdds.brick.shell;

import io.sdds.brick.node.BrickSettings;
import io.sdds.core.netty.MulticastGroup;
import java.util.List;

/**
 * How a brick's process runs.
 *
 * @param id the operator's name for it, such as {@code b1}
 * @param listenHost address to listen on
 * @param listenPort port to listen on; 0 takes any free one
 * @param advertise host:port that others dial; empty: where it listens
 * @param coordinators host:port of each coordinator
 * @param memoryBytes most bytes of records, indexes and results; taken as needed
 * @param stages threads, each owning its share of the partitions
 * @param clientsMax clients that may be connected; more are refused
 * @param multicast group of IP multicast that is listened to, as {@code 239.255.74.74:7474} or with {@code @INTERFACE}
 *     behind it; empty: none
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
        String multicast) {
    /** Smallest memory with which a brick is of use: a few chunks. */
    public static final long MEMORY_BYTES_MIN = 16L << 20;

    public static final int STAGES_MAX = 256;
    public static final int CLIENTS_LIMIT = 1_000_000;

    /** With as many clients as usual. */
    public BrickConfig(
            String id,
            String listenHost,
            int listenPort,
            String advertise,
            List<String> coordinators,
            long memoryBytes,
            int stages) {
        this(id, listenHost, listenPort, advertise, coordinators, memoryBytes, stages, BrickSettings.CLIENTS_MAX, "");
    }

    /** The same that listens to a group of IP multicast. */
    public BrickConfig withMulticast(String group) {
        return new BrickConfig(
                id, listenHost, listenPort, advertise, coordinators, memoryBytes, stages, clientsMax, group);
    }

    /**
     * Checks what can be checked without a socket.
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
        require(stages >= 1 && stages <= STAGES_MAX, "stages", stages, "1 to " + STAGES_MAX);
    }

    private static void require(boolean holds, String name, Object value, String expected) {
        if (!holds) {
            throw new IllegalArgumentException(name + ": '" + value + "' is not " + expected);
        }
    }
}
