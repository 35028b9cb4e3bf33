package io.sdds.brick.parity.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.brick.parity.RecoveryCounters;
import io.sdds.brick.parity.decoding.RecordDecoder;
import io.sdds.brick.parity.records.ParityRecords;
import io.sdds.core.Seeds;
import io.sdds.core.protocol.Status;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Gets of a lost column are decoded together, and each is answered as if it had come alone. */
class DegradedReadsTest {
    private static final int VALUE_BYTES = 100;
    private static final int LEASE_MILLIS = 100_000;

    private DegradedFixture group = new DegradedFixture(2, 1);

    @AfterEach
    void close() {
        group.close();
    }

    /** Column 0 had so many records, and is lost. */
    private void lost(int records) {
        group.fill(records, k -> VALUE_BYTES);
        group.lose(0);
    }

    private void group(int columns, int parities) {
        group.close();
        group = new DegradedFixture(columns, parities);
    }

    /** Gets of the keys from one number to another, with these numbers as correlations. */
    private void get(int from, int to) {
        for (int k = from; k < to; k++) {
            group.get(k, 0, DegradedFixture.key(0, k));
        }
    }

    /** As many decodings as may be are under way, for the gets 0 to 2. Later gets wait. */
    private void beginDecodings() {
        for (int k = 0; k < DecodedGets.BATCHES_MAX; k++) {
            get(k, k + 1);
            group.endTurn();
        }
    }

    private void checkAnswers(int from, int to) {
        for (int k = from; k < to; k++) {
            assertThat(group.statuses.get(k)).as("get %d", k).isEqualTo(Status.OK);
            assertThat(group.values.get(k)).as("get %d", k).isEqualTo(DegradedFixture.value(0, k, VALUE_BYTES));
        }
    }

    private void checkStatuses(int from, int to, byte status) {
        for (int k = from; k < to; k++) {
            assertThat(group.statuses.get(k)).as("get %d", k).isEqualTo(status);
        }
    }

    private static int rank(int k) {
        return k; // the columns are filled from rank 0 on
    }

    private long count(RecoveryCounters.Event event) {
        return group.bricks.get(group.lead).groups.recoveryCounters().count(event);
    }

    // ---- gets together

    @Test
    void getsOfOneTurnAreDecodedTogether() {
        lost(100);
        get(0, 100);
        assertThat(group.statuses).isEmpty();
        group.endTurn();
        group.pump();
        checkAnswers(0, 100);
        assertThat(group.ranksWanted).containsExactly(100);
        assertThat(count(RecoveryCounters.Event.DEGRADED_READ)).isEqualTo(100);
    }

    @Test
    void aGetIsNotAddedToADecodingThatIsUnderWay() {
        lost(10);
        group.get(0, 0, DegradedFixture.key(0, 0));
        group.endTurn();
        group.get(1, 0, DegradedFixture.key(0, 0));
        group.endTurn();
        group.pump();
        assertThat(group.ranksWanted).as("one rank, decoded twice").containsExactly(1, 1);
        assertThat(group.statuses).containsExactlyInAnyOrderEntriesOf(Map.of(0, Status.OK, 1, Status.OK));
    }

    @Test
    void getsWaitForTheNextDecodingWhileThreeAreUnderWay() {
        lost(20);
        for (int k = 0; k < 20; k++) {
            get(k, k + 1);
            group.endTurn();
        }
        group.pump();
        checkAnswers(0, 20);
        assertThat(group.ranksWanted).containsExactly(1, 1, 1, 17);
    }

    @Test
    void aRankThatSeveralGetsNeedIsDecodedOnce() {
        lost(10);
        for (int k = 0; k < 50; k++) {
            group.get(k, 0, DegradedFixture.key(0, 3 + k % 2));
        }
        group.endTurn();
        group.pump();
        assertThat(group.ranksWanted).containsExactly(2);
        for (int k = 0; k < 50; k++) {
            assertThat(group.values.get(k)).isEqualTo(DegradedFixture.value(0, 3 + k % 2, VALUE_BYTES));
        }
    }

