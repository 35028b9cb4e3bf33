package io.sdds.testkit.sim;

import io.netty.buffer.ByteBuf;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.testkit.sim.SimNetwork.Fate;
import java.util.SplittableRandom;

/** Known-bad variants of the nodes that only tables which are cleared, or scanned with filters, can show, made as those of {@link PlantedBug}. */
enum PlantedClearBug implements PlantedFilter {
    /** A step of a clear is answered as if it had come to the end of what was asked: what lies behind is left. */
    CLEAR_LEAVES_THE_REST(22) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return PlantedScans.reaching(Opcode.CLEAR, (asked, reached) -> asked.end());
        }
    },

    /** A filter that is about values is tried on keys, and the other way round. */
    FILTER_ON_THE_OTHER_FIELD(5) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return filters((frame, at) -> frame.setByte(at + FILTER_FIELD, 1 - frame.getByte(at + FILTER_FIELD)));
        }
    },

    /** A prefix is sought anywhere. */
    FILTER_BY_ANOTHER_TEST(4) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return filters((frame, at) -> frame.setByte(at + FILTER_TEST, CONTAINS));
        }
    };

    private static final int SCAN_FILTER = RequestFrame.READ_BODY + RequestFrame.SCAN_BODY;
    private static final byte FILTER_MATCH = 4;
    private static final int FILTER_FIELD = 1;
    private static final int FILTER_TEST = 2;
    private static final byte CONTAINS = 2;

    /** What becomes of a filter. */
    private interface Tampering {
        void at(ByteBuf frame, int index);
    }

    private final long firstSeed;

    PlantedClearBug(long firstSeed) {
        this.firstSeed = firstSeed;
    }

    @Override
    public long firstSeed() {
        return firstSeed;
    }

    @Override
    public Shape shape() {
        return Shape.CLEARING;
    }

    @Override
    public ClusterPlan.Severity severity() {
        return ClusterPlan.Severity.COORDINATOR_CRASHES;
    }

    /** Scans whose filter is one comparison. */
    private static SimNetwork.FrameFilter filters(Tampering tampering) {
        return (from, to, frame, index, length) -> {
            boolean filtered = frame.getByte(index + 4) == Opcode.SCAN && length > SCAN_FILTER;
            if (filtered && frame.getByte(index + SCAN_FILTER) == FILTER_MATCH) {
                tampering.at(frame, index + SCAN_FILTER);
            }
            return Fate.SENT;
        };
    }
}
