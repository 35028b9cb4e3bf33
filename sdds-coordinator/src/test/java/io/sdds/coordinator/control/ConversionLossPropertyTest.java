package io.sdds.coordinator.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.ParityGroup;
import io.sdds.core.Seeds;
import io.sdds.core.control.ControlMessage.AlterParity;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.control.ControlMessage.TableHealth;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Parity;
import io.sdds.core.model.ParityMembers;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableKind;
import io.sdds.core.node.FakeWorld;
import io.sdds.core.protocol.Features;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A table is converted from replicas to parity while bricks die, hang, come back and answer orders by chance, and
 * leaders change. Each command is compared with a model: which processes run, and which parities know all records.
 */
class ConversionLossPropertyTest {
    private static final int STEPS = 400;

    /** Heartbeats until the table is converted at the end. */
    private static final int PATIENCE = 400;

    /** Heartbeats within which the coordinators may take a process that has died for one that runs. */
    private static final int UNNOTICED = 3;

    private @Nullable ParityCluster cluster;
    private int step;

    /** The step in which each dead process died. */
    private final Map<Member, Integer> diedAt = new HashMap<>();

    /** The parities that have joined since a column of their group last got another primary, by group. */
    private final Map<Integer, Set<Member>> joined = new HashMap<>();

    private int losses;
    private int failovers;
    private int joins;
    private int ended;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})
    void noCommandLosesRecordsAndTheTableIsConvertedInTheEnd(int run) {
        SplittableRandom random = new SplittableRandom(Seeds.next("losses while a table is converted", run));
        Parity parity = new Parity(random.nextBoolean() ? 2 : 4, random.nextInt(1, 3));
        int replicas = random.nextInt(1, 4);
        int count = parity.bricksToConvert(replicas) + random.nextInt(3);
        int partitions = random.nextInt(1, 3 * parity.columns() + 1);
        long commitNanos = random.nextBoolean() ? 0 : random.nextLong(100_000_000);
        ParityCluster made =
                new ParityCluster(new FakeWorld(random.nextLong()), new WatchedLog(commitNanos, this::watch), count);
        while ((made.state().features() & Features.CONVERSION) == 0) {
            made.beat(1);
        }
        made.createCopies(TableKind.HASH, replicas, partitions);
        cluster = made;
        made.ask(new AlterParity("t", parity));
        assertThat(made.state().table(ParityCluster.TABLE).definition().isConverting())
                .isTrue();
        disturb(made, random);
        calm(made);
        assertThat(made.state().table(ParityCluster.TABLE).definition().isConverting())
                .as("%s", made.health())
                .isFalse();
        TableHealth health = made.health();
        assertThat(health).isEqualTo(new TableHealth(health.canLose(), 0, 0, 0, false));
        assertThat(made.state().migrations()).isEmpty();
        System.out.println(replicas + " replicas to parity " + parity.text() + ", " + count + " bricks, " + partitions
                + " partitions: " + losses + " losses, " + failovers + " other primaries, " + joins + " parities, "
                + ended + " groups ended");
    }

    // ---- what happens

    private void disturb(ParityCluster made, SplittableRandom random) {
        Map<Long, SplittableRandom> fates = new HashMap<>();
        made.answers(order -> answer(made, order, fates.computeIfAbsent(order.id(), id -> random.split())));
        made.answersJoins(order -> drawn(fates.computeIfAbsent(order.id(), id -> random.split())));
        Set<List<Long>> ranked = new HashSet<>();
        int pace = random.nextInt(5, 80);
        made.ranks(partition -> {
            List<Long> place = List.of((long) partition, made.column(partition).epoch());
            if (random.nextInt(pace) == 0) {
                ranked.add(place);
            }
            return ranked.contains(place);
        });
        int deaths = random.nextInt(0, 4);
        for (step = 0; step < STEPS; step++) {
            disturbOnce(made, random, deaths);
            made.beat(1);
            if (step % 50 == 49 && random.nextBoolean()) {
                made.acceptLoss();
            }
        }
    }

    private void disturbOnce(ParityCluster made, SplittableRandom random, int deaths) {
        int brick = random.nextInt(1, made.bricks.size() + 1);
        boolean isDead = made.isDead(made.brick(brick));
        int what = random.nextInt(100);
        if (what < deaths && !isDead) {
            diedAt.put(ParityCluster.process(made.brick(brick)), step);
            made.kill(brick);
        } else if (what < deaths + 2 && !isDead) {
            made.hanging.add(brick);
        } else if (what < 20) {
            made.goOn(brick);
        } else if (what < 30 && isDead) {
            made.restart(brick);
        } else if (what == 99) {
            made.leaderChanges();
        }
    }

    private static MigrationState drawn(SplittableRandom fate) {
        return switch (fate.nextInt(10)) {
            case 0 -> MigrationState.ABANDONED;
            case 1, 2, 3, 4 -> MigrationState.HANDED_OVER;
            default -> MigrationState.SHIPPING;
        };
    }

    /** A repair of a group that stands on parity is answered as bricks would. */
    private static MigrationState answer(ParityCluster made, MigrationOrder order, SplittableRandom fate) {
        ParityGroup group = groupOf(made, order.sender());
        boolean isFilling = order.isRecovery() && group.isFilling(made.column(order.receiver()));
        boolean canDecode = group.toDecode(made.killed::contains) <= group.tolerated();
        MigrationState state = drawn(fate);
        if (state == MigrationState.ABANDONED || !order.isRecovery() || canDecode) {
            return isFilling && state == MigrationState.HANDED_OVER ? MigrationState.FILLED : state;
        }
        return MigrationState.SHIPPING;
    }

    private static ParityGroup groupOf(ParityCluster made, int partition) {
        Parity parity = made.state().table(ParityCluster.TABLE).definition().parity();
        return made.group(parity.group(partition));
    }

    /** Everything is up again, and losses are accepted. */
    private void calm(ParityCluster made) {
        made.answerAtOnce();
        made.answersJoins(order -> MigrationState.HANDED_OVER);
        made.ranks(partition -> true);
        for (int k = 0; k < PATIENCE; k++) {
            step++;
            for (int brick = 1; brick <= made.bricks.size(); brick++) {
                made.goOn(brick);
                if (made.isDead(made.brick(brick))) {
                    made.restart(brick);
                }
            }
            made.beat(1);
            if (k % 50 == 49 && made.state().lostPartitions(ParityCluster.TABLE) > 0) {
                made.acceptLoss();
            }
        }
    }

    // ---- what is compared

    private Runnable watch(Command command) {
        ParityCluster watched = cluster;
        if (watched == null || watched.state().groups(ParityCluster.TABLE) == 0) {
            return () -> {};
        }
        List<ParityGroup> before = groups(watched);
        MigrationOrder order = command instanceof Command.CommitMigration commit
                ? watched.state().migration(commit.id())
                : null;
        return () -> {
            List<ParityGroup> after = groups(watched);
            for (int number = 0; number < before.size(); number++) {
                noteParities(order, before.get(number), after.get(number));
                if (before.get(number).standsOnReplicas()) {
                    assertFollows(watched, command, before.get(number), after.get(number));
                } else {
                    assertDecodable(watched, command, before.get(number), after.get(number));
                }
                assertEpochs(command, before.get(number), after.get(number));
                assertBricks(command, after.get(number));
            }
        };
    }

    private static List<ParityGroup> groups(ParityCluster watched) {
        List<ParityGroup> groups = new ArrayList<>();
        for (int number = 0; number < watched.state().groups(ParityCluster.TABLE); number++) {
            groups.add(watched.group(number));
        }
        return groups;
    }

    /** A parity knows the records of the primaries from which it has learnt, and of no others. */
    private void noteParities(@Nullable MigrationOrder order, ParityGroup before, ParityGroup after) {
        Set<Member> known = joined.computeIfAbsent(before.number(), number -> new HashSet<>());
        if (order != null && order.isParity() && before.has(order.sender()) && !before.equals(after)) {
            known.add(order.learner());
            joins++;
        }
        for (int column = 0; column < before.columns().size() && before.standsOnReplicas(); column++) {
            Member primary = after.columns().get(column).primary();
            if (!primary.equals(before.columns().get(column).primary())) {
                known.clear();
                failovers++;
                assertThat(after.parities().present()).isEmpty();
            }
        }
    }

    /**
     * While a group stands on replicas, a partition that a running process has stays with one, or with one that has
     * just died. A group stands on parity only if no member is silent and its parities know all records.
     */
    private void assertFollows(ParityCluster watched, Command command, ParityGroup before, ParityGroup after) {
        for (int column = 0; column < before.columns().size(); column++) {
            Place was = before.columns().get(column);
            Place is = after.columns().get(column);
            boolean hasRun = was.members().stream().anyMatch(member -> !watched.killed.contains(member));
            losses += is.lost() && !was.lost() ? 1 : 0;
            assertThat(!hasRun || is.members().stream().anyMatch(this::counts))
                    .as("column %s of %s, %s after %s", column, before, is, command)
                    .isTrue();
        }
        if (!after.standsOnReplicas()) {
            ended++;
            assertThat(command).isInstanceOf(Command.EndConversion.class);
            assertThat(after.parities().present()).hasSize(after.tolerated());
            assertThat(joined.get(after.number())).containsAll(after.parities().members());
            assertThat(after.processes()).as("%s after %s", after, command).allMatch(this::counts);
            assertThat(before.processes())
                    .hasSize(before.parities().members().size()
                            + (int) before.columns().stream()
                                    .flatMap(place -> place.members().stream())
                                    .distinct()
                                    .count());
        }
    }

    /** Whether a process runs, or died so lately that the coordinators need not know it. */
    private boolean counts(Member member) {
        return step - diedAt.getOrDefault(member, step) <= UNNOTICED;
    }

    /** A column of a group that stands on parity is lost only when more members are gone than the group tolerates. */
    private void assertDecodable(ParityCluster watched, Command command, ParityGroup before, ParityGroup after) {
        for (int column = 0; column < before.columns().size(); column++) {
            if (after.columns().get(column).lost()
                    && !before.columns().get(column).lost()) {
                losses++;
                assertThat(before.toDecode(watched.killed::contains))
                        .as("%s after %s", before, command)
                        .isGreaterThan(before.tolerated());
            }
        }
        assertThat(after.standsOnReplicas()).isFalse();
    }

    /** No epoch rises by more than one in a command, and it rises with each change of the members. */
    private static void assertEpochs(Command command, ParityGroup before, ParityGroup after) {
        boolean parities = !before.parities().present().equals(after.parities().present());
        for (int column = 0; column < before.columns().size(); column++) {
            Place was = before.columns().get(column);
            Place is = after.columns().get(column);
            boolean changes = !is.lost() && (parities || !is.members().equals(was.members()));
            assertThat(is.epoch())
                    .as("column %s of %s after %s", column, before, command)
                    .isBetween(was.epoch() + (changes ? 1 : 0), was.epoch() + 1);
        }
    }

    /** No brick has a parity and another member of its group, unless the parity leads that column. */
    private static void assertBricks(Command command, ParityGroup group) {
        Set<Integer> parities = new HashSet<>();
        for (Member parity : group.parities().present()) {
            assertThat(parities.add(parity.brick())).isTrue();
        }
        group.repairs().stream()
                .filter(MigrationOrder::isParity)
                .forEach(order -> parities.add(order.target().brick()));
        for (Place column : group.columns()) {
            for (Member member : group.isDegraded(column) ? List.<Member>of() : column.members()) {
                assertThat(parities)
                        .as("data beside parity in %s after %s", group, command)
                        .doesNotContain(member.brick());
            }
        }
        assertThat(group.parities()).isNotEqualTo(new ParityMembers(List.of()));
    }
}
