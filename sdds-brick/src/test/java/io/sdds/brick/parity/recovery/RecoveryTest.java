package io.sdds.brick.parity.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.brick.group.Group;
import io.sdds.brick.group.Groups;
import io.sdds.brick.partition.Partition;
import io.sdds.core.control.ControlMessage.MigrationReport;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.model.Place;
import io.sdds.core.model.SplitPolicy;
import io.sdds.core.protocol.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A lost column gets its spare: the state of the column first, and then the records. */
class RecoveryTest {
    private RecoveryFixture cluster = new RecoveryFixture(64L << 20);

    @AfterEach
    void close() {
        cluster.close();
    }

    private static Place served(long epoch) {
        return Place.of(List.of(RecoveryFixture.SPARE), RecoveryFixture.ORDER, epoch);
    }

    /** The order is in the map. */
    private void order() {
        cluster.map(RecoveryFixture.degraded(2), List.of());
        cluster.map(RecoveryFixture.degraded(2), List.of(RecoveryFixture.order(2)));
    }

    /** The spare is primary, and the column had so many records. */
    private void serves(int records) {
        serves(records, 1);
    }

    /** @param step of the ranks from one record to the next */
    private void serves(int records, int step) {
        cluster.map(RecoveryFixture.degraded(2), List.of());
        for (int k = 0; k < records; k++) {
            cluster.lost(k * step, RecoveryFixture.key(k), "value" + k);
        }
        cluster.map(RecoveryFixture.degraded(2), List.of(RecoveryFixture.order(2)));
        cluster.settle();
        assertThat(cluster.report().state()).isEqualTo(MigrationState.HANDED_OVER);
        cluster.map(served(3), List.of(RecoveryFixture.order(2)));
        cluster.spare.groups.lease(cluster.spare.env.nowNanos() + 1_000_000_000_000L);
        cluster.partition().group().replication().leader().onVote(RecoveryFixture.LEAD, 0, 0, 0, Groups.CREDIT_MIN);
        cluster.collect();
    }

    private byte status(int correlation) {
        cluster.takeAnswers();
        return cluster.answers.getOrDefault(correlation, (byte) -1);
    }

    private void fill() {
        for (int k = 0; k < 100 && cluster.report().state() != MigrationState.FILLED; k++) {
            cluster.settle();
            cluster.tick();
        }
        assertThat(cluster.report().state()).isEqualTo(MigrationState.FILLED);
    }

    // ---- the state of the column

    @Test
    void aSpareThatGetsNothingGivesTheOrderUp() {
        cluster.map(RecoveryFixture.degraded(2), List.of());
        cluster.lost(0, RecoveryFixture.key(0), "v");
        cluster.map(RecoveryFixture.degraded(2), List.of(RecoveryFixture.order(2)));
        for (int k = 0; k < 290; k++) {
            tickWithoutLead();
        }
        assertThat(cluster.report().state()).isEqualTo(MigrationState.SHIPPING);
        for (int k = 0; k < 15; k++) {
            tickWithoutLead();
        }
        assertThat(cluster.report().state()).isEqualTo(MigrationState.ABANDONED);
    }

    private void tickWithoutLead() {
        cluster.collect();
        cluster.toLead.clear();
        cluster.tick();
    }

    /** 40,000 fingerprints and 5,000 results of three sessions take several frames each. */
    @Test
    void theStateComesWholeThoughFramesAreLostRepeatedAndReordered() {
        cluster.map(RecoveryFixture.degraded(2), List.of());
        Random random = new Random(1);
        int records = 0;
        for (int rank = 0; rank < 40_000; rank++) {
            if (random.nextInt(10) > 0) {
                cluster.lost(rank, RecoveryFixture.key(rank), "v");
                records++;
            }
        }
        for (int k = 0; k < 5000; k++) {
            cluster.column().results().take(1 + k % 3, 10 + k, 5, k, (byte) 1, 2L * k);
        }
        cluster.column().results().take(9, 0, 44, 0, (byte) 0, 0);
        cluster.map(RecoveryFixture.degraded(2), List.of(RecoveryFixture.order(2)));
        List<byte[]> seen = new ArrayList<>();
        int rounds = 0;
        while (cluster.report().state() != MigrationState.HANDED_OVER) {
            assertThat(++rounds).isLessThan(500);
            cluster.collect();
            seen.addAll(cluster.toSpare);
            List<byte[]> up = new ArrayList<>(cluster.toLead);
            List<byte[]> down = new ArrayList<>(cluster.toSpare);
            cluster.toLead.clear();
            cluster.toSpare.clear();
            if (!seen.isEmpty() && random.nextBoolean()) {
                down.add(seen.get(random.nextInt(seen.size())));
            }
            Collections.shuffle(down, random);
            up.stream().filter(frame -> random.nextInt(4) > 0).forEach(cluster::deliverToLead);
            down.stream().filter(frame -> random.nextInt(4) > 0).forEach(cluster::deliverToSpare);
            cluster.tick();
        }
        cluster.map(served(3), List.of(RecoveryFixture.order(2)));
        Filling filling = (Filling) cluster.partition().group().missing();
        assertThat(filling.total()).isEqualTo(records);
        assertThat(cluster.partition().bucket().ranks().space().used()).isEqualTo(records);
        List<String> results = new ArrayList<>();
        cluster.partition()
                .results()
                .forEach((session, seq, low, hash, status, value) ->
                        results.add(session + " " + seq + " " + low + " " + hash + " " + status + " " + value));
        List<String> expected = new ArrayList<>();
        cluster.column()
                .results()
                .forEach((session, seq, low, hash, status, value) ->
                        expected.add(session + " " + seq + " " + low + " " + hash + " " + status + " " + value));
        Collections.sort(results);
        Collections.sort(expected);
        assertThat(results).isEqualTo(expected);
    }

