package io.sdds.sim.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sim.check.ReplicaChecker.Copy;
import io.sdds.sim.check.ReplicaChecker.Held;
import io.sdds.sim.check.ReplicaChecker.Session;
import io.sdds.sim.check.ReplicaChecker.Standing;
import io.sdds.sim.check.ReplicaChecker.Writes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A group that is as it should be gives no line, and each thing wrong with it its own. */
class ReplicaCheckerTest {
    private static final Map<String, String> RECORDS = Map.of("a", "1 until 0 77", "b", "2 until 0 88");

    private final List<Copy> copies = new ArrayList<>(List.of(
            new Copy("b1", true, true, held(true, true, RECORDS)),
            new Copy("b2", true, false, held(true, false, RECORDS)),
            new Copy("b3", false, false, null)));

    @Test
    void acceptsAGroupThatIsHeldByItsMembersAndTheSameAtEach() {
        assertThat(check()).isEmpty();
    }

    @Test
    void findsAMemberWithoutItsCopy() {
        copies.set(1, new Copy("b2", true, false, null));
        assertThat(check()).containsExactly("partition 7 at b2 is missing");
    }

    @Test
    void findsACopyThatIsNoMembers() {
        copies.set(2, new Copy("b3", false, false, held(true, false, RECORDS)));
        assertThat(check()).containsExactly("partition 7 at b3 is held by no member");
    }

    @Test
    void findsCopiesThatDiffer() {
        differs(Map.of("a", "1 until 0 77"));
        differs(Map.of("a", "1 until 0 77", "b", "3 until 0 88"));
        differs(Map.of("a", "1 until 0 77", "b", "2 until 5 88"));
        differs(Map.of("a", "1 until 0 77", "b", "2 until 0 88", "c", "1 until 0 99"));
        differs(Map.of());
    }

    private void differs(Map<String, String> atTheBackup) {
        copies.set(1, new Copy("b2", true, false, held(true, false, atTheBackup)));
        assertThat(check()).singleElement().asString().startsWith("partition 7 differs between its copies:");
    }

    @Test
    void acceptsResultsBelowTheHighestLowThatOneCopyHasDropped() {
        remember(writes(5, 1, Map.of(1L, "status 1", 3L, "status 0")), writes(5, 3, Map.of(3L, "status 0")));
        assertThat(check()).isEmpty();
    }

    @Test
    void findsResultsThatDiffer() {
        remember(writes(5, 1, Map.of(3L, "status 1")), writes(5, 3, Map.of(3L, "status 0")));
        assertThat(check())
                .singleElement()
                .asString()
                .startsWith("partition 7 keeps different results of session 9 from 3 on:");
        remember(writes(5, 1, Map.of(3L, "status 1")), new Writes(5, Map.of()));
        assertThat(check()).hasSize(1);
    }

    @Test
    void findsLogicalTimesThatDiffer() {
        remember(writes(5, 1, Map.of()), writes(6, 1, Map.of()));
        assertThat(check()).containsExactly("partition 7 has different logical times: {b1=5, b2=6}");
    }

    private static Writes writes(long timeNanos, long low, Map<Long, String> results) {
        return new Writes(timeNanos, Map.of(9L, new Session(low, new TreeMap<>(results))));
    }

    private void remember(Writes primary, Writes backup) {
        copies.set(0, new Copy("b1", true, true, new Held(new Standing(true, true, ""), RECORDS, primary)));
        copies.set(1, new Copy("b2", true, false, new Held(new Standing(true, false, ""), RECORDS, backup)));
    }

    @Test
    void looksAtNoRecordsWhereThereAreNone() {
        copies.replaceAll(copy -> copy.held() == null
                ? copy
                : new Copy(copy.brick(), true, copy.isPrimary(), held(true, copy.isPrimary(), null)));
        assertThat(check()).isEmpty();
    }

    @Test
    void findsWhatIsUndecided() {
        copies.set(1, new Copy("b2", true, false, held(false, false, RECORDS)));
        assertThat(check()).singleElement().asString().startsWith("partition 7 at b2, a backup,");
    }

    @Test
    void findsTwoThatLeadAndNoneThatDoes() {
        copies.set(1, new Copy("b2", true, false, held(true, true, RECORDS)));
        assertThat(check()).singleElement().asString().startsWith("partition 7 at b2, a backup,");
        copies.set(1, new Copy("b2", true, false, held(true, false, RECORDS)));
        copies.set(0, new Copy("b1", true, true, held(true, false, RECORDS)));
        assertThat(check()).singleElement().asString().startsWith("partition 7 at b1, the primary,");
    }

    @Test
    void findsACopyThatTakesPartInNoGroup() {
        copies.set(0, new Copy("b1", true, true, new Held(null, RECORDS, null)));
        assertThat(check()).containsExactly("partition 7 at b1 has no group");
    }

    @Test
    void countsTheMembersThatTheMapHas() {
        assertThat(ReplicaChecker.check(7, 1, 1, 2, false, copies)).containsExactly("partition 7 has 1 copies of 2");
        assertThat(ReplicaChecker.check(7, 1, 1, 2, true, copies)).isEmpty();
        assertThat(ReplicaChecker.check(7, 3, 3, 2, true, copies)).containsExactly("partition 7 has 3 copies of 2");
    }

    @Test
    void findsTwoCopiesOnOneBrick() {
        assertThat(ReplicaChecker.check(7, 2, 1, 2, false, copies))
                .containsExactly("partition 7 has 2 copies on 1 brick");
    }

    private List<String> check() {
        return ReplicaChecker.check(7, 2, 2, 2, false, copies);
    }

    private static Held held(boolean decided, boolean leads, Map<String, String> records) {
        return new Held(new Standing(decided, leads, "as told by the group"), records, null);
    }
}
