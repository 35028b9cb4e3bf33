package io.sdds.coordinator.shell;

import io.sdds.coordinator.control.base.CoordinatorSettings;
import io.sdds.coordinator.state.Names;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The configuration of a coordinator's process.
 *
 * @param id its name among the coordinators, such as {@code c1}
 * @param listen host:port for clients and bricks; port 0 takes a free one
 * @param advertise host:port that others dial; empty: {@code listen}
 * @param peers all coordinators of the cluster, this one included; empty: this one alone
 * @param directory directory of the coordinator's durable data; made when missing; belongs to this coordinator for good
 * @param silence a brick without heartbeats for this time counts as down; the leases and heartbeats of bricks are
 *     derived from it
 * @param sessionLease a client's session that is not renewed for this time ends
 * @param electionTimeout shortest silence of the leading coordinator after which another stands for election; with
 *     peers only
 * @param insecure whether it may listen on addresses that other machines reach, before there is access control
 * @param bricks number of bricks that must have sent heartbeats before the coordinator answers status requests, for
 *     programs that start a whole cluster; 0: it answers at once
 */
public record CoordinatorConfig(
        String id,
        String listen,
        String advertise,
        List<Peer> peers,
        Path directory,
        Duration silence,
        Duration sessionLease,
        Duration electionTimeout,
        boolean insecure,
        int bricks) {
    public static final String DEFAULT_ID = "c1";
    public static final String DEFAULT_LISTEN = "127.0.0.1:7400";
    public static final Duration DEFAULT_SILENCE = Duration.ofNanos(CoordinatorSettings.SILENCE_NANOS);
    public static final Duration DEFAULT_SESSION_LEASE = Duration.ofNanos(CoordinatorSettings.SESSION_LEASE_NANOS);

    /**
     * The default is longer than a process of a busy machine pauses, and short enough that another coordinator nearly
     * always leads within 2 s.
     */
    public static final Duration DEFAULT_ELECTION_TIMEOUT = Duration.ofMillis(1200);

    /** Difference between a coordinator's Raft port and its client port. Without peers there is no Raft port. */
    public static final int RAFT_PORT_OFFSET = 1000;

    public static final Duration SILENCE_MIN = Duration.ofNanos(CoordinatorSettings.SILENCE_NANOS_MIN);

    /** The reason why a shorter silence is refused, with advice. */
    public static final String SILENCE_ADVICE =
            "a brick that is well may pause for longer than that; leave it at " + DEFAULT_SILENCE.toMillis() + "ms";

    private static final Duration SESSION_LEASE_MIN = Duration.ofMillis(100);
    private static final Duration ELECTION_TIMEOUT_MIN = Duration.ofMillis(50);
    private static final Duration TIME_MAX = Duration.ofDays(1);

    /**
     * One of several coordinators.
     *
     * @param address host:port where clients and bricks dial it
     */
    public record Peer(String id, String address) {
        /** Reads {@code ID=H:P}. */
        public static Peer parse(String text) {
            int equals = text.indexOf('=');
            if (equals <= 0) {
                throw new IllegalArgumentException("a peer is written ID=host:port, not '" + text + "'");
            }
            return new Peer(text.substring(0, equals), text.substring(equals + 1));
        }

        String raftAddress() {
            HostPort address = HostPort.parse("address of peer '" + id + "'", this.address);
            if (address.port() == 0) {
                throw new IllegalArgumentException("peer '" + id + "' needs a port that others can know, not 0");
            }
            return HostPort.parse(
                            "port of peer '" + id + "' plus " + RAFT_PORT_OFFSET
                                    + ", which is for the coordinators among themselves,",
                            address.withPort(address.port() + RAFT_PORT_OFFSET).toString())
                    .toString();
        }
    }

    /** @throws IllegalArgumentException if a value is wrong; the message names the value and the expected values */
    public CoordinatorConfig {
        peers = List.copyOf(peers);
        requireId(id);
        HostPort address = HostPort.parse("listen", listen);
        if (!insecure && !Loopback.isLoopback(address.host())) {
            throw new IllegalArgumentException("listen " + listen
                    + " can be reached from other machines, and there is no access control yet: allow it with"
                    + " --insecure, or listen on 127.0.0.1");
        }
        if (!advertise.isEmpty() && HostPort.parse("advertise", advertise).port() == 0) {
            throw new IllegalArgumentException("advertise needs a port that others can dial, not 0");
        }
        requireWithin("silence", silence, SILENCE_MIN, ": " + SILENCE_ADVICE);
        requireWithin("session lease", sessionLease, SESSION_LEASE_MIN, "");
        requireWithin("election timeout", electionTimeout, ELECTION_TIMEOUT_MIN, "");
        requirePeers(id, peers);
    }

    /** The defaults, in a directory. */
    public static CoordinatorConfig in(Path directory) {
        return new CoordinatorConfig(
                DEFAULT_ID,
                DEFAULT_LISTEN,
                "",
                List.of(),
                directory,
                DEFAULT_SILENCE,
                DEFAULT_SESSION_LEASE,
                DEFAULT_ELECTION_TIMEOUT,
                false,
                0);
    }

    public CoordinatorConfig withId(String other) {
        return new CoordinatorConfig(
                other, listen, advertise, peers, directory, silence, sessionLease, electionTimeout, insecure, bricks);
    }

    public CoordinatorConfig withListen(String other) {
        return new CoordinatorConfig(
                id, other, advertise, peers, directory, silence, sessionLease, electionTimeout, insecure, bricks);
    }

    public CoordinatorConfig withPeers(List<Peer> others) {
        return new CoordinatorConfig(
                id, listen, advertise, others, directory, silence, sessionLease, electionTimeout, insecure, bricks);
    }

    public CoordinatorConfig withBricks(int count) {
        return new CoordinatorConfig(
                id, listen, advertise, peers, directory, silence, sessionLease, electionTimeout, insecure, count);
    }

    /** The address of this coordinator for other processes, when it listens on a port. */
    String address(int port) {
        return advertise.isEmpty()
                ? HostPort.parse("listen", listen).withPort(port).toString()
                : advertise;
    }

    /** The addresses of all coordinators for clients and bricks, when this one listens on a port. */
    List<String> addresses(int port) {
        return peers.isEmpty()
                ? List.of(address(port))
                : peers.stream().map(Peer::address).toList();
    }

    CoordinatorSettings settings(List<String> addresses) {
        return new CoordinatorSettings(
                id,
                addresses,
                silence.toNanos(),
                sessionLease.toNanos(),
                CoordinatorSettings.CREATE_PATIENCE_NANOS,
                CoordinatorSettings.AVOID_TARGET_NANOS,
                CoordinatorSettings.MERGE_AFTER_NANOS,
                CoordinatorSettings.REBALANCE_AFTER_NANOS,
                CoordinatorSettings.INDEX_CAPACITY_RECORDS);
    }

    private static void requireId(String id) {
        String fault = Names.idFault(id);
        if (fault != null) {
            throw new IllegalArgumentException(fault);
        }
    }

    private static void requireWithin(String what, Duration value, Duration min, String advice) {
        if (value.compareTo(min) < 0 || value.compareTo(TIME_MAX) > 0) {
            throw new IllegalArgumentException(what + " must be from " + min.toMillis() + "ms to " + TIME_MAX.toHours()
                    + "h, not " + text(value) + advice);
        }
    }

    /** A time that may be too long for milliseconds. */
    private static String text(Duration value) {
        return value.getSeconds() > TIME_MAX.getSeconds() || value.isNegative()
                ? value.getSeconds() + "s"
                : value.toMillis() + "ms";
    }

    private static void requirePeers(String id, List<Peer> peers) {
        List<String> ids = new ArrayList<>();
        for (Peer peer : peers) {
            requireId(peer.id());
            peer.raftAddress();
            if (ids.contains(peer.id())) {
                throw new IllegalArgumentException("peers names '" + peer.id() + "' twice");
            }
            ids.add(peer.id());
        }
        if (!peers.isEmpty() && !ids.contains(id)) {
            throw new IllegalArgumentException("peers must name this coordinator, '" + id + "', too; it names " + ids);
        }
        if (!peers.isEmpty() && peers.size() % 2 == 0) {
            throw new IllegalArgumentException("a cluster has an odd number of coordinators, not " + peers.size());
        }
    }
}
