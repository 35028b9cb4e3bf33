package io.sdds.sim.check;

import static io.sdds.testkit.check.Histories.delete;
import static io.sdds.testkit.check.Histories.get;
import static io.sdds.testkit.check.Histories.put;
import static io.sdds.testkit.check.Histories.unknown;
import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.client.internal.routing.KeyBounds;
import io.sdds.testkit.check.LinearizabilityChecker;
import io.sdds.testkit.check.Operation;
import io.sdds.testkit.check.Violation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScanCheckerTest {
    private static List<Violation> check(RecordedScan scan, Operation... operations) {
        return new ScanChecker(List.of(operations)).check(List.of(scan));
    }

    /** A scan from 100 to 200 that gave these keys, with values named after them. */
    private static RecordedScan scan(String... keys) {
        List<RecordedScan.Entry> entries = new ArrayList<>();
        for (String key : keys) {
            entries.add(new RecordedScan.Entry(key, "of " + key));
        }
        return new RecordedScan(9, entries, true, 100, 200);
    }

    @Test
    void wantsWhatWasThereThroughoutExactlyOnce() {
        assertThat(check(scan("a"), put("a", "of a", 0, 1))).isEmpty();
        assertThat(check(scan(), put("a", "of a", 0, 1))).hasSize(1);
        assertThat(check(scan("a", "a"), put("a", "of a", 0, 1))).hasSize(1);
    }

    @Test
    void wantsNothingThatWasNeverThere() {
        assertThat(check(scan("a"))).isNotEmpty();
        assertThat(check(scan("a"), put("a", "of a", 201, 202))).isNotEmpty();
        assertThat(check(scan("a"), put("a", "of a", 0, 1), delete("a", 2, 3))).hasSize(1);
        assertThat(check(scan("a"), put("a", "another", 0, 1))).hasSize(1);
    }

    @Test
    void leavesFreeWhatChangesMeanwhile() {
        Operation written = put("a", "of a", 150, 160);
        assertThat(check(scan("a"), written)).isEmpty();
        assertThat(check(scan(), written)).isEmpty();
        Operation[] removed = {put("a", "of a", 0, 1), delete("a", 90, 110)};
        assertThat(check(scan("a"), removed)).isEmpty();
        assertThat(check(scan(), removed)).isEmpty();
        Operation[] perhapsRemoved = {put("a", "of a", 0, 1), unknown(delete("a", 50, 60))};
        assertThat(check(scan("a"), perhapsRemoved)).isEmpty();
        assertThat(check(scan(), perhapsRemoved)).isEmpty();
    }

    @Test
    void wantsARecordUntilItMayHaveExpired() {
        Operation expires = new Operation(
                1, Operation.Kind.EXPIRE, "a", null, "of a", Operation.Result.UNKNOWN, null, 150, Operation.OPEN);
        assertThat(check(scan("a"), put("a", "of a", 0, 1), expires)).isEmpty();
        assertThat(check(scan(), put("a", "of a", 0, 1), expires)).isEmpty();
        Operation later = new Operation(
                1, Operation.Kind.EXPIRE, "a", null, "of a", Operation.Result.UNKNOWN, null, 201, Operation.OPEN);
        assertThat(check(scan(), put("a", "of a", 0, 1), later)).hasSize(1);
    }

    @Test
    void takesReadsAsEvidence() {
        Operation[] seen = {unknown(put("a", "of a", 0, 1)), get("a", "of a", 50, 60)};
        assertThat(check(scan(), seen)).hasSize(1);
        assertThat(check(scan("a"), seen)).isEmpty();
    }

    @Test
    void expectsNothingOfAScanThatDidNotEnd() {
        RecordedScan broken = new RecordedScan(9, List.of(), false, 100, 200);
        assertThat(check(broken, put("a", "of a", 0, 1))).isEmpty();
    }

    @Test
    void boundsSizes() {
        ScanChecker checker = new ScanChecker(
                List.of(put("a", "1", 0, 1), put("b", "1", 150, 160), put("c", "1", 0, 1), delete("c", 2, 3)));
        assertThat(checker.checkSize(0, 100, 200)).isNotNull();
        assertThat(checker.checkSize(1, 100, 200)).isNull();
        assertThat(checker.checkSize(2, 100, 200)).isNull();
        assertThat(checker.checkSize(3, 100, 200)).isNotNull();
    }

    @Test
    void readsOfAScanAreJudgedLikeGets() {
        History history = new History();
        history.begin(1, Operation.Kind.PUT, "a", "1", null, 0).end(Operation.Result.OK, null, 10);
        history.begin(1, Operation.Kind.PUT, "a", "2", null, 20).end(Operation.Result.OK, null, 30);
        history.add(new RecordedScan(2, List.of(new RecordedScan.Entry("a", "1")), true, 40, 50));
        assertThat(LinearizabilityChecker.check(history.operations())).isEmpty();
        assertThat(new ScanChecker(history.operations()).check(history.scans())).isEmpty();
        assertThat(LinearizabilityChecker.check(history.withScansAsReads())).hasSize(1);
    }

    @Test
    void aFilterSaysWhatIsGivenAndWhatIsLacking() {
        Operation[] both = {put("a", "of a", 0, 1), put("b", "of b", 0, 1)};
        assertThat(check(filtered("a", scan("a")), both)).isEmpty();
        assertThat(check(filtered("a", scan()), both)).hasSize(1);
        assertThat(check(filtered("a", scan("a", "b")), both)).hasSize(1);
    }

    @Test
    void aRangeSaysWhatIsGivenAndWhatIsLacking() {
        Operation[] all = {put("a", "of a", 0, 1), put("b", "of b", 0, 1), put("c", "of c", 0, 1)};
        KeyBounds fromAToB = range("a", false, "b", true, false);
        assertThat(check(scan("b").of(fromAToB, true), all)).isEmpty();
        assertThat(check(scan().of(fromAToB, true), all)).hasSize(1);
        assertThat(check(scan("a", "b").of(fromAToB, true), all))
                .singleElement()
                .asString()
                .contains("gave what it was not asked for: a");
        assertThat(check(scan("b", "c").of(fromAToB, true), all))
                .singleElement()
                .asString()
                .contains("gave what it was not asked for: c");
        KeyBounds fromAUpToB = range("a", true, "b", false, false);
        assertThat(check(scan("a").of(fromAUpToB, true), all)).isEmpty();
        assertThat(check(scan("b").of(fromAUpToB, true), all)).hasSize(2);
    }

    @Test
    void anOrderedRangeGivesItsKeysInTheOrderOfItsWalk() {
        Operation[] all = {put("a", "of a", 0, 1), put("b", "of b", 0, 1), put("c", "of c", 0, 1)};
        KeyBounds up = range("a", true, "c", true, false);
        assertThat(check(scan("a", "b", "c").of(up, true), all)).isEmpty();
        assertThat(check(scan("a", "c", "b").of(up, true), all))
                .singleElement()
                .asString()
                .contains("gave out of order b");
        KeyBounds down = up.reversed();
        assertThat(check(scan("c", "b", "a").of(down, true), all)).isEmpty();
        assertThat(check(scan("c", "a", "b").of(down, true), all))
                .singleElement()
                .asString()
                .contains("gave out of order b");
        assertThat(check(scan("a", "b", "c").of(down, true), all)).hasSize(2);
        assertThat(check(scan("a", "a", "b", "c").of(up, true), all))
                .as("twice, and so out of order")
                .hasSize(2);
        assertThat(check(scan("c", "a", "b").of(up, false), all)).isEmpty();
    }

    private static KeyBounds range(String from, boolean fromIncluded, String to, boolean toIncluded, boolean down) {
        return new KeyBounds(
                from.getBytes(StandardCharsets.UTF_8),
                fromIncluded,
                to.getBytes(StandardCharsets.UTF_8),
                toIncluded,
                down);
    }

    private static RecordedScan filtered(String key, RecordedScan scan) {
        return new RecordedScan(9, scan.records(), true, scan.startNanos(), scan.endNanos(), key::equals);
    }

    @Test
    void aClearThatWasDoneRemovesEveryKeyBegunBeforeItsEnd() {
        History history = new History();
        history.begin(1, Operation.Kind.PUT, "a", "1", null, 0).end(Operation.Result.OK, null, 10);
        history.beginClear(2, 20).done(30);
        history.begin(1, Operation.Kind.PUT, "b", "1", null, 40).end(Operation.Result.OK, null, 50);
        assertThat(history.operations()).hasSize(3);
        history.begin(1, Operation.Kind.GET, "b", null, null, 60).end(Operation.Result.VALUE, "1", 70);
        assertThat(LinearizabilityChecker.check(history.operations())).isEmpty();
        history.begin(1, Operation.Kind.GET, "a", null, null, 60).end(Operation.Result.VALUE, "1", 70);
        assertThat(LinearizabilityChecker.check(history.operations())).hasSize(1);
        history.add(new RecordedScan(
                2, List.of(new RecordedScan.Entry("a", "1"), new RecordedScan.Entry("b", "1")), true, 80, 90));
        assertThat(new ScanChecker(history.operations()).check(history.scans())).isNotEmpty();
    }

    @Test
    void aClearThatWasNotDoneMayRemoveAnyKeyLaterButOnce() {
        History history = new History();
        history.begin(1, Operation.Kind.PUT, "a", "1", null, 0).end(Operation.Result.OK, null, 10);
        history.beginClear(2, 20);
        history.begin(1, Operation.Kind.GET, "a", null, null, 60).end(Operation.Result.VALUE, "1", 70);
        history.begin(1, Operation.Kind.GET, "a", null, null, 80).end(Operation.Result.ABSENT, null, 90);
        assertThat(LinearizabilityChecker.check(history.operations())).isEmpty();
        history.begin(1, Operation.Kind.PUT, "a", "2", null, 100).end(Operation.Result.OK, null, 110);
        history.begin(1, Operation.Kind.GET, "a", null, null, 120).end(Operation.Result.ABSENT, null, 130);
        assertThat(LinearizabilityChecker.check(history.operations())).hasSize(1);
    }
}
