package io.sdds.coordinator.control.parity;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.control.ParityCluster;
import io.sdds.coordinator.control.base.InMemoryLog;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.ParityGroup;
import io.sdds.coordinator.state.Result;
import io.sdds.core.Seeds;
import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.control.ControlMessage.SplitWanted;
import io.sdds.core.control.ControlMessage.TableHealth;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Parity;
import io.sdds.core.model.ParityMembers;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.node.FakeWorld;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Parity groups while bricks die, hang, come back, want to split partitions and answer repairs and splits by chance,
 * and leaders change. Each command is compared with a model: which processes were really killed.
 */
class ParityLossPropertyTest {
    private static final int STEPS = 400;
    private static final int GROUPS = 3;

    /** A table with so many partitions wants no more splits. */
    private static final int PARTITIONS_MOST = 24;

    /** Heartbeats until everything is repaired at the end. */
    private static final int PATIENCE = 150;

    /** Heartbeats after which no order points at a dead process, if the leader is the same. */
    private static final int SILENCE = 12;

    private @Nullable ParityCluster cluster;

    /** The heartbeat at which each dead process died. */
    private final Map<Integer, Integer> diedAt = new HashMap<>();

    /** The recoveries whose spares have all records, also those that have not said so yet. */
    private final Set<Long> filled = new HashSet<>();

    private int losses;
    private int beginnings;
    private int repairs;
    private int splits;

    static IntStream runs() {
        return IntStream.range(0, Seeds.part(40));
    }

    @ParameterizedTest
    @MethodSource("runs")
    void groupsLoseNothingThatCanBeDecodedAndAreWholeInTheEnd(int run) {
        SplittableRandom random = new SplittableRandom(Seeds.next("losses of parity groups", run));
        Parity parity = new Parity(random.nextBoolean() ? 2 : 4, random.nextInt(1, 4));
        int count = parity.bricks() + random.nextInt(3);
        long commitNanos = random.nextBoolean() ? 0 : random.nextLong(100_000_000);
        ParityCluster made =
                new ParityCluster(new FakeWorld(random.nextLong()), new InMemoryLog(commitNanos, this::watch), count);
        cluster = made;
        made.create(parity, GROUPS * parity.columns());
        disturb(made, random);
        calm(made);
        assertThat(made.state().lostPartitions(ParityCluster.TABLE)).isZero();
        assertThat(made.health()).isEqualTo(new TableHealth(parity.parities(), 0, 0, 0, false));
        assertThat(groups(made)).noneMatch(ParityLossPropertyTest::sharesABrick);
        assertThat(made.state().migrations()).isEmpty();
        System.out.println(parity + ", " + count + " bricks: " + losses + " columns lost, " + beginnings
                + " idle ones begun again, " + repairs + " repairs, " + splits + " splits");
    }

    // ---- what happens

    private void disturb(ParityCluster made, SplittableRandom random) {
        Map<Long, SplittableRandom> fates = new HashMap<>();
        made.answers(order -> answer(made, order, fates.computeIfAbsent(order.id(), id -> random.split())));
        made.answersSplits(order -> answerSplit(fates.computeIfAbsent(order.id(), id -> random.split())));
        int stable = 0;
        int deaths = random.nextInt(1, 5);
        for (int step = 0; step < STEPS; step++) {
            fill(made, random);
            int brick = random.nextInt(1, made.bricks.size() + 1);
            int what = random.nextInt(100);
            if (what < deaths) {
                if (!made.isDead(made.brick(brick))) {
                    made.kill(brick);
                    diedAt.put(brick, step);
                }
            } else if (what < deaths + 2) {
                if (!made.isDead(made.brick(brick))) {
                    made.hanging.add(brick);
                }
            } else if (what < 20) {
                made.goOn(brick);
            } else if (what < 30 && made.isDead(made.brick(brick))) {
                made.restart(brick);
            } else if (what == 99) {
                made.leaderChanges();
                stable = 0;
            }
            wantSplit(made, random);
            made.beat(1);
            stable++;
            if (stable > SILENCE) {
                assertOrdersPointAtRunningProcesses(made, step);
            }
            if (step % 50 == 49 && random.nextBoolean()) {
                made.acceptLoss();
            }
        }
    }