    @Test
    void aLeadThatIsNotOfTheEpochDoesNotAnswerAndANewEpochBeginsThePullAgain() {
        order();
        cluster.lost(0, RecoveryFixture.key(0), "v");
        cluster.collect();
        byte[] ofEarlierEpoch = cluster.toLead.remove(0);
        cluster.map(RecoveryFixture.degraded(3), List.of(RecoveryFixture.order(2)));
        cluster.deliverToLead(ofEarlierEpoch);
        assertThat(cluster.takeFromLead()).isEmpty();
        cluster.settle();
        assertThat(cluster.report())
                .isEqualTo(new MigrationReport(RecoveryFixture.ORDER, MigrationState.HANDED_OVER, 0, 1));
    }

    @Test
    void aRequestThatComesBeforeTheOrderIsInTheMapOfTheLeadIsAnsweredAsSoonAsItIs() {
        order();
        cluster.collect();
        byte[] wanted = cluster.toLead.remove(0);
        cluster.close();
        cluster = new RecoveryFixture(64L << 20);
        cluster.map(RecoveryFixture.degraded(2), List.of());
        cluster.lost(0, RecoveryFixture.key(0), "v");
        cluster.deliverToLead(wanted);
        cluster.collect();
        assertThat(cluster.toSpare).isEmpty();
        cluster.map(RecoveryFixture.degraded(2), List.of(RecoveryFixture.order(2)));
        cluster.collect();
        assertThat(cluster.toSpare).hasSize(1);
        cluster.settle();
        assertThat(cluster.report())
                .isEqualTo(new MigrationReport(RecoveryFixture.ORDER, MigrationState.HANDED_OVER, 0, 1));
    }

    @Test
    void theFingerprintsOfManyRanksComeInSeveralFramesForOneRequest() {
        cluster.map(RecoveryFixture.degraded(2), List.of());
        for (int rank = 0; rank < 40_000; rank++) {
            cluster.lost(rank, RecoveryFixture.key(rank), "v");
        }
        cluster.map(RecoveryFixture.degraded(2), List.of(RecoveryFixture.order(2)));
        cluster.collect();
        assertThat(cluster.toLead).hasSize(1);
        cluster.deliverToLead(cluster.toLead.remove(0));
        cluster.collect();
        assertThat(cluster.toSpare).as("16,383 fingerprints each").hasSize(3);
        cluster.toSpare.forEach(cluster::deliverToSpare);
        cluster.toSpare.clear();
        cluster.collect();
        assertThat(cluster.toLead).as("requests for the results").hasSize(1);
        cluster.settle();
        assertThat(cluster.report())
                .isEqualTo(new MigrationReport(RecoveryFixture.ORDER, MigrationState.HANDED_OVER, 0, 40_000));
    }

    @Test
    void aCompleteStateIsKeptInALaterEpoch() {
        order();
        cluster.settle();
        cluster.map(RecoveryFixture.degraded(3), List.of(RecoveryFixture.order(2)));
        assertThat(cluster.report().state()).isEqualTo(MigrationState.HANDED_OVER);
        cluster.collect();
        assertThat(cluster.toLead).isEmpty();
        cluster.map(served(4), List.of(RecoveryFixture.order(2)));
        assertThat(cluster.report().state()).as("the column is empty").isEqualTo(MigrationState.FILLED);
    }