    @Test
    void aKeyWithoutRecordIsAnsweredAtOnceAndBeginsNoDecoding() {
        lost(10);
        group.get(1, 0, "absent");
        group.endTurn();
        group.pump();
        checkStatuses(1, 2, Status.ABSENT);
        assertThat(group.ranksWanted).isEmpty();
    }

    // ---- bounds

    @Test
    void aDecodingHasAsManyRanksAsAFrameMayHave() {
        lost(600);
        get(0, 600);
        group.endTurn();
        group.pump();
        checkAnswers(0, 600);
        assertThat(group.ranksWanted).containsExactly(256, 256, 88);
    }

    @Test
    void longRecordsAreDecodedInSeveralFramesOfBoundedBytes() {
        group.fill(8, k -> 30_000);
        group.lose(0);
        get(0, 8);
        group.endTurn();
        group.pump();
        checkStatuses(0, 8, Status.OK);
        assertThat(group.ranksWanted).containsExactly(2, 2, 2, 2);
    }

    @Test
    void aRecordThatIsLongerThanTheBoundIsDecodedAlone() {
        group.fill(3, k -> 100_000);
        group.lose(0);
        get(0, 3);
        group.endTurn();
        group.pump();
        checkStatuses(0, 3, Status.OK);
        assertThat(group.values.get(2)).isEqualTo(DegradedFixture.value(0, 2, 100_000));
        assertThat(group.ranksWanted).containsExactly(1, 1, 1);
    }

    @Test
    void onlyTheFirstOfManyLongParityRecordsAreDecoded() {
        lost(8);
        byte[] noise = new byte[300_000];
        noise[noise.length - 1] = 1;
        ParityRecords records = group.parity().records();
        for (int k = 0; k < 8; k++) {
            assertThat(records.tryFold(
                            1, k, MemorySegment.ofArray(noise), 0, noise.length, records.fingerprint(1, k), true))
                    .isTrue();
        }
        int[] decoded = {0};
        boolean begun = group.parity().decoder().decode(0, new int[] {1, 2, 3, 5, 7}, 5, new RecordDecoder.Listener() {
            @Override
            public void decoded(RecordDecoder.Records first) {
                decoded[0] = first.count();
            }

            @Override
            public void failed() {}
        });
        assertThat(begun).isTrue();
        group.endTurn();
        group.pump();
        assertThat(decoded[0]).isEqualTo(3);
        assertThat(group.ranksWanted).containsExactly(3);
    }

    @Test
    void getsBeyondTheBoundAreAnsweredBusyAndLaterOnesAreTakenAgain() {
        lost(1_100);
        get(0, 1_100);
        group.endTurn();
        checkStatuses(1_024, 1_100, Status.BUSY);
        group.pump();
        checkAnswers(0, 1_024);
        group.get(5_000, 0, DegradedFixture.key(0, 1_050));
        group.endTurn();
        group.pump();
        assertThat(group.statuses.get(5_000)).isEqualTo(Status.OK);
    }

    // ---- what happens meanwhile

    @Test
    void getsOfAnEarlierEpochAreAnsweredBusyWhetherTheyWaitOrAreDecoded() {
        lost(20);
        beginDecodings();
        get(3, 20);
        group.endTurn();
        group.raiseEpochs();
        group.pump();
        checkStatuses(0, 20, Status.BUSY);
        group.tick();
        group.pump();
        group.get(100, 0, DegradedFixture.key(0, 7));
        group.endTurn();
        group.pump();
        checkStatuses(100, 101, Status.OK);
    }

    @Test
    void aGetThatWaitsInOneEpochIsNotDecodedWithOneOfTheNext() {
        lost(20);
        get(0, 10);
        group.raiseEpochs();
        group.tick();
        group.pump();
        get(10, 20);
        group.endTurn();
        group.pump();
        checkStatuses(0, 10, Status.BUSY);
        checkAnswers(10, 20);
        assertThat(group.ranksWanted).containsExactly(10);
    }

