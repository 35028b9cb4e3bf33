package io.sdds.coordinator.control.parity;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.control.placement.Placement;
import io.sdds.coordinator.control.placement.Placement.Candidate;
import io.sdds.coordinator.state.Command.Host;
import io.sdds.core.Seeds;
import io.sdds.core.model.Parity;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The bricks of parity groups, for random clusters, m, k and numbers of partitions. */
class ParityPlacementPropertyTest {
    private static final int CASES = 2000;
    private static final List<Integer> COLUMNS = List.of(2, 4, 8, 16);

    /** A cluster with at least as many bricks as a group needs, and a table. */
    private record Case(List<Candidate> bricks, Parity parity, int partitions) {
        static Case drawn(SplittableRandom random) {
            Parity parity = new Parity(COLUMNS.get(random.nextInt(4)), random.nextInt(1, Parity.PARITIES_MAX + 1));
            int count = parity.bricks() + random.nextInt(random.nextBoolean() ? 1 : 20);
            List<Candidate> bricks = IntStream.range(0, count)
                    .mapToObj(k -> new Candidate(
                            100 + k,
                            random.nextLong(1, 4),
                            random.nextLong(1 << 20),
                            1 << 30,
                            random.nextInt(9),
                            false))
                    .toList();
            int partitions = random.nextInt(8) == 0 ? 1 : parity.columns() * random.nextInt(1, 33);
            return new Case(Placement.inOrder(bricks), parity, partitions);
        }

        /** The number of hosts on each brick. */
        List<Integer> counts(List<Host> hosts) {
            return bricks.stream()
                    .map(brick ->
                            (int) hosts.stream().filter(brick.host()::equals).count())
                    .toList();
        }
    }

    private static int spread(List<Integer> counts) {
        return counts.stream().mapToInt(n -> n).max().orElseThrow()
                - counts.stream().mapToInt(n -> n).min().orElseThrow();
    }

    @Test
    void eachGroupIsOnDifferentBricksAndAllBricksHaveAboutAsManyColumnsAndParities() {
        SplittableRandom random = Seeds.random("parity placement");
        for (int k = 0; k < CASES; k++) {
            Case drawn = Case.drawn(random);
            ParityPlacement placed = new ParityPlacement(drawn.bricks(), drawn.parity(), drawn.partitions());
            assertGroupsAreOnDifferentBricks(drawn, placed);
            List<Host> all = new ArrayList<>(placed.columns());
            all.addAll(placed.parities());
            assertThat(spread(drawn.counts(all))).as("partitions of %s", drawn).isLessThanOrEqualTo(1);
            assertThat(spread(drawn.counts(placed.parities())))
                    .as("parities of %s", drawn)
                    .isLessThanOrEqualTo(2);
            assertThat(spread(drawn.counts(placed.columns())))
                    .as("columns of %s", drawn)
                    .isLessThanOrEqualTo(3);
        }
    }

    private static void assertGroupsAreOnDifferentBricks(Case drawn, ParityPlacement placed) {
        Parity parity = drawn.parity();
        assertThat(placed.columns()).hasSize(drawn.partitions());
        int groups = parity.groups(drawn.partitions());
        assertThat(placed.parities()).hasSize(groups * parity.parities());
        for (int group = 0; group < groups; group++) {
            int first = group * parity.columns();
            List<Host> members = new ArrayList<>(
                    placed.columns().subList(first, Math.min(first + parity.columns(), drawn.partitions())));
            members.addAll(placed.parities().subList(group * parity.parities(), (group + 1) * parity.parities()));
            Set<Integer> bricks = new HashSet<>();
            members.forEach(host -> bricks.add(host.brick()));
            assertThat(bricks).as("group %s of %s", group, drawn).hasSize(members.size());
        }
    }

    @Test
    void aHeavyBrickGetsTwiceAsManyMembersAsALightOne() {
        List<Candidate> nine = IntStream.rangeClosed(1, 9)
                .mapToObj(k -> new Candidate(k, 1, 0, 1 << 30, 0, false, k <= 3 ? 200 : 100))
                .toList();
        ParityPlacement placed = new ParityPlacement(nine, new Parity(2, 1), 80);
        List<Host> all = new ArrayList<>(placed.columns());
        all.addAll(placed.parities());
        long heavy = all.stream().filter(host -> host.brick() <= 3).count();
        assertThat(all).hasSize(120);
        assertThat(heavy).isBetween(58L, 62L);
    }

    /** The smallest cluster has no choice of bricks, only of roles. */
    @Test
    void paritiesGoAroundWhereEachGroupIsOnAllBricks() {
        List<Candidate> six = IntStream.rangeClosed(1, 6)
                .mapToObj(k -> new Candidate(k, 1, 0, 1 << 30, 0, false))
                .toList();
        ParityPlacement placed = new ParityPlacement(six, new Parity(4, 2), 12);
        assertThat(placed.parities().stream().map(Host::brick)).containsExactly(6, 5, 4, 3, 2, 1);
        assertThat(placed.columns().stream().map(Host::brick)).containsExactly(1, 2, 3, 4, 1, 2, 5, 6, 3, 4, 5, 6);
    }
}
