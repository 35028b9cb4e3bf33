package io.sdds.coordinator.shell;

import io.sdds.coordinator.control.CoordinatorNode;
import io.sdds.coordinator.control.PeerDiscovery;
import io.sdds.coordinator.raft.Position;
import io.sdds.coordinator.raft.RaftLog;
import io.sdds.coordinator.raft.RejoinGuard;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.CoordinatorDescribed;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.node.ClusterIdentity;
import io.sdds.core.node.Env;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How one of several coordinators comes to take part in their log. One with an empty directory asks all others first:
 * when all are new they begin a cluster, else it joins theirs, and holds back until it has again what it may have
 * acknowledged in an earlier life. One that has been a member takes part at once, and looks whether the others are of
 * its cluster.
 */
final class Membership {
    private static final Logger log = LoggerFactory.getLogger(Membership.class);

    private final CoordinatorConfig config;
    private final CoordinatorDirectory directory;
    private final RaftLog raft;
    private final CoordinatorNode node;
    private final PeerDiscovery peerDiscovery;

    /**
     * To be made before the node starts.
     *
     * @param env of the node
     */
    Membership(
            CoordinatorConfig config,
            CoordinatorDirectory directory,
            RaftLog raft,
            Env env,
            CoordinatorNode node,
            ClusterIdentity identity) {
        this.config = config;
        this.directory = directory;
        this.raft = raft;
        this.node = node;
        this.peerDiscovery = new PeerDiscovery(
                env,
                config.id(),
                identity::id,
                others(config),
                this::introduced,
                line -> raft.fail(new WrongDirectoryException(line)));
        describe();
    }

    private static Map<String, String> others(CoordinatorConfig config) {
        Map<String, String> others = new LinkedHashMap<>();
        config.peers().stream()
                .filter(peer -> !peer.id().equals(config.id()))
                .forEach(peer -> others.put(peer.id(), peer.address()));
        return others;
    }

    private void describe() {
        node.describedBy(this::description);
        if (!directory.isMember()) {
            node.waiting("coordinator " + config.id() + " has an empty directory and must hear from "
                    + others(config).entrySet().stream()
                            .map(other -> other.getKey() + " (" + other.getValue() + ")")
                            .collect(Collectors.joining(" and "))
                    + " before it takes part; start them");
        }
    }

    /** On the node's thread. */
    void start() {
        peerDiscovery.start();
    }

    void close() {
        peerDiscovery.close();
    }

    /** Takes part in the log, holding back if it joined and has not caught up. */
    static void takePart(CoordinatorDirectory directory, RaftLog raft) throws IOException {
        raft.start(directory.cluster(), new RejoinGuard(directory.behind(), () -> {
            try {
                directory.caughtUp();
                log.info("it has caught up with the others, and votes");
            } catch (IOException e) {
                raft.fail(e);
            }
        }));
    }

    private ControlMessage description() {
        Position has = directory.isMember() ? raft.position() : Position.NONE;
        if (has == null) {
            return new Refused(Refusal.NOT_READY, "coordinator " + config.id() + " is starting");
        }
        UUID cluster = directory.cluster();
        return new CoordinatorDescribed(
                config.id(),
                cluster.getMostSignificantBits(),
                cluster.getLeastSignificantBits(),
                directory.isMember(),
                has.term(),
                has.lastTerm(),
                has.lastIndex());
    }

    private void introduced(Map<String, CoordinatorDescribed> others) {
        try {
            check(others);
            if (directory.isMember()) {
                return;
            }
            UUID cluster = cluster(others);
            Position had = Position.NONE;
            for (CoordinatorDescribed other : others.values()) {
                had = had.and(new Position(other.term(), other.lastTerm(), other.lastIndex()));
            }
            directory.join(cluster, had);
            node.waiting("");
            log.info("coordinator {} joins cluster {}, which has {}", config.id(), cluster, had);
            new Thread(this::takePart, "coordinator-" + config.id() + "-start").start();
        } catch (IOException e) {
            raft.fail(e);
        }
    }

    private void takePart() {
        try {
            takePart(directory, raft);
        } catch (IOException | RuntimeException e) {
            raft.fail(e);
        }
    }

    /** Each must be who it is known as here, and no two of different clusters. */
    private void check(Map<String, CoordinatorDescribed> others) throws WrongDirectoryException {
        String self = "";
        UUID found = directory.isMember() ? directory.cluster() : null;
        for (Map.Entry<String, CoordinatorDescribed> other : others.entrySet()) {
            CoordinatorDescribed told = other.getValue();
            if (!told.id().equals(other.getKey())) {
                throw new WrongDirectoryException(
                        "the coordinator at " + others(config).get(other.getKey()) + " is '" + told.id() + "', not '"
                                + other.getKey() + "', as the peers of '" + config.id() + "' say");
            }
            UUID theirs = new UUID(told.clusterHigh(), told.clusterLow());
            if (told.member() && found != null && !found.equals(theirs)) {
                throw new WrongDirectoryException(
                        self.isEmpty()
                                ? "directory " + directory.path()
                                        + " belongs to another cluster than that of coordinator '" + told.id() + "' at "
                                        + others(config).get(told.id())
                                : "coordinators '" + self + "' and '" + told.id() + "' are of different clusters");
            }
            if (told.member() && found == null) {
                found = theirs;
                self = told.id();
            }
        }
    }

    /** That of the members; when there is none, what the first of all by its name would begin. */
    private UUID cluster(Map<String, CoordinatorDescribed> others) {
        for (CoordinatorDescribed other : others.values()) {
            if (other.member()) {
                return new UUID(other.clusterHigh(), other.clusterLow());
            }
        }
        List<String> ids =
                config.peers().stream().map(CoordinatorConfig.Peer::id).sorted().toList();
        CoordinatorDescribed first = others.get(ids.get(0));
        return first == null ? directory.cluster() : new UUID(first.clusterHigh(), first.clusterLow());
    }
}