    @Test
    void getsWhoseLeaseEndsMeanwhileAreAnsweredBusy() {
        lost(20);
        group.world.clockOnly(Duration.ofHours(1));
        group.lease(Duration.ofMillis(LEASE_MILLIS).toNanos());
        get(0, 20);
        group.endTurn();
        group.world.clockOnly(Duration.ofMillis(LEASE_MILLIS + 1));
        group.pump();
        checkStatuses(0, 20, Status.BUSY);
    }

    @Test
    void getsAreAnsweredBusyWhenAColumnDoesNotAnswer() {
        lost(20);
        group.bricks.get(1).hangs = true;
        beginDecodings();
        get(3, 20);
        group.endTurn();
        group.pump();
        assertThat(group.statuses).isEmpty();
        group.world.clockOnly(Duration.ofMillis(500));
        group.tick();
        checkStatuses(0, 20, Status.BUSY);
        group.bricks.get(1).hangs = false;
        group.get(50, 0, DegradedFixture.key(0, 3));
        group.endTurn();
        group.pump();
        checkStatuses(50, 51, Status.OK);
    }

    @Test
    void aDamagedRecordFailsItsOwnGetsOnly() {
        lost(20);
        ParityRecords records = group.parity().records();
        MemorySegment noise = MemorySegment.ofArray(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1});
        assertThat(records.tryFold(1, rank(7), noise, 0, 16, records.fingerprint(1, rank(7)), true))
                .isTrue();
        get(0, 20);
        group.get(100, 0, DegradedFixture.key(0, 7));
        group.endTurn();
        group.pump();
        checkAnswers(0, 7);
        checkAnswers(8, 20);
        checkStatuses(7, 8, Status.INTERNAL_ERROR);
        checkStatuses(100, 101, Status.INTERNAL_ERROR);
        assertThat(count(RecoveryCounters.Event.DECODED_NOT_WHOLE)).isEqualTo(1);
    }

    @Test
    void whenTheMemberEndsAllGetsAreAnsweredBusy() {
        lost(20);
        beginDecodings();
        get(3, 20);
        group.bricks.get(group.lead).parity.parities().dropTable(DegradedFixture.TABLE);
        group.endTurn();
        checkStatuses(0, 20, Status.BUSY);
    }

    // ---- more members

    @Test
    void twoLostColumnsAreReadAtATime() {
        group(4, 2);
        group.fill(50, k -> 20 + k);
        group.lose(0);
        group.lose(2);
        for (int k = 0; k < 50; k++) {
            group.get(k, 0, DegradedFixture.key(0, k));
            group.get(100 + k, 2, DegradedFixture.key(2, k));
        }
        group.endTurn();
        group.pump();
        for (int k = 0; k < 50; k++) {
            assertThat(group.values.get(k)).isEqualTo(DegradedFixture.value(0, k, 20 + k));
            assertThat(group.values.get(100 + k)).isEqualTo(DegradedFixture.value(2, k, 20 + k));
        }
        assertThat(group.ranksWanted).as("of two living columns").containsExactly(50, 50, 50, 50);
    }

    @Test
    void aColumnIsReadAtTheSecondParityWhenTheFirstIsMissing() {
        group.close();
        group = new DegradedFixture(4, 2, 1);
        group.fill(50, k -> 20 + k);
        group.lose(3);
        for (int k = 0; k < 50; k++) {
            group.get(k, 3, DegradedFixture.key(3, k));
        }
        group.endTurn();
        group.pump();
        for (int k = 0; k < 50; k++) {
            assertThat(group.values.get(k)).isEqualTo(DegradedFixture.value(3, k, 20 + k));
        }
    }

    /** No column is asked, so a decoding may end within the call that begins it. */
    @Test
    void allColumnsAreLost() {
        group(2, 2);
        group.fill(50, k -> VALUE_BYTES);
        group.lose(0);
        group.lose(1);
        get(0, 50);
        group.endTurn();
        group.pump();
        checkAnswers(0, 50);
        assertThat(group.ranksWanted).as("of the other parity").containsExactly(50);
    }

    // ---- the logical time

    /** A tenth of a second passes so many times. */
    private void pass(int ticks) {
        for (int k = 0; k < ticks; k++) {
            group.tick();
            group.pump();
        }
    }

    private byte statusOf(int correlation, int k) {
        group.get(correlation, 0, DegradedFixture.key(0, k));
        group.endTurn();
        group.pump();
        return group.statuses.get(correlation);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aRecordExpiresInTimeThoughAParityLeadsItsColumn(int parities) {
        group(2, parities);
        group.put(0, 0, "v", 2_000);
        group.put(0, 1, "v", 60_000);
        group.pump();
        pass(5);
        group.lose(0);
        pass(14);
        assertThat(statusOf(0, 0)).isEqualTo(Status.OK);
        pass(3);
        assertThat(statusOf(1, 0)).isEqualTo(Status.ABSENT);
        assertThat(statusOf(2, 1)).isEqualTo(Status.OK);
    }

    /** The time that passes before a parity leads counts, too. */
    @Test
    void aRecordExpiresInTimeThoughNobodyLedItsColumnForAWhile() {
        group(2, 1);
        group.put(0, 0, "v", 2_000);
        group.pump();
        pass(2);
        group.bricks.get(0).hangs = true;
        pass(15);
        group.lose(0);
        pass(1);
        assertThat(statusOf(0, 0)).isEqualTo(Status.OK);
        pass(3);
        assertThat(statusOf(1, 0)).isEqualTo(Status.ABSENT);
    }

    /** What has expired at the first parity is not there again at the second. */
    @Test
    void theTimeDoesNotGoBackWhenAnotherParityLeads() {
        group(2, 2);
        group.put(0, 0, "v", 1_000);
        group.put(0, 1, "v", 60_000);
        group.pump();
        pass(2);
        group.lose(0);
        pass(10);
        assertThat(statusOf(0, 0)).isEqualTo(Status.ABSENT);
        group.loseLead();
        assertThat(statusOf(1, 0)).isEqualTo(Status.ABSENT);
        assertThat(statusOf(2, 1)).isEqualTo(Status.OK);
    }

    // ---- beside writes

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void getsAreAnsweredWithTheLostRecordsBesideWritesOfTheOtherColumns(int run) {
        Random random = new Random(Seeds.next("DegradedReadsTest.getsAreAnswered", run));
        int records = 60;
        group(4, 2);
        group.fill(records, k -> 50 + k);
        List<Integer> lost = new ArrayList<>(new TreeSet<>(List.of(0, random.nextInt(4))));
        lost.forEach(column -> group.put(column, records, "v", 3_600_000)); // so the time moves
        pass(2);
        lost.forEach(group::lose);
        Map<Integer, String> expected = new HashMap<>();
        for (int k = 0; k < 3_000; k++) {
            int column = random.nextInt(4);
            int choice = random.nextInt(10);
            if (choice < 3) {
                int of = lost.get(random.nextInt(lost.size()));
                int record = random.nextInt(records);
                group.get(k, of, DegradedFixture.key(of, record));
                expected.put(k, DegradedFixture.value(of, record, 50 + record));
            } else if (choice < 4 && !lost.contains(column)) {
                group.write(random, column, random.nextInt(2 * records));
            } else if (choice < 5) {
                group.endTurn();
            } else if (choice < 9) {
                group.deliver(random);
            } else if (k % 4 == 0) {
                group.world.clockOnly(Duration.ofMillis(1));
                group.lookAtClocks();
            }
        }
        group.endTurn();
        group.pump();
        assertThat(group.statuses.keySet()).isEqualTo(expected.keySet());
        int ok = 0;
        for (Map.Entry<Integer, Byte> answer : group.statuses.entrySet()) {
            if (answer.getValue() == Status.OK) {
                assertThat(group.values.get(answer.getKey())).isEqualTo(expected.get(answer.getKey()));
                ok++;
            } else {
                assertThat(answer.getValue()).isEqualTo(Status.BUSY);
            }
        }
        assertThat(ok).as("of %d gets", expected.size()).isGreaterThan(expected.size() / 2);
    }
}
