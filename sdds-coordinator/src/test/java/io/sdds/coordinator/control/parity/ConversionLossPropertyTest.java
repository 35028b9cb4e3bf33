package io.sdds.coordinator.control.parity;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.control.ParityCluster;
import io.sdds.coordinator.control.base.InMemoryLog;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.ParityGroup;
import io.sdds.coordinator.state.Result;
import io.sdds.core.Seeds;
import io.sdds.core.control.ControlMessage.AlterParity;
import io.sdds.core.control.ControlMessage.TableHealth;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Parity;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableKind;
import io.sdds.core.node.FakeWorld;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A table is converted from replicas to parity while bricks die, hang, come back and answer orders by chance, and
 * leaders change. Each command is compared with a model: which processes run, and which parities know all records.
 */
class ConversionLossPropertyTest {
    private @Nullable ParityCluster cluster;
    private @Nullable ChanceFaults faults;

    /** The parities that have joined since a column of their group last got another primary, by group. */
    private final Map<Integer, Set<Member>> joined = new HashMap<>();

    private int losses;
    private int failovers;
    private int joins;
    private int ended;

    static IntStream runs() {
        return IntStream.range(0, Seeds.part(60));
    }

    @ParameterizedTest
    @MethodSource("runs")
    void noCommandLosesRecordsAndTheTableIsConvertedInTheEnd(int run) {
        SplittableRandom random = new SplittableRandom(Seeds.next("losses while a table is converted", run));
        Parity parity = new Parity(random.nextBoolean() ? 2 : 4, random.nextInt(1, 3));
        int replicas = random.nextInt(1, 4);
        int count = parity.bricksToConvert(replicas) + random.nextInt(3);
        int partitions = random.nextInt(1, 3 * parity.columns() + 1);
        long commitNanos = random.nextBoolean() ? 0 : random.nextLong(100_000_000);
        ParityCluster made =
                new ParityCluster(new FakeWorld(random.nextLong()), new InMemoryLog(commitNanos, this::watch), count);
        made.createCopies(TableKind.HASH, replicas, partitions);
        ChanceFaults happened = new ChanceFaults(made);
        cluster = made;
        faults = happened;
        made.ask(new AlterParity("t", parity));
        assertThat(made.state().table(ParityCluster.TABLE).definition().isConverting())
                .isTrue();
        happened.disturb(random);
        happened.calm();
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

    // ---- what is compared

    private Result watch(Command command, Supplier<Result> applies) {
        ParityCluster watched = cluster;
        if (watched == null || watched.state().groups(ParityCluster.TABLE) == 0) {
            return applies.get();
        }
        List<ParityGroup> before = watched.groups();
        MigrationOrder order = command instanceof Command.CommitMigration commit
                ? watched.state().migration(commit.id())
                : null;
        Result result = applies.get();
        List<ParityGroup> after = watched.groups();
        for (int number = 0; number < before.size(); number++) {
            noteParities(order, before.get(number), after.get(number));
            if (before.get(number).standsOnReplicas()) {
                assertFollows(watched, command, before.get(number), after.get(number));
            } else {
                assertDecodable(watched, command, before.get(number), after.get(number));
            }
            GroupLaws.assertEpochs(command, before.get(number), after.get(number));
            GroupLaws.assertBricks(command, after.get(number));
        }
        return result;
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

    private boolean counts(Member member) {
        return Objects.requireNonNull(faults).counts(member);
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
}
