package io.sdds.sim.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.testkit.check.LinearizabilityChecker;
import io.sdds.testkit.check.Operation;
import io.sdds.testkit.check.Operation.Kind;
import io.sdds.testkit.check.Operation.Result;
import io.sdds.testkit.check.Violation;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the checkers say of updates that add to a number, and of queries whose filters look at values. */
class RowChecksTest {
    private static Operation write(Kind kind, String value, Result result, long start, long end) {
        return new Operation(1, kind, "k", value, null, result, null, start, end);
    }

    private static Operation read(@Nullable String value, long start, long end) {
        Result result = value == null ? Result.ABSENT : Result.VALUE;
        return new Operation(2, Kind.GET, "k", null, null, result, value, start, end);
    }

    private static boolean isLinearizable(Operation... operations) {
        return LinearizabilityChecker.check(List.of(operations)).isEmpty();
    }

    @Test
    void anAddThatCountsTwiceIsFound() {
        Operation put = write(Kind.PUT, "40", Result.OK, 0, 1);
        Operation add = write(Kind.ADD, "2", Result.OK, 2, 3);
        assertThat(isLinearizable(put, add, read("42", 4, 5))).isTrue();
        assertThat(isLinearizable(put, add, read("44", 4, 5))).isFalse();
        assertThat(isLinearizable(put, add, read("40", 4, 5))).isFalse();
    }

    @Test
    void anAddOfUnknownOutcomeCountsOnceOrNot() {
        Operation put = write(Kind.PUT, "40", Result.OK, 0, 1);
        Operation add = write(Kind.ADD, "2", Result.UNKNOWN, 2, Operation.OPEN);
        assertThat(isLinearizable(put, add, read("40", 4, 5), read("42", 6, 7))).isTrue();
        assertThat(isLinearizable(put, add, read("42", 4, 5), read("44", 6, 7))).isFalse();
    }

    @Test
    void anAddMakesNoRecordAndChangesNoText() {
        assertThat(isLinearizable(write(Kind.ADD, "2", Result.ABSENT, 0, 1), read(null, 2, 3)))
                .isTrue();
        assertThat(isLinearizable(write(Kind.ADD, "2", Result.OK, 0, 1), read("2", 2, 3)))
                .isFalse();
        Operation text = write(Kind.PUT, "c1-0", Result.OK, 0, 1);
        assertThat(isLinearizable(text, write(Kind.ADD, "2", Result.FALSE, 2, 3), read("c1-0", 4, 5)))
                .isTrue();
        assertThat(isLinearizable(text, write(Kind.ADD, "2", Result.OK, 2, 3))).isFalse();
    }

    private static List<Violation> scanned(List<RecordedScan.Entry> found, Operation... operations) {
        RecordedScan scan = RecordedScan.ofRows(9, found, (key, value) -> value.startsWith("c"), 100, 200);
        return new ScanChecker(List.of(operations)).check(List.of(scan));
    }

    @Test
    void aFilterOnValuesGivesWhatPassesThroughout() {
        Operation passes = write(Kind.PUT, "c1-0", Result.OK, 0, 1);
        assertThat(scanned(List.of(), passes)).isNotEmpty();
        assertThat(scanned(List.of(new RecordedScan.Entry("k", "c1-0")), passes))
                .isEmpty();
        assertThat(scanned(List.of(), passes, write(Kind.PUT, "7", Result.OK, 150, 160)))
                .isEmpty();
        assertThat(scanned(List.of(), write(Kind.PUT, "7", Result.OK, 0, 1))).isEmpty();
    }

    @Test
    void whatAFilterOnValuesDoesNotPassMayNotCome() {
        Operation fails = write(Kind.PUT, "7", Result.OK, 0, 1);
        assertThat(scanned(List.of(new RecordedScan.Entry("k", "7")), fails)).isNotEmpty();
    }
}