    /** In some steps the brick of the partition with the split token wants to split it. */
    private static void wantSplit(ParityCluster made, SplittableRandom random) {
        made.bricks.forEach(brick -> brick.wanted.clear());
        int partitions = made.state().partitionsOrdered(ParityCluster.TABLE);
        int token = LinearHashing.splitPointer(partitions);
        Place place = made.column(token);
        if (!place.lost() && partitions < PARTITIONS_MOST && random.nextInt(3) == 0) {
            made.brick(place.brick()).wanted.add(new SplitWanted(ParityCluster.TABLE, token));
        }
    }

    private static MigrationState answerSplit(SplittableRandom fate) {
        return switch (fate.nextInt(10)) {
            case 0 -> MigrationState.ABANDONED;
            case 1 -> MigrationState.HANDED_OVER;
            default -> MigrationState.SHIPPING;
        };
    }

    /** Spares get the last records. They say so with their next heartbeats. */
    private void fill(ParityCluster made, SplittableRandom random) {
        for (ParityGroup group : groups(made)) {
            if (lacking(group, made.killed::contains) <= group.tolerated()) {
                group.repairs().stream()
                        .filter(order -> group.isFilling(group.column(order.receiver())) && random.nextInt(4) == 0)
                        .forEach(order -> filled.add(order.id()));
            }
        }
    }

    /** The members that a group has to decode, without the columns whose spares have all records. */
    private int lacking(ParityGroup group, Predicate<Member> isGone) {
        long complete = group.repairs().stream()
                .filter(order -> filled.contains(order.id()) && !isGone.test(order.learner()))
                .filter(order -> group.isFilling(group.column(order.receiver())))
                .filter(order -> !group.isUnused(order.receiver()))
                .count();
        return group.toDecode(isGone) - (int) complete;
    }

    /** Answers as bricks would: nothing can be decoded while more members are dead than the group tolerates. */
    private MigrationState answer(ParityCluster made, MigrationOrder order, SplittableRandom fate) {
        ParityGroup group = made.group(
                made.state().table(order.table()).definition().parity().group(order.sender()));
        boolean canDecode = lacking(group, made.killed::contains) <= group.tolerated();
        if (filled.contains(order.id())) {
            return MigrationState.FILLED;
        }
        int drawn = fate.nextInt(10);
        if (drawn == 0) {
            return MigrationState.ABANDONED;
        }
        if (drawn < 5 || !canDecode) {
            return MigrationState.SHIPPING;
        }
        return group.isFilling(group.column(order.receiver())) ? MigrationState.SHIPPING : MigrationState.HANDED_OVER;
    }

    private void assertOrdersPointAtRunningProcesses(ParityCluster made, int step) {
        for (MigrationOrder order : made.state().repairs()) {
            int target = order.learner().brick();
            boolean isPrimary = made.column(order.receiver()).primary().equals(order.learner());
            if (made.killed.contains(order.learner()) && !isPrimary) {
                assertThat(step - diedAt.get(target)).as("%s", order).isLessThanOrEqualTo(SILENCE);
            }
        }
    }

    /** Everything is up again, and losses are accepted. */
    private void calm(ParityCluster made) {
        made.answerAtOnce();
        made.answersSplits(order -> MigrationState.HANDED_OVER);
        made.bricks.forEach(brick -> brick.wanted.clear());
        for (int k = 0; k < PATIENCE; k++) {
            for (int brick = 1; brick <= made.bricks.size(); brick++) {
                made.goOn(brick);
                if (made.isDead(made.brick(brick))) {
                    made.restart(brick);
                }
            }
            made.beat(1);
        }
        for (int column = 0; column < made.state().columns(ParityCluster.TABLE); column++) {
            assertThat(made.state().isIdle(ParityCluster.TABLE, column)
                            && made.column(column).lost())
                    .as("idle column %s is lost", column)
                    .isFalse();
        }
        if (made.state().lostPartitions(ParityCluster.TABLE) > 0) {
            made.acceptLoss();
            made.beat(PATIENCE);
        }
    }

    // ---- what is compared

