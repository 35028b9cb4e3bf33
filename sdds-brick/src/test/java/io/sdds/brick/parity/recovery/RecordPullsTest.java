package io.sdds.brick.parity.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.brick.parity.DecodingBudget;
import io.sdds.brick.parity.decoding.RecordDecoder;
import io.sdds.core.model.SplitPolicy;
import io.sdds.core.node.FakeWorld;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.Hello;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which records of a filling column are asked for, and when. */
class RecordPullsTest {
    private static final int RANKS = 10_000;
    private static final int RANKS_OF_ONE = RecordPulls.ranksMax(SplitPolicy.SLICE_BYTES_DEFAULT);

    private final FakeWorld world = new FakeWorld(1);
    private final FakeWorld.FakeEnv env = world.newEnv();
    private final MissingRanks missing = new MissingRanks();
    private final DecodingBudget budget = new DecodingBudget(DecodingBudget.BYTES_MAX);
    private final Sent sent = new Sent();
    private final RecordPulls pulls = newPulls(SplitPolicy.SLICE_BYTES_DEFAULT);

    private RecordPulls newPulls(int sliceBytes) {
        return new RecordPulls(env, missing, sent, budget, sliceBytes);
    }

    private record Request(int number, int[] ranks) {}

    private final class Sent implements RecordPulls.Sender {
        private final List<Request> requests = new ArrayList<>();
        private @Nullable Link link = Link.view(env, null, Hello.of(Hello.Role.BRICK, "p", 1), null);

        @Override
        public @Nullable Link link() {
            return link;
        }

        @Override
        public void send(Link to, int number, int[] ranks) {
            requests.add(new Request(number, ranks));
        }

        List<Request> take() {
            List<Request> taken = List.copyOf(requests);
            requests.clear();
            return taken;
        }
    }

    private void allAreMissing() {
        for (int rank = 0; rank < RANKS; rank++) {
            missing.addRun(rank, new int[] {rank + 1}, 1);
        }
    }

    private void answer(Request request, int records) {
        for (int k = 0; k < records; k++) {
            missing.remove(request.ranks()[k]);
        }
        pulls.answered(request.number(), records * 100L, records);
    }

    /** Each record has 16 MiB, which the first answers tell. */
    @Test
    void theRequestsOfAllColumnsOfAStageShareOneBudget() {
        allAreMissing();
        List<RecordPulls> columns = List.of(pulls, newPulls(SplitPolicy.SLICE_BYTES_DEFAULT));
        for (RecordPulls column : columns) {
            for (int k = 0; k < 40; k++) {
                column.answered(-1, 16 << 20, 1);
            }
            for (int rank = 0; rank < 100; rank++) {
                column.want(rank);
            }
        }
        columns.forEach(RecordPulls::send);
        assertThat(sent.take()).hasSize(4);
        assertThat(budget.usedBytes()).isBetween(63L << 20, 64L << 20);

        columns.forEach(RecordPulls::end);
        assertThat(budget.usedBytes()).isZero();
    }

    @Test
    void aRequestHasAsManyRanksAsFitThePartOfASlice() {
        allAreMissing();
        assertThat(RANKS_OF_ONE).isEqualTo(64);
        assertThat(ranksOfOne(SplitPolicy.SLICE_BYTES_MAX)).isEqualTo(RecordDecoder.RANKS_MAX);
        assertThat(ranksOfOne(16 * 3 * 256)).isEqualTo(16);
        assertThat(ranksOfOne(1)).isEqualTo(1);
    }

    private int ranksOfOne(int sliceBytes) {
        newPulls(sliceBytes).send();
        return sent.take().getFirst().ranks().length;
    }

    @Test
    void theBackgroundHasAWindowOfRequestsInAscendingOrder() {
        allAreMissing();
        pulls.send();
        List<Request> first = sent.take();
        assertThat(first).hasSize(RecordPulls.WINDOW);
        assertThat(first.stream()
                        .flatMapToInt(one -> Arrays.stream(one.ranks()))
                        .toArray())
                .isSorted()
                .startsWith(0, 1, 2)
                .doesNotHaveDuplicates()
                .hasSize(RecordPulls.WINDOW * RANKS_OF_ONE);
        pulls.send();
        assertThat(sent.take()).isEmpty();
        answer(first.get(0), RANKS_OF_ONE);
        pulls.send();
        assertThat(sent.take()).hasSize(1);
    }

