package io.sdds.brick.group;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.partition.Partition;
import io.sdds.core.model.Place.Member;
import io.sdds.core.node.Link;

/** The parity groups of a stage, as {@link Groups} sees them: their members, their frames and their turns. */
public interface ParityGroups {
    /** Chooses what the logs of this stage do with their entries. */
    LogModes modes();

    /** The m of a table for a member of a partition's group that is a parity member, or joins as one; else 0. */
    int columnsAt(int table, int number, Member member);

    /** Number of columns that this stage protects. */
    int columns();

    // ---- frames

    /** Takes a frame for a parity member of this stage. A frame for an unknown group is dropped. */
    void toMember(int table, int number, byte opcode, Link link, ByteBuf frames, int index, int length);

    /** Takes a RANKS_WANTED for a partition of this stage. */
    void onRanksWanted(Partition partition, ByteBuf frames, int index, int length);

    /** Takes a JOIN_WANTED for a partition of this stage. */
    void onJoinWanted(Partition partition, Link link, ByteBuf frames, int index);

    // ---- turns

    /** At the end of a turn: sends the frames that are due. */
    void flush();

    /** A link to another brick is up: sends the frames that waited for the link. */
    void onLinkUp();

    /** Each 100 ms. */
    void tick();

    /** The node ends. */
    void release();
}
