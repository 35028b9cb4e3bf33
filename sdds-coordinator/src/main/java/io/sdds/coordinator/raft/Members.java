package io.sdds.coordinator.raft;

import io.sdds.core.control.ControlMessage.CoordinatorStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.jspecify.annotations.Nullable;

/** Tells the leader and the state of the group's members from the library's information. Thread-safe. */
final class Members {
    /**
     * Number of election timeouts without a leader after which this is reported as trouble, and not as a long election.
     */
    private static final int ELECTIONS_TOLD = 3;

    private final RaftGroupConfig config;
    private volatile long leaderlessSinceNanos;
    private volatile boolean leaderless;

    Members(RaftGroupConfig config) {
        this.config = config;
    }

    /** The known leader has changed. */
    void onLeader() {
        leaderless = false;
    }

    /** The leader's address for clients; empty when the leader is not known, or is this member. */
    String leaderAddress(RaftServer.@Nullable Division division) {
        RaftPeerId leader = division == null ? null : division.getInfo().getLeaderId();
        String id = leader == null ? "" : leader.toString();
        return id.equals(config.self()) ? "" : config.clientAddressOf(id);
    }

    /** The reason why no member leads, if none has led for a while; else empty. */
    String trouble(RaftServer.@Nullable Division division) {
        if (division == null || division.getInfo().getLeaderId() != null) {
            leaderless = false;
            return "";
        }
        long now = System.nanoTime();
        if (!leaderless) {
            leaderlessSinceNanos = now;
            leaderless = true;
        }
        long forNanos = now - leaderlessSinceNanos;
        if (forNanos < ELECTIONS_TOLD * config.electionTimeout().toNanos()) {
            return "";
        }
        List<String> all = new ArrayList<>();
        config.members().forEach(member -> all.add(member.id() + " (" + member.clientAddress() + ")"));
        return "no coordinator has led for " + TimeUnit.NANOSECONDS.toSeconds(forNanos) + " s: of "
                + String.join(", ", all)
                + " at least " + (all.size() / 2 + 1)
                + " must run and reach each other; until then tables serve reads and"
                + " writes, but none grows or is created";
    }

    /** The state of all members as this leader has heard them. */
    List<CoordinatorStatus> statuses(RaftServer.@Nullable Division division) {
        Map<String, Long> silentMillis = new HashMap<>();
        if (division != null) {
            RoleInfoProto role = division.getInfo().getRoleInfoProto();
            for (ServerRpcProto follower : role.getLeaderInfo().getFollowerInfoList()) {
                silentMillis.put(follower.getId().getId().toStringUtf8(), follower.getLastRpcElapsedTimeMs());
            }
        }
        long silentMillisMax = config.electionTimeoutMax().toMillis();
        List<CoordinatorStatus> statuses = new ArrayList<>();
        for (RaftGroupConfig.Member member : config.members()) {
            boolean self = member.id().equals(config.self());
            long silent = silentMillis.getOrDefault(member.id(), 0L);
            boolean up = self || silentMillis.containsKey(member.id()) && silent <= silentMillisMax;
            statuses.add(new CoordinatorStatus(member.id(), member.clientAddress(), self, up, silent));
        }
        return statuses;
    }
}
