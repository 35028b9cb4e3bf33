package io.sdds.cli.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.testkit.check.Operation.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Each check of the load beside hash tables accepts what is right, and finds what is planted wrong. */
class SideChecksTest {
    private static final int FIRST = 3;
    private static final int LAST = 7;

    private static Map.Entry<String, String> standing(int number) {
        String key = StandingRecords.key(number);
        return Map.entry(key, StandingRecords.value(key));
    }

    /** A right answer, with a key that passes. */
    private static List<Map.Entry<String, String>> answer() {
        List<Map.Entry<String, String>> answer = new ArrayList<>();
        for (int k = FIRST; k <= LAST; k++) {
            answer.add(standing(k));
            if (k == FIRST) {
                answer.add(Map.entry(StandingRecords.between(k, 1), "passes"));
            }
        }
        return answer;
    }

    private static String faultOf(List<Map.Entry<String, String>> answer) {
        return Objects.requireNonNullElse(StandingRecords.faultOfRange(answer, FIRST, LAST, false), "");
    }

    @Test
    void aRightAnswerToARangeIsRightInBothDirections() {
        List<Map.Entry<String, String>> answer = answer();
        assertThat(faultOf(answer)).isEmpty();
        Collections.reverse(answer);
        assertThat(StandingRecords.faultOfRange(answer, FIRST, LAST, true)).isNull();
        assertThat(StandingRecords.faultOfScan(answer, FIRST, LAST)).isNull();
    }

    @Test
    void aStandingRecordThatIsMissingIsFound() {
        List<Map.Entry<String, String>> answer = answer();
        answer.remove(standing(5));
        assertThat(faultOf(answer)).isEqualTo("missing: [r.1005], too many: []");
        assertThat(StandingRecords.faultOfScan(answer, FIRST, LAST)).isEqualTo("missing: [r.1005], too many: []");
    }

    @Test
    void aRecordThatComesTwiceIsFound() {
        List<Map.Entry<String, String>> inOrder = answer();
        inOrder.add(inOrder.size(), standing(LAST));
        assertThat(faultOf(inOrder)).isEqualTo("r.1007 came after r.1007");
        assertThat(StandingRecords.faultOfScan(inOrder, FIRST, LAST)).isEqualTo("missing: [], too many: [r.1007]");
        List<Map.Entry<String, String>> passing = answer();
        passing.add(1, passing.get(1));
        assertThat(faultOf(passing)).isEqualTo("r.1003+1 came after r.1003+1");
    }

    @Test
    void anOrderThatIsWrongIsFound() {
        List<Map.Entry<String, String>> answer = answer();
        assertThat(StandingRecords.faultOfRange(answer, FIRST, LAST, true)).isEqualTo("r.1003+1 came after r.1003");
        Collections.swap(answer, 3, 4);
        assertThat(faultOf(answer)).isEqualTo("r.1005 came after r.1006");
    }

    @Test
    void aRecordOutsideTheRangeIsFound() {
        List<Map.Entry<String, String>> answer = answer();
        answer.add(Map.entry(StandingRecords.between(LAST, 0), "passes"));
        assertThat(faultOf(answer)).isEqualTo("r.1007+0 is not in the range");
    }

    @Test
    void aWrongValueIsFound() {
        List<Map.Entry<String, String>> answer = answer();
        answer.set(0, Map.entry(StandingRecords.key(FIRST), "passes"));
        assertThat(faultOf(answer)).isEqualTo("r.1003 had the value passes");
    }

    @Test
    void aRecordThatIsGoneBeforeItsTimeIsFound() {
        ShortLived record = new ShortLived("t.1.1", 1_000_000_000L, Duration.ofMillis(500));
        assertThat(record.faultOfAbsence(1_500_000_000L)).isNull();
        assertThat(record.faultOfAbsence(1_499_999_999L))
                .isEqualTo("t.1.1 was gone 499 ms after its write began, before its time to live of 500 ms had passed");
    }

    @Test
    void aCounterHoldsWhatWasAcknowledgedAndMayHoldWhatIsUnknown() {
        Recorder recorder = new Recorder(null);
        recorder.take(1, new Event.Adds(1, "sum0", 10));
        recorder.take(1, new Event.Added(1, Result.OK));
        recorder.take(1, new Event.Adds(2, "sum0", 5));
        recorder.take(1, new Event.Added(2, Result.UNKNOWN));
        recorder.take(1, new Event.Adds(3, "sum0", 7));
        recorder.take(1, new Event.Added(3, Result.REFUSED));
        recorder.take(2, new Event.Adds(1, "sum0", 100));
        recorder.gone(2); // it was killed
        Sums sums = recorder.sums();
        assertThat(sums.acknowledged()).containsExactly(Map.entry("sum0", 10L));
        assertThat(sums.fault("sum0", 10)).isNull();
        assertThat(sums.fault("sum0", 115)).isNull();
        assertThat(sums.fault("sum0", 9)).isEqualTo("counter sum0 is 9, not between 10 and 115");
        assertThat(sums.fault("sum0", 116)).isEqualTo("counter sum0 is 116, not between 10 and 115");
    }

    private static List<String> faultsAtTheEnd(List<Map.Entry<String, String>> hash, Sums sums) {
        List<Map.Entry<String, String>> range =
                List.copyOf(StandingRecords.all().entrySet());
        return new SideAudit(() -> hash, () -> range, Duration.ofMillis(10)).faults(sums);
    }

    private static List<Map.Entry<String, String>> hashTable() {
        List<Map.Entry<String, String>> hash =
                new ArrayList<>(StandingRecords.all().entrySet());
        hash.add(Map.entry("sum0", "10"));
        return hash;
    }

    @Test
    void theLastLookFindsWhatIsMissingMiscountedOrNotExpired() {
        Sums sums = new Sums();
        sums.acknowledge("sum0", 10);
        assertThat(faultsAtTheEnd(hashTable(), sums)).isEmpty();

        List<Map.Entry<String, String>> missing = hashTable();
        missing.remove(standing(5));
        assertThat(faultsAtTheEnd(missing, sums))
                .containsExactly("the last scan of the hash table: missing: [r.1005], too many: []");

        List<Map.Entry<String, String>> left = hashTable();
        left.add(Map.entry("t.1.7", "expires"));
        assertThat(faultsAtTheEnd(left, sums)).containsExactly("these records have not expired: [t.1.7]");

        sums.acknowledge("sum0", 1);
        assertThat(faultsAtTheEnd(hashTable(), sums)).containsExactly("counter sum0 is 10, not between 11 and 11");
    }

    @Test
    void whatAClientFindsWrongIsRecorded() {
        Recorder recorder = new Recorder(null);
        Event said = Event.parse(new Event.Wrong("client1, expiry: t.1.1 was gone").toString());
        assertThat(said).isNotNull();
        recorder.take(1, Objects.requireNonNull(said));
        assertThat(recorder.wrongs()).containsExactly("client1, expiry: t.1.1 was gone");
    }
}
