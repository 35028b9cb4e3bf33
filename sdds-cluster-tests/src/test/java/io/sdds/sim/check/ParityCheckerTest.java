package io.sdds.sim.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sim.check.ParityChecker.Column;
import io.sdds.sim.check.ParityChecker.Copy;
import io.sdds.sim.check.ParityChecker.Group;
import io.sdds.sim.check.ParityChecker.Held;
import io.sdds.sim.check.ParityChecker.State;
import io.sdds.sim.check.ReplicaChecker.Session;
import io.sdds.sim.check.ReplicaChecker.Writes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A parity group that is as it should be gives no line, and each fault its own. */
class ParityCheckerTest {
    private static final State FIRST = new State(7, true, 70, writes(5, 1, Map.of(1L, "status 0")));
    private static final State SECOND = new State(3, true, 30, writes(0, 1, Map.of()));

    private final List<Copy> copies = new ArrayList<>(List.of(
            new Copy("b3", 0, held(0, FIRST, SECOND)),
            new Copy("b4", 1, held(1, FIRST, SECOND)),
            new Copy("b5", -1, null)));

    @Test
    void acceptsParitiesThatKnowWhatTheirPrimariesKnow() {
        assertThat(check()).isEmpty();
    }

    @Test
    void findsMembersOfAGroupOnOneBrick() {
        assertThat(ParityChecker.checkBricks(group("b1", "b2"))).isEmpty();
        assertThat(ParityChecker.checkBricks(group("b2", "b2")))
                .containsExactly("parity group 2: partition 8 and partition 9 are on one brick, b2");
        assertThat(ParityChecker.checkBricks(group("b5", "b4")))
                .containsExactly("parity group 2: partition 9 and parity 1 are on one brick, b4");
    }

    private Group group(String first, String second) {
        return new Group(2, List.of(new Column(8, 0, first, FIRST), new Column(9, 1, second, SECOND)), copies);
    }

    @Test
    void findsAMissingParity() {
        copies.set(1, new Copy("b4", 1, null));
        assertThat(check()).containsExactly("parity group 2: b4 holds no parity, and the map says parity 1");
    }

    @Test
    void findsAParityThatTheMapDoesNotHave() {
        copies.set(2, new Copy("b5", -1, held(0, FIRST, SECOND)));
        assertThat(check()).containsExactly("parity group 2: b5 holds parity 0, and the map says no parity");
    }

    @Test
    void findsAParityOfAnotherIndex() {
        copies.set(0, new Copy("b3", 0, held(1, FIRST, SECOND)));
        assertThat(check()).containsExactly("parity group 2: b3 holds parity 1, and the map says parity 0");
    }

    @Test
    void findsAColumnThatIsBehindOrUndecidedOrOfAnotherVersion() {
        differs(new State(6, true, 70, FIRST.writes()), "committed are 6 entries, at the primary 7");
        differs(
                new State(7, false, 70, FIRST.writes()),
                "committed are 7 entries, at the primary 7; more are in the log");
        differs(new State(7, true, 69, FIRST.writes()), "version 69, at the primary 70");
    }

    private void differs(State first, String fault) {
        copies.set(1, new Copy("b4", 1, held(1, first, SECOND)));
        assertThat(check()).containsExactly("parity group 2, parity 1 at b4, partition 8: " + fault);
    }

    @Test
    void acceptsAnyVersionOfAColumnWithoutEntries() {
        State empty = new State(0, true, 0, writes(0, 0, Map.of()));
        copies.set(0, new Copy("b3", 0, held(0, empty, SECOND)));
        copies.set(1, new Copy("b4", 1, held(1, empty, SECOND)));
        State primary = new State(0, true, 1L << 40, writes(0, 0, Map.of()));
        Group group = new Group(2, List.of(new Column(8, 0, "b1", primary)), copies);
        assertThat(ParityChecker.check(group)).isEmpty();
    }

    @Test
    void findsResultsAndTimesThatDiffer() {
        copies.set(1, new Copy("b4", 1, held(1, new State(7, true, 70, writes(4, 1, Map.of())), SECOND)));
        assertThat(check())
                .containsExactly(
                        "partition 8 has different logical times: {b3=5, b4=4, primary=5}",
                        "partition 8 keeps different results of session 9 from 1 on: {b3={1=status 0}, b4={},"
                                + " primary={1=status 0}}");
    }

    @Test
    void tellsWhatTheRecordsOfAParityDifferIn() {
        copies.set(1, new Copy("b4", 1, new Held(1, List.of(FIRST, SECOND), List.of("rank 3 is wrong"))));
        assertThat(check()).containsExactly("parity group 2, parity 1 at b4: rank 3 is wrong");
    }

    @Test
    void acceptsRanksThatReferToTheirRecords() {
        assertThat(ranks(2, Map.of(0, 100L, 5, 200L), Map.of(100L, 0, 200L, 5))).isEmpty();
    }

    @Test
    void findsRanksThatDoNotReferToTheirRecords() {
        assertThat(ranks(3, Map.of(0, 100L, 5, 200L), Map.of(100L, 0, 200L, 5)))
                .containsExactly("partition 8 uses 3 ranks for 2 records");
        assertThat(ranks(2, Map.of(0, 200L, 5, 100L), Map.of(100L, 0, 200L, 5)))
                .containsExactly(
                        "partition 8: record 100 has rank 0, whose record is 200",
                        "partition 8: record 200 has rank 5, whose record is 100");
        assertThat(ranks(1, Map.of(0, 100L, 5, 200L), Map.of(100L, 0)))
                .containsExactly("partition 8: rank 5 is of 200, which is no record");
    }

    private static List<String> ranks(int used, Map<Integer, Long> references, Map<Long, Integer> records) {
        return ParityChecker.checkRanks(8, used, new TreeMap<>(references), new TreeMap<>(records));
    }

    private List<String> check() {
        return ParityChecker.check(group("b1", "b2"));
    }

    private static Held held(int index, State first, State second) {
        return new Held(index, List.of(first, second), List.of());
    }

    private static Writes writes(long timeNanos, long low, Map<Long, String> results) {
        return new Writes(timeNanos, Map.of(9L, new Session(low, new TreeMap<>(results))));
    }
}
