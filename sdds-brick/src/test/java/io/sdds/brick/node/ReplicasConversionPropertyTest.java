package io.sdds.brick.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.Seeds;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.TableKind;
import io.sdds.core.protocol.Opcode;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Conversions from parity to replicas beside random writes, expiries, clears, and losses of primaries, backups and
 * parities. At rest the backups have the records of their primaries, and the parities are those of the columns until
 * the group stands on replicas. Afterwards no parity and no rank is left.
 */
class ReplicasConversionPropertyTest {
    private static final int STEPS = 3_000;
    private static final int STEPS_AFTER = 1_000;
    private static final int SESSIONS = 8;
    private static final int VALUE_BYTES_MAX = 2_000;
    private static final int LONG_VALUE_BYTES = 60_000;
    private static final int PARITY_BRICK = 3;

    static IntStream runs() {
        return IntStream.range(0, Seeds.part(40));
    }

    @ParameterizedTest
    @MethodSource("runs")
    void backupsEqualPrimariesAndParitiesEqualAFreshEncoding(int run) {
        long seed =
                Seeds.next("ReplicasConversionPropertyTest.backupsEqualPrimariesAndParitiesEqualAFreshEncoding", run);
        TableKind kind = run % 2 == 0 ? TableKind.HASH : TableKind.RANGE;
        int replicas = 2 + run % 3 / 2;
        try (GrowthFixture cluster = new GrowthFixture(kind)) {
            new Run(cluster, replicas, new Random(seed), kind + ", " + replicas + " replicas, seed " + seed).go();
        }
    }

    private static final class Run {
        private final GrowthFixture cluster;
        private final int replicas;
        private final Random random;
        private final String context;
        private final int keys;
        private final long[] seqs = new long[SESSIONS];
        private boolean converts;
        private boolean hasLost;
        private int losses;
        private int joins;

        Run(GrowthFixture cluster, int replicas, Random random, String context) {
            this.cluster = cluster;
            this.replicas = replicas;
            this.random = random;
            this.context = context;
            this.keys = 30 << random.nextInt(3);
        }

        void go() {
            for (int k = 0; k < 2 * keys; k++) {
                write();
                cluster.run(1);
            }
            cluster.convertToReplicas(replicas);
            converts = true;
            for (int k = 0; k < STEPS; k++) {
                step();
            }
            complete();
            cluster.checkParities();
            cluster.checkBackups(context);
            for (int k = 0; k < 200; k++) {
                write();
            }
            cluster.endWithReplicas();
            converts = false;
            for (int k = 0; k < STEPS_AFTER; k++) {
                step();
            }
            cluster.checkBackups(context);
            cluster.checkNoParity(context);
            System.out.printf("%s: %d losses, %d joins%n", context, losses, joins);
        }

        private void step() {
            int choice = random.nextInt(100);
            if (choice < 60) {
                write();
            } else {
                cluster.run(random.nextInt(5));
            }
            if (converts && choice == 99) {
                change();
            }
        }

        /** All columns get what they lack. */
        private void complete() {
            for (int k = 0; k < 2_000 && !isComplete(); k++) {
                order();
                cluster.run(20);
            }
            assertThat(isComplete()).as(context).isTrue();
        }

        private boolean isComplete() {
            return cluster.orders.isEmpty()
                    && cluster.hasParity()
                    && cluster.places.stream().allMatch(place -> place.members().size() == replicas);
        }

        /** The coordinators order what is missing, or a loss happens. */
        private void change() {
            int choice = random.nextInt(6);
            int column = random.nextInt(cluster.partitions);
            if (choice < 4) {
                order();
            } else if (choice == 4 && !hasLost && cluster.hasParity()) {
                loseMember(column);
            } else if (choice == 5 && cluster.orders.stream().noneMatch(MigrationOrder::isRepair)) {
                losses++;
                cluster.loseBackups(column);
            }
        }

        /** The parity or a primary is lost. */
        private void loseMember(int column) {
            losses++;
            hasLost = true;
            if (random.nextBoolean()) {
                cluster.loseParity();
                return;
            }
            int lost = cluster.places.get(column).brick();
            cluster.orders.clear();
            cluster.lose(column);
            for (int other = 0; other < cluster.partitions; other++) {
                if (cluster.places.get(other).has(lost, 1)) {
                    cluster.loseBackups(other);
                }
            }
            cluster.run(1_000);
            cluster.orderRecovery(column, spare(column));
        }

        private void order() {
            if (!cluster.orders.isEmpty()) {
                return;
            }
            if (!cluster.hasParity()) {
                cluster.orderParity();
                return;
            }
            List<Integer> lacking = IntStream.range(0, cluster.partitions)
                    .filter(column -> cluster.places.get(column).members().size() < replicas)
                    .boxed()
                    .toList();
            if (!lacking.isEmpty()) {
                int column = lacking.get(random.nextInt(lacking.size()));
                cluster.orderLearner(column, spare(column));
                joins++;
            }
        }

        /** A living brick that has no copy of the column, and no parity. */
        private int spare(int column) {
            List<Integer> free = IntStream.range(0, GrowthFixture.BRICKS)
                    .filter(brick -> brick != PARITY_BRICK
                            && !cluster.bricks.get(brick).dead
                            && cluster.bricks.get(brick).partition(column) == null)
                    .boxed()
                    .toList();
            return free.get(random.nextInt(free.size()));
        }

        private void write() {
            int session = random.nextInt(SESSIONS);
            long seq = ++seqs[session];
            if (random.nextInt(300) == 0) {
                cluster.sendClear(random.nextInt(cluster.partitions), session + 1, seq);
                return;
            }
            boolean removes = random.nextInt(10) < 3;
            int bytes = random.nextInt(50) == 0 ? LONG_VALUE_BYTES : random.nextInt(VALUE_BYTES_MAX);
            long ttlMillis = !removes && random.nextInt(3) == 0 ? 1 + random.nextInt(3_000) : 0;
            String key = (random.nextBoolean() ? "a" : "z") + random.nextInt(keys);
            String value = removes ? "" : (seq + " ").repeat(bytes / 4);
            cluster.send(removes ? Opcode.REMOVE : Opcode.PUT, session + 1, seq, key, value, ttlMillis);
        }
    }
}
