package io.sdds.sim.planted;

import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.query.Instruction;
import io.sdds.core.query.Op;
import io.sdds.core.query.Program;
import io.sdds.sim.frame.DecodedRequest;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.world.SimNetwork;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Bugs of shipped programs. */
enum PlantedQueryBug implements PlantedFilter {
    /** A step of a program begins before the point that its part has reached, and the client merges what overlaps. */
    PARTIAL_MERGED_TWICE(39) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return ProgramEdits.requests(Opcode.SCAN, scan -> {
                long from = scan.interval().from();
                long before = from & ~((1L << 60) - 1);
                return from != before ? scan.from(before) : scan;
            });
        }
    },

    /** A step of a program goes on behind points that no step has evaluated. */
    PROGRAM_STEP_SKIPS_POINTS(72) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return ProgramEdits.requests(
                    Opcode.SCAN,
                    scan -> random.nextInt(10) == 0 ? scan.from(scan.interval().from() + (1L << 57)) : scan);
        }
    },

    /** A step of a range goes on behind keys that no step has evaluated: those that begin with the last key. */
    RANGE_STEP_SKIPS_KEYS(1) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return ProgramEdits.requests(Opcode.RANGE, range -> goesOn(range) ? range.withKey(behind(range)) : range);
        }

        private byte[] behind(DecodedRequest range) {
            byte[] key = Arrays.copyOf(range.key(), range.key().length + 1);
            key[key.length - 1] = '~';
            return key;
        }
    },

    /** A step of a range begins with the last record of the step before. */
    RANGE_STEP_REPEATS_A_KEY(6) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return ProgramEdits.requests(
                    Opcode.RANGE,
                    range -> goesOn(range) ? range.withFlags(range.flags() | RequestFrame.FLAG_INCLUSIVE) : range);
        }
    },

    /** Where a partition has split since, its answer counts for the points of the child, which it does not own. */
    PROGRAM_ANSWERS_FOR_THE_CHILD(7) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return PlantedScans.ofPrograms((asked, reached) -> (reached & SPLIT_BOUNDARY) == 0 ? asked.end() : reached);
        }
    },

    /** The rows of one part are taken for those of another. */
    ANSWER_OF_ANOTHER_PART(2) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return new PlantedAnswers();
        }
    },

    /** A NOT of UNKNOWN is TRUE. */
    NOT_OF_UNKNOWN_IS_TRUE(12) {
        @Override
        public SimNetwork.FrameFilter plant(SplittableRandom random) {
            return ProgramEdits.programs(PlantedQueryBug::withNotOfIsTrue);
        }
    };

    private static final long SPLIT_BOUNDARY = (1L << 58) - 1;

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

    /** Whether a step of a range goes on where another has ended. */
    private static boolean goesOn(DecodedRequest range) {
        return range.key().length > 0 && (range.flags() & RequestFrame.FLAG_INCLUSIVE) == 0;
    }

    /** A filter that is NOT of something is NOT of whether that is TRUE. */
    static Program withNotOfIsTrue(Program program) {
        List<Instruction> instructions = new ArrayList<>(program.instructions());
        int filter = program.filter();
        if (filter < 0 || instructions.get(filter).op() != Op.NOT) {
            return program;
        }
        Instruction not = instructions.get(filter);
        instructions.add(new Instruction(Op.IS_TRUE, not.type(), not.a(), not.b(), not.c(), not.constants()));
        int isTrue = instructions.size() - 1;
        instructions.add(new Instruction(Op.NOT, not.type(), isTrue, not.b(), not.c(), not.constants()));
        return new Program(program.shape(), instructions, instructions.size() - 1, program.output());
    }
}
