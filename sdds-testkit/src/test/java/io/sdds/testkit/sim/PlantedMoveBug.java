package io.sdds.testkit.sim;

import io.netty.buffer.ByteBuf;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage.HandOver;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.model.SplitOrder;
import io.sdds.core.protocol.Opcode;
import io.sdds.testkit.sim.SimNetwork.Fate;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;

/** Known-bad variants of the nodes that only partitions of one copy that move can show, made as those of {@link PlantedBug}. */
enum PlantedMoveBug implements Planted {
    /** A move forgets the results of writes: what is tried again at the new brick runs again. */
    RESULTS_FORGOTTEN_ON_MOVE {
        @Override
        public long firstSeed() {
            return 16;
        }

        @Override
        SimNetwork.FrameFilter plant(SplittableRandom random) {
            return PlantedMergeBug.on(SplitOrder::isMove, PlantedBug.RESULTS_STAY_BEHIND.plant(random));
        }
    },

    /** What is removed while its partition moves is there again afterwards. */
    REMOVALS_FORGOTTEN_ON_MOVE {
        @Override
        public long firstSeed() {
            return 56;
        }

        @Override
        SimNetwork.FrameFilter plant(SplittableRandom random) {
            return PlantedMergeBug.on(SplitOrder::isMove, PlantedBug.REMOVALS_STAY_BEHIND.plant(random));
        }
    },

    /** The new brick gives versions anew that the old one gave: a write by version meets another value than its writer read. */
    VERSIONS_BEGIN_ANEW {
        @Override
        public long firstSeed() {
            return 56;
        }

        @Override
        SimNetwork.FrameFilter plant(SplittableRandom random) {
            Set<Long> moves = new HashSet<>();
            return (from, to, frame, index, length) -> {
                if (frame.getByte(index + 4) == Opcode.CONTROL) {
                    tamper(moves, frame, index, length);
                }
                return Fate.SENT;
            };
        }

        private void tamper(Set<Long> moves, ByteBuf frame, int index, int length) {
            switch (ControlFrame.read(frame, index, length)) {
                case MapUpdate update ->
                    update.splits().stream().filter(SplitOrder::isMove).forEach(move -> moves.add(move.stream()));
                case HandOver handOver
                when moves.contains(handOver.stream()) -> frame.setLongLE(index + length - VERSION_FROM_END, 0);
                default -> {}
            }
        }
    };

    /** Version and time are the last of what a HandOver says. */
    private static final int VERSION_FROM_END = 2 * Long.BYTES;

    @Override
    public Shape shape() {
        return Shape.MOVING;
    }

    @Override
    public ClusterPlan.Severity severity() {
        return ClusterPlan.Severity.HARSH;
    }

    @Override
    public void plant(SimCluster cluster) {
        cluster.simulation().network().filter(plant(cluster.simulation().fork("planted bug")));
    }

    /** A filter that behaves so; new for each run. */
    abstract SimNetwork.FrameFilter plant(SplittableRandom random);
}
