package io.sdds.brick.parity.log;

import io.sdds.core.Seeds;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.model.TableKind;
import io.sdds.core.protocol.Opcode;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Conversions beside random writes, expiries, clears, link failures and changes of primaries and parities: at rest all
 * members of a group have the same records, each record of a primary has a rank, and the parities are those of the
 * columns.
 */
class ConversionPropertyTest {
    private static final int STEPS = Seeds.part(15_000);
    private static final int STEPS_AFTER = 1_500;
    private static final int SESSIONS = 8;
    private static final int VALUE_BYTES_MAX = 3_000;
    private static final int LONG_VALUE_BYTES = 60_000;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
    void membersAgreeAndTheParitiesEqualAFreshEncoding(int run) {
        long seed = Seeds.next("ConversionPropertyTest.membersAgreeAndTheParitiesEqualAFreshEncoding", run);
        TableKind kind = run % 2 == 0 ? TableKind.HASH : TableKind.RANGE;
        int replicas = run % 4 == 3 ? 1 : 2;
        run(kind, replicas, seed);
    }

    @ParameterizedTest
    @ValueSource(longs = {40_485_227_370_199L})
    void membersAgreeWithKeptSeeds(long seed) {
        run(TableKind.RANGE, 2, seed);
    }

    private static void run(TableKind kind, int replicas, long seed) {
        try (ConversionFixture table = new ConversionFixture(kind, replicas, 64 << 20)) {
            new Run(table, new Random(seed), kind + ", " + replicas + " replicas, seed " + seed).go(replicas);
        }
    }

    private static final class Run {
        private final ConversionFixture table;
        private final Random random;
        private final String context;
        private final int keys;
        private final long[] seqs = new long[SESSIONS];

        /** For each column, whether it has a backup. */
        private final boolean[] backedUp = new boolean[ConversionFixture.COLUMNS];

        private boolean converts;
        private int changes;
        private int joins;

        Run(ConversionFixture table, Random random, String context) {
            this.table = table;
            this.random = random;
            this.context = context;
            this.keys = 30 << random.nextInt(3);
        }

        void go(int replicas) {
            Arrays.fill(backedUp, replicas > 1);
            for (int k = 0; k < 2 * keys; k++) {
                write();
                table.deliver(random);
            }
            table.convert();
            converts = true;
            for (int k = 0; k < STEPS; k++) {
                step();
                if (random.nextInt(STEPS / 8) == 0) {
                    change();
                }
            }
            table.run(20);
            table.checkBackups(context);
            table.checkParities(context);
            table.rankAll();
            table.checkRanks(context);
            completeJoin();
            table.joinAll();
            check();
            table.end();
            converts = false;
            for (int k = 0; k < STEPS_AFTER; k++) {
                step();
            }
            check();
            System.out.printf("%s: %d changes, %d joins%n", context, changes, joins);
        }

        private void completeJoin() {
            if (table.isOrdered()) {
                table.runUntilJoined();
                table.commitJoin();
            }
        }

        private void check() {
            table.run(20);
            table.checkBackups(context);
            table.checkRanks(context);
            table.checkParities(context);
        }

        private void step() {
            int choice = random.nextInt(100);
            if (choice < 22) {
                write();
            } else if (choice < 26) {
                rankOrDensify(random.nextInt(ConversionFixture.COLUMNS));
            } else if (choice < 28) {
                table.expire();
            } else if (choice < 95) {
                table.deliver(random);
            } else if (choice < 97) {
                table.tick();
            } else if (choice < 98) {
                parities();
            } else if (random.nextInt(8) == 0) {
                table.cut(random.nextInt(6), random.nextInt(6));
            } else {
                table.pump();
            }
        }

        private void rankOrDensify(int column) {
            if (converts) {
                table.rank(column, 1 + random.nextInt(4));
            } else {
                table.densify(column);
            }
        }

        /** The coordinators order joins, and commit those that are over. */
        private void parities() {
            if (!converts) {
                return;
            }
            if (table.isOrdered() && table.reported() == MigrationState.HANDED_OVER) {
                table.commitJoin();
                joins++;
            } else if (!table.isOrdered()) {
                int missing = table.hasParity(0) ? 1 : 0;
                if (!table.hasParity(missing)) {
                    table.order(missing);
                }
            }
        }

        private void change() {
            int column = random.nextInt(ConversionFixture.COLUMNS);
            int choice = random.nextInt(4);
            changes++;
            if (choice == 0 && backedUp[column]) {
                backedUp[column] = false;
                table.losePrimary(column);
            } else if (choice == 1 && table.hasParity(0) && !table.isOrdered()) {
                table.loseParity(0);
            } else if (backedUp[column]) {
                table.handOver(column);
            }
        }

        private void write() {
            int session = random.nextInt(SESSIONS);
            int column = random.nextInt(ConversionFixture.COLUMNS);
            ConversionFixture.Brick brick = table.primary(column);
            long seq = ++seqs[session];
            if (random.nextInt(300) == 0) {
                brick.clear(session + 1, seq);
                return;
            }
            byte opcode = random.nextInt(10) < 3 ? Opcode.REMOVE : Opcode.PUT;
            int bytes = random.nextInt(50) == 0 ? LONG_VALUE_BYTES : random.nextInt(VALUE_BYTES_MAX);
            long ttlMillis = random.nextInt(3) == 0 ? 1 + random.nextInt(3_000) : 0;
            brick.write(
                    opcode,
                    session + 1,
                    seq,
                    table.key(column, random.nextInt(keys)),
                    opcode == Opcode.PUT ? bytes : 0,
                    ttlMillis);
        }
    }
}
