package io.sdds.coordinator.raft;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The group of coordinators that keeps the log.
 *
 * @param self id of this member
 * @param group identity of the group, the same in all members and different from the identity of any other cluster
 * @param members all members, this one included
 * @param directory directory of this member's log and snapshots
 * @param electionTimeout shortest silence of the leader after which another member stands for election
 */
public record RaftGroupConfig(
        String self,
        UUID group,
        List<Member> members,
        Path directory,
        Duration electionTimeout,
        long snapshotEveryCommands) {
    /** Number of commands between two snapshots. A restart applies at most this number of commands. */
    public static final long SNAPSHOT_EVERY_COMMANDS = 8192;

    /**
     * A member of the group.
     *
     * @param clientAddress host:port for clients and bricks
     * @param raftAddress host:port for the other members; unused in a group of one, which opens no port
     */
    public record Member(String id, String clientAddress, String raftAddress) {}

    public RaftGroupConfig {
        members = List.copyOf(members);
        if (members.stream().noneMatch(member -> member.id().equals(self))) {
            throw new IllegalArgumentException("'" + self + "' is not among the members of its group " + members);
        }
    }

    /**
     * Time without a majority after which a leader steps down. It is a little longer than the followers wait for the
     * leader.
     */
    public Duration electionTimeoutMax() {
        return electionTimeout.plus(electionTimeout.dividedBy(12));
    }

    boolean alone() {
        return members.size() == 1;
    }

    /** The client addresses of the other members, by their ids. */
    Map<String, String> others() {
        Map<String, String> others = new LinkedHashMap<>();
        members.stream()
                .filter(member -> !member.id().equals(self))
                .forEach(member -> others.put(member.id(), member.clientAddress()));
        return others;
    }

    /** The client address of a member; empty when the member is not known. */
    String clientAddressOf(String id) {
        for (Member member : members) {
            if (member.id().equals(id)) {
                return member.clientAddress();
            }
        }
        return "";
    }
}
