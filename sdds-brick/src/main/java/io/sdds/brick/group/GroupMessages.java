package io.sdds.brick.group;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Request;
import io.sdds.brick.partition.Tables;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.model.Place.Member;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.Opcode;
import java.util.List;

/** Takes the frames of this stage's groups ({@link GroupFrame}). */
final class GroupMessages {
    private final Groups groups;
    private final BrickMap map;
    private final Tables tables;
    private final ParityGroups parities;

    GroupMessages(Groups groups, StageContext context, ParityGroups parities) {
        this.groups = groups;
        this.map = context.map();
        this.tables = context.tables();
        this.parities = parities;
    }

    /** Takes a frame of a group. A frame for an unknown partition is dropped; the sender sends it again. */
    public void onFrame(Link link, ByteBuf frames, int index, int length) {
        byte opcode = frames.getByte(index + 4);
        GroupFrame.check(opcode, length);
        int table = frames.getIntLE(index + GroupFrame.TABLE);
        int number = frames.getIntLE(index + GroupFrame.PARTITION);
        if (GroupFrame.isToParity(frames, index)) {
            parities.toMember(table, number, opcode, link, frames, index, length);
            return;
        }
        Partition partition = tables.find(table, number);
        if (partition == null || partition.group().hasLeft()) {
            return;
        }
        Group group = partition.group();
        Replication log = group.replicationIfAny();
        if (opcode == Opcode.RANKS_WANTED) {
            parities.onRanksWanted(partition, frames, index, length);
            return;
        }
        if (opcode == Opcode.JOIN_WANTED) {
            parities.onJoinWanted(partition, link, frames, index);
            return;
        }
        if (log == null) {
            return; // by its map this member leads alone, so no other member's frame counts
        }
        long epoch = frames.getLongLE(index + GroupFrame.EPOCH);
        switch (opcode) {
            case Opcode.PREPARE -> onPrepare(log, epoch, link, frames, index, length);
            case Opcode.VOTE -> onVote(log, epoch, link, frames, index);
            case Opcode.CONFIRM -> {
                if (!group.mayConfirm()) {
                    return; // the sender asks again
                }
                long round = frames.getLongLE(index + GroupFrame.ROUND);
                GroupFrame.confirmed(link, table, number, group.epoch(), round, groups.self());
                groups.touched(link);
            }
            default -> {
                Member member = GroupFrame.member(frames, index);
                if (map.isProcess(member, link.peer())) {
                    group.onConfirmed(epoch, frames.getLongLE(index + GroupFrame.ROUND), member);
                }
            }
        }
    }

    private void onPrepare(Replication log, long epoch, Link link, ByteBuf frames, int index, int length) {
        Group group = log.group();
        // A primary of an earlier epoch learns from the vote that its epoch is over.
        if (epoch < group.epoch()) {
            log.follower().vote(link, 0);
            return;
        }
        // A new member that the map here does not name yet sends its PREPARE again.
        if (!map.isAmong(members(group), link.peer())) {
            return;
        }
        if (epoch > group.epoch()) {
            group.adopt(epoch);
        }
        if (!group.leads()) {
            log.follower().onPrepare(link, frames, Request.memoryOf(frames), index, length);
            groups.dirty(group);
        }
    }

    /** The members that the group knows. A learner's group knows none yet, so the map's members count there. */
    private List<Member> members(Group group) {
        Partition partition = group.partition();
        return group.members().isEmpty() ? map.members(partition.table(), partition.number()) : group.members();
    }

    private void onVote(Replication log, long epoch, Link link, ByteBuf frames, int index) {
        // A later epoch begins here with the map or with its primary's first PREPARE, never with a vote.
        Group group = log.group();
        boolean isOfThisEpoch = epoch == group.epoch() && group.leads();
        if (isOfThisEpoch) {
            log.leader().onVote(map, link, frames, index);
        }
    }
}
