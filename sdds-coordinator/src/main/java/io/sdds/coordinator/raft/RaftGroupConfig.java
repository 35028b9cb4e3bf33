package io.sdds.coordinator.raft;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Who keeps the log together.
 *
 * @param self id of this member
 * @param group identity of the group, the same in all members and never that of another cluster
 * @param members all of them, this one included
 * @param directory of this member's log and snapshots
 * @param electionTimeout silence of the leader after which another stands for election, at least
 */
public record RaftGroupConfig(
        String self,
        UUID group,
        List<Member> members,
        Path directory,
        Duration electionTimeout,
        long snapshotEveryCommands) {
    /** Commands between two snapshots: a restart applies this many at most. */
    public static final long SNAPSHOT_EVERY_COMMANDS = 8192;

    /**
     * A member of the group.
     *
     * @param clientAddress host:port where it is dialed by clients and bricks
     * @param raftAddress host:port where it is dialed by the other members; unused in a group of one, which opens no
     *     port
     */
    public record Member(String id, String clientAddress, String raftAddress) {}

    public RaftGroupConfig {
        members = List.copyOf(members);
        if (members.stream().noneMatch(member -> member.id().equals(self))) {
            throw new IllegalArgumentException("'" + self + "' is not among the members of its group " + members);
        }
    }

    /**
     * A leader that has not heard a majority for so long leads no more: a little longer than the others wait for it.
     */
    public Duration electionTimeoutMax() {
        return electionTimeout.plus(electionTimeout.dividedBy(12));
    }

    boolean alone() {
        return members.size() == 1;
    }

    /** Where the other members are dialed by clients, by their ids. */
    Map<String, String> others() {
        Map<String, String> others = new LinkedHashMap<>();
        members.stream()
                .filter(member -> !member.id().equals(self))
                .forEach(member -> others.put(member.id(), member.clientAddress()));
        return others;
    }

    /** Where the leader is dialed by clients; empty when unknown. */
    String clientAddressOf(String id) {
        for (Member member : members) {
            if (member.id().equals(id)) {
                return member.clientAddress();
            }
        }
        return "";
    }
}
