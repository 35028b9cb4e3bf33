package io.sdds.coordinator.control.parity;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.control.ParityCluster;
import io.sdds.coordinator.control.base.InMemoryLog;
import io.sdds.coordinator.state.ClusterState;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.ParityGroup;
import io.sdds.coordinator.state.Result;
import io.sdds.core.Seeds;
import io.sdds.core.control.ControlMessage.AlterReplicas;
import io.sdds.core.control.ControlMessage.TableHealth;
import io.sdds.core.model.Parity;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableKind;
import io.sdds.core.node.FakeWorld;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A table is converted from parity to replicas while bricks die, hang, come back and answer orders by chance, and
 * leaders change. Each command is compared with a model: which processes run.
 */
class ReplicaConversionLossPropertyTest {
    private @Nullable ParityCluster cluster;
    private @Nullable ChanceFaults faults;
    private int losses;
    private int decodings;
    private int followed;
    private int joins;
    private int ended;

    static IntStream runs() {
        return IntStream.range(0, Seeds.part(60));
    }

    @ParameterizedTest
    @MethodSource("runs")
    void noCommandLosesRecordsAndTheTableIsConvertedInTheEnd(int run) {
        SplittableRandom random = new SplittableRandom(Seeds.next("losses while a table is converted back", run));
        Parity parity = new Parity(random.nextBoolean() ? 2 : 4, random.nextInt(1, 3));
        int replicas = random.nextInt(8) == 0 ? 1 : random.nextInt(2, 4);
        int count = parity.bricksToConvert(replicas) + random.nextInt(3);
        int partitions = random.nextInt(1, 3 * parity.columns() + 1);
        long commitNanos = random.nextBoolean() ? 0 : random.nextLong(100_000_000);
        ParityCluster made =
                new ParityCluster(new FakeWorld(random.nextLong()), new InMemoryLog(commitNanos, this::watch), count);
        made.create(TableKind.HASH, parity, partitions);
        ChanceFaults happened = new ChanceFaults(made);
        cluster = made;
        faults = happened;
        made.ask(new AlterReplicas("t", replicas));
        happened.disturb(random);
        happened.calm();
        assertThat(made.state().table(ParityCluster.TABLE).definition().hasParity())
                .as("%s", made.health())
                .isFalse();
        assertThat(made.health()).isEqualTo(new TableHealth(replicas - 1, 0, 0, 0, false));
        assertThat(made.state().migrations()).isEmpty();
        System.out.println("parity " + parity.text() + " to " + replicas + " replicas, " + count + " bricks, "
                + partitions + " partitions: " + losses + " losses, " + decodings + " columns led by parities, "
                + followed + " by backups, " + joins + " backups, " + ended + " groups ended");
    }

    private Result watch(Command command, Supplier<Result> applies) {
        ParityCluster watched = cluster;
        if (watched == null
                || !watched.state().table(ParityCluster.TABLE).definition().isConvertingToReplicas()) {
            return applies.get();
        }
        List<ParityGroup> before = watched.groups();
        Result result = applies.get();
        for (ParityGroup group : before) {
            List<Place> after = IntStream.range(0, group.columns().size())
                    .mapToObj(column -> placeOf(watched, group.first() + column))
                    .toList();
            if (group.standsOnReplicas()) {
                assertFollows(watched, command, group, after);
            } else {
                assertProtected(watched, command, group, after);
            }
        }
        for (ParityGroup group : watched.groups()) {
            GroupLaws.assertEpochs(command, before.get(group.number()), group);
            GroupLaws.assertBricks(command, group);
        }
        return result;
    }

    /** The place of a number that has no column any more, because the conversion has ended, is nowhere. */
    private static Place placeOf(ParityCluster watched, int column) {
        ClusterState state = watched.state();
        return column < state.columns(ParityCluster.TABLE) ? watched.column(column) : Place.NOWHERE;
    }

    /** A partition that a running process has stays with one, or with one that has just died. */
    private void assertFollows(ParityCluster watched, Command command, ParityGroup before, List<Place> after) {
        for (int column = 0; column < after.size(); column++) {
            Place was = before.columns().get(column);
            Place is = after.get(column);
            boolean hasRun = was.members().stream().anyMatch(member -> !watched.killed.contains(member));
            losses += is.lost() && !was.lost() ? 1 : 0;
            followed += !is.lost() && !was.lost() && !is.primary().equals(was.primary()) ? 1 : 0;
            assertThat(!hasRun || is.members().stream().anyMatch(this::counts))
                    .as("column %s of %s, %s after %s", column, before, is, command)
                    .isTrue();
        }
    }

    /**
     * A column of a group that stands on parity is lost only when more members are gone than the group tolerates. It
     * goes on without its backups when a parity leads it. The group stands on replicas only if each column has all its
     * copies, and no member is silent.
     */
    private void assertProtected(ParityCluster watched, Command command, ParityGroup before, List<Place> after) {
        for (int column = 0; column < after.size(); column++) {
            Place was = before.columns().get(column);
            Place is = after.get(column);
            if (is.lost() && !was.lost()) {
                losses++;
                assertThat(before.toDecode(watched.killed::contains))
                        .as("%s after %s", before, command)
                        .isGreaterThan(before.tolerated());
            }
            joins += is.backups().size() > was.backups().size() ? 1 : 0;
            if (!is.lost() && !is.primary().equals(was.primary())) {
                decodings += before.parities().leads(is) ? 1 : 0;
                assertThat(is.backups()).as("%s after %s", before, command).isEmpty();
            }
        }
        boolean hasEnded = watched.state().groups(ParityCluster.TABLE) == 0
                || watched.group(before.number()).standsOnReplicas();
        if (hasEnded) {
            ended++;
            assertThat(command).isInstanceOf(Command.EndConversion.class);
            int replicas =
                    watched.state().table(ParityCluster.TABLE).definition().replicas();
            assertThat(before.areColumnsComplete()).isTrue();
            assertThat(after)
                    .allMatch(place -> place.members().size() == replicas
                            && place.members().stream().allMatch(this::counts));
        }
    }

    private boolean counts(Place.Member member) {
        return Objects.requireNonNull(faults).counts(member);
    }
}
