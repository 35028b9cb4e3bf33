package io.sdds.sim.watch;

import io.sdds.core.model.Place.Member;
import io.sdds.sim.frame.DecodedVote;
import io.sdds.sim.frame.GroupHeader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The votes of all groups: up to which entry each member has voted in each epoch. */
final class SeenVotes {
    private final Map<GroupEpoch, Map<Member, Long>> votes = new HashMap<>();

    private record GroupEpoch(int table, int partition, long epoch) {}

    void voted(DecodedVote vote) {
        GroupHeader header = vote.header();
        votes.computeIfAbsent(
                        new GroupEpoch(header.table(), header.partition(), header.epoch()), group -> new HashMap<>())
                .merge(new Member(vote.brick(), vote.incarnation()), vote.verified(), Math::max);
    }

    /** All these members have voted for the entries up to this seq. */
    long ofAll(int table, int partition, long epoch, List<Member> members) {
        Map<Member, Long> voted = votes.getOrDefault(new GroupEpoch(table, partition, epoch), Map.of());
        return members.stream()
                .mapToLong(member -> voted.getOrDefault(member, 0L))
                .min()
                .orElse(Long.MAX_VALUE);
    }
}