    @Test
    void aWantedRecordGoesFirstAndIsAskedForOnce() {
        allAreMissing();
        pulls.want(9000);
        pulls.want(8000);
        pulls.want(9000);
        pulls.send();
        List<Request> first = sent.take();
        assertThat(first.get(0).ranks()).containsExactly(8000, 9000);
        pulls.want(8000);
        pulls.want(first.get(1).ranks()[0]);
        pulls.send();
        assertThat(sent.take().stream().filter(one -> one.ranks()[0] == 8000)).isEmpty();
    }

    @Test
    void oneRequestOfTheBackgroundIsUnderWayWhileClientsWaitForRecords() {
        allAreMissing();
        pulls.want(9000);
        pulls.send();
        List<Request> first = sent.take();
        assertThat(first).hasSize(2);
        answer(first.get(0), 1);
        pulls.send();
        assertThat(sent.take()).hasSize(RecordPulls.WINDOW - 1);
    }

    @Test
    void recordsThatDidNotFitTheAnswerAreAskedForAgain() {
        missing.addRun(1, new int[] {1}, 1);
        missing.addRun(2, new int[] {2}, 1);
        pulls.want(1);
        pulls.want(2);
        pulls.send();
        answer(sent.take().get(0), 1);
        pulls.send();
        assertThat(sent.take().get(0).ranks()).containsExactly(2);
    }

    @Test
    void asksAgainAfterALostAnswerAndAtOnceOverANewLink() {
        missing.addRun(1, new int[] {1}, 1);
        pulls.send();
        assertThat(sent.take()).hasSize(1);
        world.clockOnly(Duration.ofMillis(500));
        pulls.tick();
        pulls.send();
        assertThat(sent.take()).isEmpty();
        world.clockOnly(Duration.ofMillis(600));
        pulls.tick();
        pulls.send();
        assertThat(sent.take()).hasSize(1);
        sent.link = Link.view(env, null, Hello.of(Hello.Role.BRICK, "q", 1), null);
        pulls.send();
        assertThat(sent.take()).hasSize(1);
    }

    @Test
    void aParityMemberThatCannotDecodeIsAskedLessAndNotBeforeTheNextTick() {
        allAreMissing();
        pulls.send();
        sent.take().forEach(one -> answer(one, 0));
        pulls.send();
        assertThat(sent.take()).isEmpty();
        pulls.tick();
        world.clockOnly(Duration.ofMillis(100));
        pulls.send();
        assertThat(sent.take()).hasSize(1);
    }

    @Test
    void recordsThatWereNotDecodedDoNotDelayTheOthers() {
        for (int rank = 0; rank < 2 * RANKS_OF_ONE; rank++) {
            missing.addRun(rank, new int[] {rank + 1}, 1);
        }
        pulls.send();
        List<Request> both = sent.take();
        answer(both.get(0), 0);
        answer(both.get(1), RANKS_OF_ONE);
        pulls.tick();
        pulls.send();
        assertThat(sent.take().get(0).ranks()).isEqualTo(both.get(0).ranks());
    }

    @Test
    void longRecordsAreAskedForInShortRequests() {
        allAreMissing();
        pulls.send();
        Request first = sent.take().get(0);
        for (int rank : first.ranks()) {
            missing.remove(rank);
        }
        pulls.answered(first.number(), 64L << 20, RANKS_OF_ONE);
        world.clockOnly(Duration.ofSeconds(1));
        pulls.send();
        assertThat(sent.take().get(0).ranks()).hasSize(1);
    }

    @Test
    void thePaceBoundsTheBackground() {
        for (int rank = 0; rank < 1_000_000; rank++) {
            missing.addRun(rank, new int[] {rank + 1}, 1);
        }
        long records = 0;
        for (int turn = 0; turn < 1000; turn++) {
            world.clockOnly(Duration.ofMillis(1));
            pulls.send();
            for (Request one : sent.take()) {
                answer(one, one.ranks().length);
                records += one.ranks().length;
            }
        }
        long most = FillPace.BYTES_PER_SECOND / (FillPace.RECORD_BYTES + 100);
        assertThat(records).isBetween(most / 2, most + most / 4);
    }
}
