package io.sdds.cli.chaos;

import io.sdds.cli.process.LocalCluster;
import io.sdds.coordinator.shell.CoordinatorConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Routes the connections of a cluster through relays. Each pair of a coordinator and a process of the cluster that
 * dials the coordinator has a {@link Relay}. Each brick has one relay for all connections to the brick. Clients dial
 * coordinators directly.
 */
final class Network implements LocalCluster.Routes, AutoCloseable {
    private static final String LOOPBACK = "127.0.0.1:";

    private final LocalCluster.Plan cluster;
    private final NetworkPartition partition = new NetworkPartition();
    private final Map<String, String> routes = new HashMap<>();
    private final List<Relay> relays = new ArrayList<>();

    /** @param cluster the processes, which listen only after the relays do */
    Network(LocalCluster.Plan cluster) {
        this.cluster = cluster;
    }

    NetworkPartition partition() {
        return partition;
    }

    @Override
    public synchronized String route(String from, String to, String address) throws IOException {
        boolean coordinator = to.startsWith("c");
        String dialer = coordinator ? from : "";
        if (from.equals(to) && coordinator) {
            return address;
        }
        String known = routes.get(dialer + ">" + to);
        if (known != null) {
            return known;
        }
        int target = Integer.parseInt(address.substring(LOOPBACK.length()));
        boolean peers = coordinator && from.startsWith("c");
        int port = freePort();
        relays.add(new Relay(port, target, coordinator ? from : null, to, partition));
        if (peers) {
            int offset = CoordinatorConfig.RAFT_PORT_OFFSET;
            relays.add(new Relay(port + offset, target + offset, from, to, partition));
        }
        routes.put(dialer + ">" + to, LOOPBACK + port);
        return LOOPBACK + port;
    }

    /** A free port, also with the offset of Raft, that no process of the cluster is going to use. */
    private int freePort() throws IOException {
        int port;
        do {
            port = LocalCluster.freePorts(2, 0);
        } while (cluster.hasPort(port) || cluster.hasPort(port + CoordinatorConfig.RAFT_PORT_OFFSET));
        return port;
    }

    @Override
    public void close() {
        partition.close();
        relays.forEach(Relay::close);
    }
}
