package io.sdds.brick.parity.join;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.Seeds;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.protocol.Opcode;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Joins beside random writes, ranks that become dense again, link failures and epochs: afterwards the parity records
 * are those of the columns.
 */
class ParityJoinPropertyTest {
    private static final int STEPS = Seeds.part(10_000);
    private static final int STEPS_OF_A_PHASE = 1_000;
    private static final int SESSIONS = 8;
    /** Long records make many slices. */
    private static final int VALUE_BYTES_MAX = 6_000;

    static IntStream runs() {
        return IntStream.range(0, Seeds.part(30));
    }

    @ParameterizedTest
    @MethodSource("runs")
    void theParityRecordsEqualAFreshEncoding(int run) {
        long seed = Seeds.next("ParityJoinPropertyTest.theParityRecordsEqualAFreshEncoding", run);
        try (JoinFixture group = new JoinFixture(64 << 20)) {
            Run join = new Run(group, new Random(seed), "seed " + seed);
            join.go(group::order);
            group.check(2, join.context);
        }
    }

    /** The other process takes the place of a parity that is present, which then has nothing more to do with it. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void theParityRecordsOfAnotherProcessEqualAFreshEncoding(int run) {
        long seed = Seeds.next("ParityJoinPropertyTest.theParityRecordsOfAnotherProcessEqualAFreshEncoding", run);
        try (JoinFixture group = new JoinFixture(64 << 20)) {
            new Run(group, new Random(seed), "seed " + seed).go(group::orderReplacement);
            assertThat(group.parity(2)).isNull();
            for (int column = 0; column < JoinFixture.COLUMNS; column++) {
                assertThat(group.group(column).members())
                        .containsExactly(JoinFixture.member(column), JoinFixture.member(JoinFixture.JOINER));
            }
        }
    }

    private static final class Run {
        private final JoinFixture group;
        private final Random random;
        private final String context;
        private final int keys;
        private final long[] seqs = new long[SESSIONS];

        Run(JoinFixture group, Random random, String context) {
            this.group = group;
            this.random = random;
            this.context = context;
            this.keys = 50 << random.nextInt(3);
        }

        /** Number of entries that moved records into holes. */
        private int densified;

        /** Whether more records are removed than put, so that holes remain. */
        private boolean thins;

        void go(Runnable order) {
            for (int k = 0; k < keys; k++) {
                write();
                group.pump();
            }
            order.run();
            int epochs = random.nextInt(3);
            for (int k = 0; k < STEPS; k++) {
                thins = k / STEPS_OF_A_PHASE % 2 == 0;
                step();
                if (epochs > 0 && group.reported() == MigrationState.SHIPPING && random.nextInt(STEPS / 4) == 0) {
                    epochs--;
                    group.raiseEpochs();
                }
            }
            group.runUntilReported(MigrationState.HANDED_OVER);
            write();
            group.commitJoin();
            thins = true;
            for (int k = 0; k < STEPS_OF_A_PHASE; k++) {
                step();
            }
            group.run(20);
            assertThat(densified).as(context).isPositive();
            group.check(JoinFixture.JOINER, context);
        }

        private void step() {
            int choice = random.nextInt(100);
            if (choice < 20) {
                write();
            } else if (choice < 25) {
                densified += group.densify(random.nextInt(JoinFixture.COLUMNS)) ? 1 : 0;
            } else if (choice < 97) {
                group.deliver(random);
            } else if (choice < 99) {
                group.tick();
            } else if (random.nextInt(8) == 0) {
                group.cut(random.nextInt(3), JoinFixture.JOINER);
            } else {
                group.pump();
            }
        }

        private void write() {
            int session = random.nextInt(SESSIONS);
            byte opcode = random.nextInt(10) < (thins ? 9 : 3) ? Opcode.REMOVE : Opcode.PUT;
            int bytes = opcode == Opcode.PUT ? random.nextInt(VALUE_BYTES_MAX) : 0;
            group.bricks
                    .get(random.nextInt(JoinFixture.COLUMNS))
                    .write(opcode, session + 1, ++seqs[session], "k" + random.nextInt(keys), bytes, 0);
        }
    }
}