    private Result watch(Command command, Supplier<Result> applies) {
        ParityCluster watched = cluster;
        if (watched == null || watched.state().tables().isEmpty()) {
            return applies.get();
        }
        List<ParityGroup> before = groups(watched);
        int partitions = watched.state().table(ParityCluster.TABLE).partitions();
        Result result = applies.get();
        List<ParityGroup> after = groups(watched);
        for (int number = 0; number < before.size(); number++) {
            assertEpochs(command, before.get(number), after.get(number));
            assertLosses(watched, command, before.get(number), after.get(number));
            assertBricks(command, after.get(number));
        }
        for (MigrationOrder order : watched.state().repairs()) {
            Member target = order.learner();
            assertThat(watched.state().isCurrent(target.brick(), target.incarnation()))
                    .as("%s after %s", order, command)
                    .isTrue();
        }
        for (MigrationOrder order : watched.state().splits()) {
            ParityGroup group = watched.group(parityOf(watched).group(order.sender()));
            assertThat(group.recovery(order.sender()))
                    .as("%s after %s", order, command)
                    .isNull();
        }
        if (command instanceof Command.CommitMigration) {
            boolean isSplit = watched.state().table(ParityCluster.TABLE).partitions() > partitions;
            splits += isSplit ? 1 : 0;
            repairs += isSplit ? 0 : 1;
        }
        return result;
    }

    private static Parity parityOf(ParityCluster watched) {
        return watched.state().table(ParityCluster.TABLE).definition().parity();
    }

    private static List<ParityGroup> groups(ParityCluster watched) {
        List<ParityGroup> groups = new ArrayList<>();
        for (int number = 0; number < watched.state().groups(ParityCluster.TABLE); number++) {
            groups.add(watched.group(number));
        }
        return groups;
    }

    /**
     * Epochs rise by one with each change of the members, and all of them with a change of the parities, or when an
     * idle column begins again.
     */
    private void assertEpochs(Command command, ParityGroup before, ParityGroup after) {
        long begun = IntStream.range(0, before.columns().size())
                .filter(column -> beginsAgain(command, before, after, column))
                .count();
        beginnings += (int) begun;
        boolean parities = begun > 0 || !before.parities().equals(after.parities());
        for (int column = 0; column < before.columns().size(); column++) {
            Place was = before.columns().get(column);
            Place is = after.columns().get(column);
            boolean changes = !is.lost() && (parities || !is.primary().equals(was.primary()));
            assertThat(is.epoch())
                    .as("column %s of %s after %s", column, before, command)
                    .isEqualTo(was.epoch() + (changes ? 1 : 0));
        }
    }

    /** Whether an idle column begins empty at another process, which no parity does for it. */
    private static boolean beginsAgain(Command command, ParityGroup before, ParityGroup after, int column) {
        Place was = before.columns().get(column);
        Place is = after.columns().get(column);
        boolean begins = command instanceof Command.ChangeParityGroups
                && !is.lost()
                && !is.primary().equals(was.primary())
                && !before.parities().leads(is);
        if (begins) {
            assertThat(before.mayBeginAgain(before.first() + column))
                    .as("column %s of %s after %s", column, before, command)
                    .isTrue();
            assertThat(after.parities()).isEqualTo(ParityMembers.missing(before.tolerated()));
            assertThat(is.migration()).isZero();
        }
        return begins;
    }

    /** A column is lost only when more members are dead, or have no records yet, than the group tolerates. */
    private void assertLosses(ParityCluster watched, Command command, ParityGroup before, ParityGroup after) {
        for (int column = 0; column < before.columns().size(); column++) {
            if (after.columns().get(column).lost()
                    && !before.columns().get(column).lost()) {
                losses++;
                assertThat(command).isInstanceOf(Command.ChangeParityGroups.class);
                assertThat(lacking(before, watched.killed::contains))
                        .as("%s after %s", before, command)
                        .isGreaterThan(before.tolerated());
                assertThat(lacking(
                                before,
                                process ->
                                        watched.state().brick(process.brick()).incarnation() > process.incarnation()))
                        .as("the proof for %s after %s", before, command)
                        .isGreaterThan(before.tolerated());
            }
        }
    }

    private static boolean sharesABrick(ParityGroup group) {
        return group.columns().stream().map(Place::brick).distinct().count()
                < group.columns().size();
    }

    /** No brick holds two members of a group of which one is a parity, unless the parity leads the other one. */
    private static void assertBricks(Command command, ParityGroup group) {
        Set<Integer> parities = new HashSet<>();
        for (Member parity : group.parities().present()) {
            assertThat(parities.add(parity.brick()))
                    .as("two parities in %s after %s", group, command)
                    .isTrue();
        }
        for (Place column : group.columns()) {
            if (!column.lost() && !group.isDegraded(column)) {
                assertThat(parities)
                        .as("data beside parity in %s after %s", group, command)
                        .doesNotContain(column.brick());
            }
        }
    }
}