    /** A spare begins its log behind the last entry that the lead told it. So no entry comes while there is a spare. */
    @Test
    void theTimeGoesOnAtTheLeadUntilThereIsASpareAndThenAtTheSpare() {
        long begun = Duration.ofSeconds(5).toNanos();
        cluster.map(RecoveryFixture.degraded(2), List.of());
        cluster.column().takeTotals(1, begun);
        cluster.map(RecoveryFixture.degraded(3), List.of());
        ticks(10);
        long atLead = cluster.column().timeNanos();
        assertThat(atLead).isEqualTo(begun + Duration.ofSeconds(1).toNanos());
        assertThat(cluster.column().committed()).isEqualTo(10);
        cluster.map(RecoveryFixture.degraded(3), List.of(RecoveryFixture.order(3)));
        cluster.settle();
        assertThat(cluster.report().state()).isEqualTo(MigrationState.HANDED_OVER);
        ticks(10);
        assertThat(cluster.column().committed()).isEqualTo(10);
        cluster.map(served(4), List.of(RecoveryFixture.order(3)));
        assertThat(cluster.partition().group().last()).isEqualTo(10);
        assertThat(cluster.partition().group().advance())
                .isEqualTo(atLead + Duration.ofSeconds(1).toNanos());
    }

    @Test
    void theTimeGoesOnAtTheLeadWhenTheSpareIsGone() {
        cluster.map(RecoveryFixture.degraded(2), List.of());
        cluster.column().takeTotals(1, 1);
        cluster.map(RecoveryFixture.degraded(3), List.of(RecoveryFixture.order(3)));
        ticks(10);
        assertThat(cluster.column().timeNanos()).isEqualTo(1);
        cluster.map(RecoveryFixture.degraded(3), List.of());
        ticks(1);
        assertThat(cluster.column().timeNanos())
                .isEqualTo(1 + Duration.ofMillis(1100).toNanos());
    }

    private void ticks(int count) {
        for (int k = 0; k < count; k++) {
            cluster.tick();
        }
    }

    @Test
    void theOrderGoesAndAllMemoryIsFree() {
        cluster.map(RecoveryFixture.degraded(2), List.of());
        for (int rank = 0; rank < 5000; rank++) {
            cluster.lost(rank, RecoveryFixture.key(rank), "v");
        }
        cluster.map(RecoveryFixture.degraded(2), List.of(RecoveryFixture.order(2)));
        cluster.settle();
        assertThat(cluster.spare.store.liveBytes()).isPositive();
        cluster.map(RecoveryFixture.degraded(2), List.of());
        assertThat(cluster.spare.recoveries.reports()).isEmpty();
        cluster.world.run(Duration.ofSeconds(1));
        assertThat(cluster.spare.store.liveBytes()).isZero();
    }

    @Test
    void aSpareWithoutMemoryForTheRanksGivesTheOrderUp() {
        cluster.close();
        cluster = new RecoveryFixture(256 << 10);
        cluster.map(RecoveryFixture.degraded(2), List.of());
        for (int rank = 0; rank < 100_000; rank++) {
            cluster.lost(rank, RecoveryFixture.key(rank), "v");
        }
        cluster.map(RecoveryFixture.degraded(2), List.of(RecoveryFixture.order(2)));
        cluster.settle();
        assertThat(cluster.report().state()).isEqualTo(MigrationState.ABANDONED);
        cluster.world.run(Duration.ofSeconds(1));
        assertThat(cluster.spare.store.liveBytes()).isZero();
    }

    // ---- requests while the column is filling

    @Test
    void aRequestForAMissingRecordWaitsForItAndANewKeyDoesNot() {
        serves(1000);
        cluster.get(1, RecoveryFixture.key(700));
        cluster.get(2, RecoveryFixture.key(2000));
        assertThat(status(2)).isEqualTo(Status.ABSENT);
        assertThat(status(1)).isEqualTo((byte) -1);
        cluster.put(3, RecoveryFixture.key(2001), "new");
        cluster.vote();
        assertThat(status(3)).isEqualTo(Status.OK);
        cluster.toLead.clear();
        cluster.settle();
        assertThat(status(1)).isEqualTo(Status.OK);
    }

    @Test
    void noRecordMovesIntoAHoleBeforeAllRecordsAreHere() {
        serves(300, 2);
        Group group = cluster.partition().group();
        assertThat(group.isSparse()).isTrue();
        assertThat(group.densify()).isFalse();
        fill();
        assertThat(group.densify()).isTrue();
        cluster.vote();
        assertThat(cluster.partition().bucket().ranks().space().isAllocated(1)).isTrue();
    }

