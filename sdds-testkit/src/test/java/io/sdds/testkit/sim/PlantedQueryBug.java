package io.sdds.testkit.sim;

import io.netty.buffer.Unpooled;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.query.Instruction;
import io.sdds.core.query.Op;
import io.sdds.core.query.Program;
import io.sdds.core.query.ProgramCodec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Bugs of shipped programs. */
enum PlantedQueryBug implements PlantedFilter {
    /** A step of a program begins before the point that its part has reached, and the client merges what overlaps. */
    PARTIAL_MERGED_TWICE(12) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return FrameEdits.requests(Opcode.SCAN, scan -> {
                long from = scan.interval().from();
                long before = from & ~((1L << 60) - 1);
                return isProgram(scan) && from != before ? scan.from(before) : scan;
            });
        }
    },

    /** A step of a program goes on behind points that no step has evaluated. */
    PROGRAM_STEP_SKIPS_POINTS(72) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return FrameEdits.requests(
                    Opcode.SCAN,
                    scan -> isProgram(scan) && random.nextInt(10) == 0
                            ? scan.from(scan.interval().from() + (1L << 57))
                            : scan);
        }
    },

    /** A NOT of UNKNOWN is TRUE. */
    NOT_OF_UNKNOWN_IS_TRUE(12) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return FrameEdits.requests(Opcode.SCAN, scan -> isProgram(scan) ? withNotOfIsTrue(scan) : scan);
        }
    };

    private final long firstSeed;

    PlantedQueryBug(long firstSeed) {
        this.firstSeed = firstSeed;
    }

    @Override
    public long firstSeed() {
        return firstSeed;
    }

    @Override
    public Scenario scenario() {
        return Scenario.QUERIED;
    }

    @Override
    public ClusterPlan.Severity severity() {
        return ClusterPlan.Severity.CALM;
    }

    private static boolean isProgram(DecodedRequest scan) {
        return scan.body()[RequestFrame.INTERVAL_BODY + Integer.BYTES] == RequestFrame.SCAN_PROGRAM;
    }

    /** A filter that is NOT of something is NOT of whether that is TRUE. */
    private static DecodedRequest withNotOfIsTrue(DecodedRequest scan) {
        byte[] body = scan.body();
        int at = RequestFrame.SCAN_BODY;
        Program program = ProgramCodec.decode(Unpooled.wrappedBuffer(body, at, body.length - at));
        List<Instruction> instructions = new ArrayList<>(program.instructions());
        int filter = program.filter();
        if (filter < 0 || instructions.get(filter).op() != Op.NOT) {
            return scan;
        }
        Instruction not = instructions.get(filter);
        instructions.add(new Instruction(Op.IS_TRUE, not.type(), not.a(), not.b(), not.c(), not.constants()));
        int isTrue = instructions.size() - 1;
        instructions.add(new Instruction(Op.NOT, not.type(), isTrue, not.b(), not.c(), not.constants()));
        byte[] edited = ProgramCodec.encode(
                new Program(program.shape(), instructions, instructions.size() - 1, program.output()));
        byte[] changed = Arrays.copyOf(body, at + edited.length);
        System.arraycopy(edited, 0, changed, at, edited.length);
        return scan.withBody(changed);
    }
}
