package io.sdds.testkit.sim;

import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.testkit.sim.SimNetwork.Fate;
import java.util.SplittableRandom;

/** Known-bad variants of the nodes that only clears and scans with filters can show, made as those of {@link PlantedBug}. */
enum PlantedSweepBug implements Planted {
    /** A step of a clear that begins behind where it should. */
    CLEAR_LEAVES_SOME {
        @Override
        SimNetwork.FrameFilter plant(SplittableRandom random) {
            return (from, to, frame, index, length) -> {
                if (frame.getByte(index + 4) == Opcode.CLEAR) {
                    int at = index + RequestFrame.WRITE_BODY;
                    frame.setLongLE(at, frame.getLongLE(at) + (1L << 57));
                }
                return Fate.SENT;
            };
        }
    },

    /** A clear that is sent again clears again: it may meet what was written since. */
    CLEAR_RUNS_TWICE {
        @Override
        SimNetwork.FrameFilter plant(SplittableRandom random) {
            SimNetwork.FrameFilter blind = PlantedBug.RETRY_UNDER_A_NEW_ID.plant(random);
            return (from, to, frame, index, length) ->
                    frame.getByte(index + 4) == Opcode.CLEAR ? blind.fate(from, to, frame, index, length) : Fate.SENT;
        }
    },

    /** A brick that reads the last byte of a filter wrongly. */
    FILTER_MISREAD {
        @Override
        SimNetwork.FrameFilter plant(SplittableRandom random) {
            return (from, to, frame, index, length) -> {
                if (frame.getByte(index + 4) == Opcode.SCAN
                        && length > RequestFrame.READ_BODY + RequestFrame.SCAN_BODY
                        && random.nextInt(10) == 0) {
                    frame.setByte(index + length - 1, '?');
                }
                return Fate.SENT;
            };
        }
    };

    @Override
    public Shape shape() {
        return Shape.CLEARING;
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
