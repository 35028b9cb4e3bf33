package io.sdds.brick.parity.stage;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.erasure.ErasureKernel;
import io.sdds.brick.group.Groups;
import io.sdds.brick.group.LogModes;
import io.sdds.brick.group.ParityGroups;
import io.sdds.brick.parity.join.ParityJoins;
import io.sdds.brick.parity.log.RankedModes;
import io.sdds.brick.parity.member.Column;
import io.sdds.brick.parity.member.JoiningMembers;
import io.sdds.brick.parity.member.ParityPartition;
import io.sdds.brick.parity.member.ParityPartitions;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.model.Place.Member;
import io.sdds.core.node.Link;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The replica groups of a stage with its parity groups: the parity members here, and the joins of parity members. */
public final class ParityStage implements ParityGroups {
    private final Groups groups;
    private final LogModes modes;
    private final ParityPartitions parities;
    private final ParityJoins joins;
    private final RanksSender ranks;
    private final ParityMessages messages;

    /**
     * @param reserveBytes this stage's share of the brick's memory that is reserved for entries of the log
     * @param logBytesMax most bytes of the log of a group, and of its long entries beyond their shares
     * @param kernel folds deltas into parity records
     */
    public ParityStage(
            StageContext context,
            long reserveBytes,
            int logBytesMax,
            ErasureKernel kernel,
            Supplier<Member> self,
            Groups.Listener listener) {
        this.groups = new Groups(context, reserveBytes, logBytesMax, kernel, self, listener, this);
        this.modes = new RankedModes(groups);
        this.parities = new ParityPartitions(groups, context.map(), context.owned(), new Joining());
        this.joins = new ParityJoins(groups, context, parities);
        this.ranks = new RanksSender(groups, context.map());
        this.messages = new ParityMessages(groups, context.map(), parities, joins);
    }

    /** The replica groups of this stage. */
    public Groups groups() {
        return groups;
    }

    /** The parity members of this stage. */
    public ParityPartitions parities() {
        return parities;
    }

    /** The joins of parity members in which this stage takes part. */
    public ParityJoins joins() {
        return joins;
    }

    /** Members that join become members of {@link #parities}. */
    private final class Joining implements JoiningMembers {
        @Override
        public @Nullable ParityPartition adopt(int table, int group, int index) {
            return joins.adopt(table, group, index);
        }

        @Override
        public int columns() {
            return joins.columns();
        }

        @Override
        public void forEachColumn(Consumer<Column> action) {
            joins.forEachColumn(action);
        }
    }

    @Override
    public LogModes modes() {
        return modes;
    }

    @Override
    public int columnsAt(int table, int number, Member member) {
        return parities.columnsAt(table, number, member);
    }

    @Override
    public int columns() {
        return parities.columns();
    }

    // ---- frames

    @Override
    public void toMember(int table, int number, byte opcode, Link link, ByteBuf frames, int index, int length) {
        messages.toMember(table, number, opcode, link, frames, index, length);
    }

    @Override
    public void onRanksWanted(Partition partition, ByteBuf frames, int index, int length) {
        ranks.onWanted(partition, frames, index, length);
    }

    @Override
    public void onJoinWanted(Partition partition, Link link, ByteBuf frames, int index) {
        joins.onWanted(partition, link, frames, index);
    }

    // ---- turns

    @Override
    public void flush() {
        ranks.flush();
        parities.flush();
    }

    @Override
    public void onLinkUp() {
        parities.onLinkUp();
        joins.onLinkUp();
    }

    @Override
    public void tick() {
        parities.tick();
        joins.tick();
    }

    @Override
    public void release() {
        ranks.release();
        parities.release();
        joins.release();
    }
}
