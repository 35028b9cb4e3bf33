package io.sdds.brick.group;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.parity.decoding.RanksSender;
import io.sdds.brick.parity.member.Column;
import io.sdds.brick.parity.member.ParityPartition;
import io.sdds.brick.parity.member.ParityPartitions;
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
    private final ParityPartitions parities;
    private final RanksSender ranks;

    GroupMessages(Groups groups, StageContext context, ParityPartitions parities) {
        this.groups = groups;
        this.map = context.map();
        this.tables = context.tables();
        this.parities = parities;
        this.ranks = new RanksSender(groups, context.map());
    }

    /** At the end of a turn: answers what has waited for a primary to be settled. */
    void flush() {
        ranks.flush();
    }

    /** The node ends. */
    void release() {
        ranks.release();
    }

    /** Takes a frame of a group. A frame for an unknown partition is dropped; the sender sends it again. */
    public void onFrame(Link link, ByteBuf frames, int index, int length) {
        byte opcode = frames.getByte(index + 4);
        GroupFrame.check(opcode, length);
        int table = frames.getIntLE(index + GroupFrame.TABLE);
        int number = frames.getIntLE(index + GroupFrame.PARTITION);
        if (GroupFrame.isToParity(frames, index)) {
            toParity(table, number, opcode, link, frames, index, length);
            return;
        }
        Partition partition = tables.find(table, number);
        if (partition == null || partition.group().hasLeft()) {
            return;
        }
        Group group = partition.group();
        Replication log = group.replicationIfAny();
        if (opcode == Opcode.RANKS_WANTED) {
            ranks.onWanted(partition, frames, index, length);
            return;
        }
        if (opcode == Opcode.JOIN_WANTED) {
            groups.joins().onWanted(partition, link, frames, index);
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
                Member member = member(frames, index);
                if (map.isProcess(member, link.peer())) {
                    group.onConfirmed(epoch, frames.getLongLE(index + GroupFrame.ROUND), member);
                }
            }
        }
    }

    /** Takes a frame for a parity member. A frame for an unknown group is dropped; the sender sends it again. */
    private void toParity(int table, int number, byte opcode, Link link, ByteBuf frames, int index, int length) {
        ParityPartition parity = parities.of(table, number);
        if (parity == null) {
            groups.joins().toMember(table, number, opcode, link, frames, index, length);
            return;
        }
        Column column = parity.columns().get(parity.parity().column(number));
        if (!map.isAmong(column.members(), link.peer()) && !isOfGroup(parity, link)) {
            return;
        }
        switch (opcode) {
            case Opcode.RANKS -> parity.decodings().onRanks(column, frames, index, length);
            case Opcode.RANKS_WANTED -> parity.decodings().onWanted(frames, index, length);
            case Opcode.RESIDUES -> parity.decoder().onResidues(frames, index, length);
            default -> toColumn(column, opcode, link, frames, index, length);
        }
    }

    /** Whether a frame comes from a process that the map names as a member of a parity group. */
    private boolean isOfGroup(ParityPartition parity, Link link) {
        for (Column column : parity.columns()) {
            if (map.isAmong(map.members(column.table(), column.number()), link.peer())) {
                return true;
            }
        }
        return false;
    }

    /** Whether a frame comes from a member of a column's group, by the last map of the column or by the newest. */
    private boolean isOfColumn(Column column, Link link) {
        return map.isAmong(column.members(), link.peer())
                || map.isAmong(map.members(column.table(), column.number()), link.peer());
    }

    private void toColumn(Column column, byte opcode, Link link, ByteBuf frames, int index, int length) {
        long epoch = frames.getLongLE(index + GroupFrame.EPOCH);
        if (opcode == Opcode.CONFIRM) {
            if (column.mayConfirm()) {
                long round = frames.getLongLE(index + GroupFrame.ROUND);
                GroupFrame.confirmed(link, column.table(), column.number(), column.epoch(), round, groups.self());
                groups.touched(link);
            }
        } else if (opcode == Opcode.VOTE && column.leads() && epoch == column.epoch()) {
            onVote(column.leader(), link, frames, index);
        } else if (opcode == Opcode.PREPARE && epoch < column.epoch()) {
            column.follower().vote(link, GroupFrame.columnsOfSender(frames, index));
        } else if (opcode == Opcode.PREPARE && isOfColumn(column, link)) {
            column.adopt(epoch);
            if (column.leads()) {
                return; // this member leads the column in this epoch, so the frame is a forgery
            }
            column.follower().onPrepare(link, frames, Request.memoryOf(frames), index, length);
            parities.dirty(column);
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
            onVote(log.leader(), link, frames, index);
        }
    }

    private void onVote(Leader leader, Link link, ByteBuf frames, int index) {
        Member from = member(frames, index);
        if (map.isProcess(from, link.peer())) {
            leader.onVote(
                    from,
                    frames.getLongLE(index + GroupFrame.MATCH),
                    frames.getLongLE(index + GroupFrame.VOTE_COMMITTED),
                    frames.getByte(index + GroupFrame.FLAGS),
                    frames.getIntLE(index + GroupFrame.CREDIT));
        }
    }

    private static Member member(ByteBuf frames, int index) {
        return new Member(frames.getIntLE(index + GroupFrame.BRICK), frames.getLongLE(index + GroupFrame.INCARNATION));
    }
}
