package io.sdds.coordinator.shell;

import io.sdds.coordinator.control.CoordinatorNode;
import io.sdds.coordinator.control.peer.PeerDiscovery;
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
 * Brings one of several coordinators into the group that keeps the log. A coordinator with an empty directory first
 * asks all others. If all are new, they begin a cluster. Otherwise it joins the cluster of the others, and holds back
 * until it has all entries again that it may have acknowledged in an earlier life. A coordinator that has been a member
 * takes part at once, and checks whether the others belong to its cluster.
 */
final class Membership {
    private static final Logger log = LoggerFactory.getLogger(Membership.class);

    private final CoordinatorConfig config;
    private final CoordinatorDirectory directory;
    private final RaftLog raft;
    private final CoordinatorNode node;
    private final PeerDiscovery peerDiscovery;

    /**
     * Made before the node starts.
     *
     * @param env environment of the node
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

    /** Begins to ask the other coordinators. Called on the node's thread. */
    void start() {
        peerDiscovery.start();
    }

    void close() {
        peerDiscovery.close();
    }

    /** Starts the log. A coordinator that has joined and not caught up holds back. */
    static void takePart(CoordinatorDirectory directory, RaftLog raft) throws IOException {
        raft.start(directory.cluster(), new RejoinGuard(directory.behind(), () -> {
            try {
                directory.caughtUp();
                log.info("this coordinator has caught up with the others and votes");
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

    /** Checks that each coordinator has its id of the settings, and that all members are of one cluster. */
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

    /**
     * The cluster of the members. If no coordinator is a member yet, the cluster that the first one by its id would
     * begin.
     */
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
