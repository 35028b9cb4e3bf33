package io.sdds.sim.watch;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.map.TableView;
import io.sdds.brick.node.BrickNode;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.RangePartition;
import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.addressing.PseudoKey;
import io.sdds.core.model.Parity;
import io.sdds.core.model.ParityMembers;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import io.sdds.sim.cluster.SimBrick;
import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.TablePlan;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.SimNetwork;
import io.sdds.sim.world.SimulationFailure;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks that no primary acknowledges a write of a key while the parity group of its partition has fewer parities than
 * the table asks for, by the map that the primary has. A map may come in the turn of an answer, and behind it. So a
 * group counts as short only in the turns behind the one in which this class has found it short.
 */
public final class AcknowledgedWrites implements SimNetwork.FrameWatch {
    private final SimCluster cluster;
    private final Map<Asked, Write> open = new HashMap<>();
    private final Map<SimEnv, Known> known = new HashMap<>();

    /** Connection, sender and correlation id of an open request. */
    private record Asked(long connection, int asker, int correlation) {}

    private record Write(int table, byte[] key) {}

    private record GroupId(int table, int number) {}

    /** What is known of the map of a stage. */
    private static final class Known {
        long mapVersion = -1;
        long turn;
        Set<GroupId> shortNow = Set.of();

        /** The groups that were short at the end of an earlier turn, and still are. */
        Set<GroupId> shortBefore = Set.of();
    }

    public AcknowledgedWrites(SimCluster cluster) {
        this.cluster = cluster;
    }

    @Override
    public void onFrame(long connection, SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        byte opcode = frame.getByte(index + RequestFrame.OPCODE);
        if (Opcode.isRequest(opcode) && Opcode.isWrite(opcode) && Opcode.isOfKey(opcode)) {
            int correlation = frame.getIntLE(index + RequestFrame.CORRELATION);
            open.put(new Asked(connection, from.index(), correlation), write(frame, index));
        }
        BrickNode node = ClusterPlan.isBrick(from.name()) ? node(from) : null;
        if (node != null) {
            look(from, node);
            if (opcode == Opcode.REPLY) {
                int correlation = frame.getIntLE(index + ReplyFrame.CORRELATION);
                Write write = open.remove(new Asked(connection, to.index(), correlation));
                if (write != null && frame.getByte(index + ReplyFrame.STATUS) <= Status.UPDATE_FAILED) {
                    check(from, node, write);
                }
            }
        }
    }

    private static Write write(ByteBuf frame, int index) {
        byte[] key = new byte[frame.getUnsignedShortLE(index + RequestFrame.KEY_LENGTH)];
        frame.getBytes(index + RequestFrame.WRITE_BODY, key);
        return new Write(frame.getIntLE(index + RequestFrame.TABLE), key);
    }

    private @Nullable BrickNode node(SimEnv env) {
        for (SimBrick brick : cluster.bricks()) {
            if (brick.name().equals(env.name())) {
                return brick.nodeOf(env);
            }
        }
        return null;
    }

    private void look(SimEnv env, BrickNode node) {
        Known here = known.computeIfAbsent(env, e -> new Known());
        if (here.turn != env.turns()) {
            here.turn = env.turns();
            here.shortBefore = here.shortNow;
        }
        if (here.mapVersion != node.map().version()) {
            here.mapVersion = node.map().version();
            here.shortNow = shortGroups(node);
            Set<GroupId> still = new HashSet<>(here.shortBefore);
            still.retainAll(here.shortNow);
            here.shortBefore = still;
        }
    }

    private Set<GroupId> shortGroups(BrickNode node) {
        Set<GroupId> found = new HashSet<>();
        for (TablePlan plan : cluster.plan().tables()) {
            TableView view = plan.hasParity() ? node.map().table(plan.name()) : null;
            for (int group = 0; view != null && group < view.parity().groups(view.partitions()); group++) {
                ParityMembers members = view.parities(group);
                if (members != null
                        && members.inForce()
                        && members.present().size()
                                < min(plan, members.members().size())) {
                    found.add(new GroupId(view.definition().id(), group));
                }
            }
        }
        return found;
    }

    /** The parities that writes need, by the plan. */
    private static int min(TablePlan plan, int parities) {
        int asked = plan.parity().minAsked();
        return new Parity(2, parities)
                .withMinParities(Math.min(asked, parities))
                .minParities();
    }

    private void check(SimEnv env, BrickNode node, Write write) {
        TableView view = node.map().table(write.table());
        if (view == null || view.parity().isNone()) {
            return;
        }
        Partition owner = owner(node, view, write);
        if (owner == null || !owner.group().leads()) {
            return; // another brick has answered
        }
        GroupId group = new GroupId(write.table(), view.parity().group(owner.number()));
        Known here = known.get(env);
        if (here != null && here.shortBefore.contains(group)) {
            throw new SimulationFailure(env + " acknowledges a write of table " + write.table() + " partition "
                    + owner.number() + " though its parity group has only " + view.paritiesOf(owner.number()));
        }
    }

    private static @Nullable Partition owner(BrickNode node, TableView view, Write write) {
        for (int number = 0; number < view.partitions(); number++) {
            Partition partition = node.tables().find(write.table(), number);
            if (partition instanceof RangePartition range && range.owns(write.key())
                    || partition != null
                            && !(partition instanceof RangePartition)
                            && LinearHashing.h(partition.level(), PseudoKey.of(write.key())) == number) {
                return partition;
            }
        }
        return null;
    }
}
