package io.sdds.brick.parity.join;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.bucket.RankSpace;
import io.sdds.brick.group.Group;
import io.sdds.brick.group.GroupFrame;
import io.sdds.brick.group.Groups;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.map.TableView;
import io.sdds.brick.parity.join.JoinFrame.Head;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Tables;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.node.Link;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The columns of this stage that joining parity members copy. */
final class JoinSources {
    private final Groups groups;
    private final BrickMap map;
    private final Tables tables;
    private final Map<Name, JoinSource> sources = new LinkedHashMap<>();

    /**
     * The last attempt that fell silent. A late request must not begin it again: the member may have taken a part of
     * the log that was sent before, and the log would go on behind a gap.
     */
    private final Map<Name, Integer> silenced = new LinkedHashMap<>();

    private record Name(long order, int table, int number) {}

    JoinSources(Groups groups, StageContext context) {
        this.groups = groups;
        this.map = context.map();
        this.tables = context.tables();
    }

    /** Takes a JOIN_WANTED. A request that can't be answered yet is dropped; the joining member sends it again. */
    void onWanted(Partition partition, Link link, ByteBuf frame, int index) {
        Head head = Head.read(frame, index);
        MigrationOrder order = map.migration(head.order());
        RankSpace ranks = partition.bucket().ranks().space();
        int columns = order == null ? 0 : columns(order, partition);
        Group group = partition.group();
        if (order == null
                || ranks == null
                || columns == 0
                || !map.isProcess(order.learner(), link.peer())
                || !group.leadsIn(frame.getLongLE(index + GroupFrame.EPOCH))
                || !group.isSettledLeader()
                || !group.isRanked()
                || isFilling(partition)) {
            return;
        }
        Link to = groups.link(order.learner());
        if (to != null) {
            answer(to, new Name(order.id(), partition.table(), partition.number()), partition, ranks, columns, head);
        }
    }

    /** The m of a parity group, if the order is for a parity member of the partition's group; else 0. */
    private int columns(MigrationOrder order, Partition partition) {
        TableView table = order.isParity() && order.table() == partition.table() ? map.table(order.table()) : null;
        return table == null
                        || table.parity().isNone()
                        || table.parity().group(order.sender())
                                != table.parity().group(partition.number())
                ? 0
                : table.parity().columns();
    }

    /** Whether the partition lacks records that are being recovered. A copy would lack them, too. */
    private boolean isFilling(Partition partition) {
        return map.migrations().stream()
                .anyMatch(order -> order.isRecovery()
                        && order.table() == partition.table()
                        && order.sender() == partition.number());
    }

    private void answer(Link link, Name name, Partition partition, RankSpace ranks, int columns, Head head) {
        JoinSource known = current(name);
        if (known != null && head.attempt() < known.attempt()) {
            return; // a late request of an earlier attempt
        }
        if (known != null && head.attempt() == known.attempt()) {
            known.onWanted(link, head);
        } else if (head.kind() == JoinFrame.BEGIN && head.attempt() > silenced.getOrDefault(name, 0)) {
            forget(name);
            MigrationOrder order = map.migration(name.order());
            if (order != null) {
                JoinSource begun = new JoinSource(groups, partition, ranks, order.learner(), columns, head.attempt());
                sources.put(name, begun);
                begun.onWanted(link, head);
            }
        } else {
            JoinFrame.bare(link, columns, partition.group().replication(), head.answer(JoinFrame.AGAIN, 0));
            groups.touched(link);
        }
    }

    private @Nullable JoinSource current(Name name) {
        JoinSource known = sources.get(name);
        if (known != null && known.isVoid()) {
            forget(name);
            return null;
        }
        return known;
    }

    private void forget(Name name) {
        JoinSource known = sources.remove(name);
        if (known != null) {
            known.end();
        }
    }

    /** The map has changed: forgets the members whose orders are over. */
    void reconcile() {
        silenced.keySet().removeIf(name -> map.migration(name.order()) == null);
        sources.entrySet().removeIf(entry -> {
            boolean over = map.migration(entry.getKey().order()) == null
                    || tables.find(entry.getKey().table(), entry.getKey().number()) == null
                    || entry.getValue().isVoid();
            if (over) {
                entry.getValue().end();
            }
            return over;
        });
    }

    /** Each 100 ms: forgets members that have fallen silent before their votes counted. */
    void tick() {
        long now = groups.env().nowNanos();
        sources.entrySet().removeIf(entry -> {
            JoinSource source = entry.getValue();
            boolean silent = source.isSilent(now);
            if (silent) {
                silenced.put(entry.getKey(), source.attempt());
            }
            if (silent || source.isVoid()) {
                source.end();
            }
            return silent || source.isVoid();
        });
    }
}