    @Test
    void requestsOfOneKeyRunInTheirOrderAfterOnePull() {
        serves(20_000);
        String key = RecoveryFixture.key(15_000);
        cluster.get(1, key);
        cluster.put(2, key, "first");
        cluster.put(3, key, "second");
        cluster.get(4, key);
        cluster.collect();
        List<byte[]> pulls = new ArrayList<>(cluster.toLead);
        cluster.toLead.clear();
        pulls.forEach(cluster::deliverToLead);
        assertThat(cluster.decoder.asked.stream().filter(ranks -> ranks[0] == 15_000))
                .hasSize(1);
        cluster.collect();
        List<byte[]> answers = List.copyOf(cluster.toSpare);
        cluster.toSpare.clear();
        answers.forEach(cluster::deliverToSpare);
        cluster.vote();
        cluster.takeAnswers();
        assertThat(cluster.answered).containsExactlyInAnyOrder(1, 2, 3, 4);
        assertThat(cluster.answered.indexOf(2)).isLessThan(cluster.answered.indexOf(3));
    }

    @Test
    void requestsForManyKeysWaitUntilAllRecordsAreHere() {
        serves(1000);
        cluster.size(1);
        assertThat(status(1)).isEqualTo((byte) -1);
        fill();
        assertThat(status(1)).isEqualTo(Status.OK);
        assertThat(cluster.partition().records()).isEqualTo(1000);
        assertThat(cluster.partition().group().isFilling()).isFalse();
    }

    @Test
    void aRequestThatHasWaitedTooLongIsAnsweredBusy() {
        serves(100);
        cluster.size(1);
        cluster.get(2, RecoveryFixture.key(5));
        for (int k = 0; k < 12; k++) {
            cluster.tick();
        }
        assertThat(status(1)).isEqualTo(Status.BUSY);
        assertThat(status(2)).isEqualTo(Status.BUSY);
    }

    /** The record has been pulled and rewritten when an older slice with it comes. */
    @Test
    void aLateRecordDoesNotOverwriteANewerOne() {
        serves(10);
        cluster.collect();
        cluster.toLead.forEach(cluster::deliverToLead);
        cluster.toLead.clear();
        cluster.collect();
        List<byte[]> late = List.copyOf(cluster.toSpare);
        cluster.settle();
        cluster.put(1, RecoveryFixture.key(3), "rewritten");
        cluster.vote();
        assertThat(status(1)).isEqualTo(Status.OK);
        long version = version(3);
        late.forEach(cluster::deliverToSpare);
        assertThat(version(3)).isEqualTo(version);
        assertThat(cluster.partition().records()).isEqualTo(10);
    }

    private long version(int n) {
        return cluster.spare.store.version(
                cluster.partition().bucket().ranks().space().reference(n));
    }

    @Test
    void aRefusalOfTheParityMemberIsTriedAgain() {
        serves(500);
        cluster.decoder.refuses = true;
        cluster.get(1, RecoveryFixture.key(400));
        cluster.settle();
        cluster.tick();
        cluster.settle();
        assertThat(status(1)).isEqualTo((byte) -1);
        cluster.decoder.refuses = false;
        cluster.tick();
        cluster.settle();
        assertThat(status(1)).isEqualTo(Status.OK);
        fill();
    }

    @Test
    void aDamagedRecordIsNotTakenAndIsAskedForAgain() {
        serves(1);
        cluster.collect();
        cluster.deliverToLead(cluster.toLead.remove(0));
        cluster.collect();
        byte[] damaged = cluster.toSpare.remove(0);
        damaged[damaged.length - 8] ^= 1;
        cluster.deliverToSpare(damaged);
        assertThat(cluster.partition().group().missing().isMissing(0)).isTrue();
        fill();
    }

    @Test
    void aRecordThatCannotBeDecodedKeepsNoOtherFromComing() {
        cluster.decoder.damaged = 10;
        serves(500);
        for (int k = 0; k < 30; k++) {
            cluster.settle();
            cluster.tick();
        }
        assertThat(cluster.partition().records()).isEqualTo(499);
        assertThat(cluster.partition().group().missing().isMissing(10)).isTrue();
        cluster.decoder.damaged = -1;
        fill();
    }

