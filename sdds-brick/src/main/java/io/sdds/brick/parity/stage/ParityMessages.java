package io.sdds.brick.parity.stage;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.group.GroupFrame;
import io.sdds.brick.group.Groups;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.parity.join.ParityJoins;
import io.sdds.brick.parity.member.Column;
import io.sdds.brick.parity.member.ParityPartition;
import io.sdds.brick.parity.member.ParityPartitions;
import io.sdds.brick.partition.Request;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.Opcode;

/** Takes the frames for parity members of this stage ({@link GroupFrame}). */
final class ParityMessages {
    private final Groups groups;
    private final BrickMap map;
    private final ParityPartitions parities;
    private final ParityJoins joins;

    ParityMessages(Groups groups, BrickMap map, ParityPartitions parities, ParityJoins joins) {
        this.groups = groups;
        this.map = map;
        this.parities = parities;
        this.joins = joins;
    }

    /** Takes a frame for a parity member. A frame for an unknown group is dropped; the sender sends it again. */
    void toMember(int table, int number, byte opcode, Link link, ByteBuf frames, int index, int length) {
        ParityPartition parity = parities.of(table, number);
        if (parity == null) {
            joins.toMember(table, number, opcode, link, frames, index, length);
            return;
        }
        Column column = parity.column(number);
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
            column.leader().onVote(map, link, frames, index);
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
}