    /** The record expired while nobody had it. */
    @Test
    void aRecordThatHasExpiredIsAbsent() {
        cluster.map(RecoveryFixture.degraded(2), List.of());
        cluster.lost(0, RecoveryFixture.key(0), "v", 1);
        cluster.map(RecoveryFixture.degraded(2), List.of(RecoveryFixture.order(2)));
        serves(0);
        cluster.partition().group().advance();
        cluster.world.run(Duration.ofMillis(1));
        cluster.partition().group().advance();
        cluster.put(1, RecoveryFixture.key(9), "new");
        cluster.vote();
        cluster.get(2, RecoveryFixture.key(0));
        cluster.settle();
        cluster.vote();
        assertThat(status(2)).isEqualTo(Status.ABSENT);
        assertThat(cluster.partition().bucket().mayExpire()).isTrue();
    }

    @Test
    void lostAnswersAreAskedForAgain() {
        serves(500);
        cluster.collect();
        cluster.toLead.clear();
        for (int k = 0; k < 12; k++) {
            cluster.tick();
        }
        fill();
        assertThat(cluster.partition().records()).isEqualTo(500);
    }

    @Test
    void withoutMemoryRequestsForMissingRecordsAreBusyUntilThereIsSome() {
        serves(1000);
        long held = cluster.spare.budget.ordinaryLimitBytes() - cluster.spare.budget.usedBytes();
        assertThat(cluster.spare.budget.reserve(held)).isTrue();
        cluster.get(1, RecoveryFixture.key(700));
        cluster.settle();
        assertThat(status(1)).isEqualTo(Status.BUSY);
        cluster.get(2, RecoveryFixture.key(701));
        assertThat(status(2)).isEqualTo(Status.BUSY);
        assertThat(cluster.report().state()).isEqualTo(MigrationState.HANDED_OVER);
        cluster.spare.budget.release(held);
        fill();
        cluster.get(3, RecoveryFixture.key(700));
        assertThat(status(3)).isEqualTo(Status.OK);
    }

    /** Once given back, the column may be another spare's at any moment. */
    @Test
    void aSpareWhoseMemoryStaysShortGivesTheColumnBackAndServesItNoMore() {
        serves(1000);
        long held = cluster.spare.budget.ordinaryLimitBytes() - cluster.spare.budget.usedBytes();
        assertThat(cluster.spare.budget.reserve(held)).isTrue();
        cluster.settle();
        for (int k = 0; k < 9; k++) {
            cluster.tick();
            cluster.settle();
        }
        assertThat(cluster.report().state()).isEqualTo(MigrationState.HANDED_OVER);
        cluster.tick();
        assertThat(cluster.report().state()).isEqualTo(MigrationState.ABANDONED);
        cluster.get(1, RecoveryFixture.key(700));
        assertThat(status(1)).isNotEqualTo(Status.OK);
        cluster.spare.budget.release(held);
        cluster.map(served(4), List.of(RecoveryFixture.order(2)));
        assertThat(cluster.partition().group().leads()).isFalse();
        assertThat(cluster.report().state()).isEqualTo(MigrationState.ABANDONED);
    }

    @Test
    void theMapDropsASpareThatIsFillingAndNothingIsLeft() {
        serves(1000);
        cluster.get(1, RecoveryFixture.key(700));
        cluster.size(2);
        cluster.collect();
        cluster.partition().group().dissolve();
        cluster.takeAnswers();
        assertThat(cluster.answered).containsExactly(1, 2);
        assertThat(cluster.answers).containsValue(Status.REDIRECT);
        Partition dropped = cluster.partition();
        cluster.spare.tables.remove(dropped);
        cluster.spare.recoveries.free(dropped);
        cluster.map(RecoveryFixture.degraded(4), List.of());
        assertThat(cluster.spare.recoveries.reports()).isEmpty();
        cluster.world.run(Duration.ofSeconds(1));
        assertThat(cluster.spare.store.liveBytes()).isZero();
    }

    @Test
    void theReportCountsRecords() {
        serves(1000);
        assertThat(cluster.report()).isEqualTo(report(MigrationState.HANDED_OVER, 0, 1000));
        cluster.collect();
        cluster.deliverToLead(cluster.toLead.get(0));
        cluster.collect();
        cluster.toSpare.forEach(cluster::deliverToSpare);
        assertThat(cluster.report())
                .isEqualTo(report(
                        MigrationState.HANDED_OVER, RecordPulls.ranksMax(SplitPolicy.SLICE_BYTES_DEFAULT), 1000));
        assertThat(cluster.partition().group().missing().isMissing(999)).isTrue();
        assertThat(cluster.partition().group().missing().isMissing(0)).isFalse();
        assertThat(cluster.partition().group().missing().isMissing(1000)).isFalse();
    }

    private static MigrationReport report(MigrationState state, long done, long total) {
        return new MigrationReport(RecoveryFixture.ORDER, state, done, total);
    }
}
