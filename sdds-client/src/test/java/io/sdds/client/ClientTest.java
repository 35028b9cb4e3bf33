package io.sdds.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import io.sdds.client.internal.EnvClients;
import io.sdds.client.internal.routing.FakeCluster;
import io.sdds.client.internal.routing.FakeCluster.Answer;
import io.sdds.core.LogLines;
import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.addressing.PseudoKey;
import io.sdds.core.control.ControlMessage.BlockFetched;
import io.sdds.core.control.ControlMessage.CreateTable;
import io.sdds.core.control.ControlMessage.DropTable;
import io.sdds.core.control.ControlMessage.FetchBlock;
import io.sdds.core.control.ControlMessage.FetchStatus;
import io.sdds.core.control.ControlMessage.FindTable;
import io.sdds.core.control.ControlMessage.OpenSession;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.ControlMessage.RenewSession;
import io.sdds.core.control.ControlMessage.SessionOpened;
import io.sdds.core.control.ControlMessage.TableFound;
import io.sdds.core.model.AddressBlock;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.Place;
import io.sdds.core.model.Routing;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableMap;
import io.sdds.core.model.TableSpec;
import io.sdds.core.node.FakeWorld;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests of a client whose cluster is busy, changing, or partly gone. */
class ClientTest {
    private ClientFixture world = new ClientFixture(3, 5);

    private HashTable<String, String> table() {
        return world.table;
    }

    // ---- operations

    @Test
    void operationsAnswerWhatTheyPromise() {
        assertThat(world.await(table().getAsync("a"))).isNull();
        world.await(table().putAsync("a", "1"));
        assertThat(world.await(table().getAsync("a"))).isEqualTo("1");
        assertThat(world.await(table().putIfAbsentAsync("a", "2"))).isFalse();
        assertThat(world.await(table().putIfAbsentAsync("b", "2"))).isTrue();
        assertThat(world.await(table().replaceAsync("c", "3"))).isFalse();
        assertThat(world.await(table().replaceAsync("b", "3"))).isTrue();
        assertThat(world.await(table().compareAndSetAsync("b", "2", "4"))).isFalse();
        assertThat(world.await(table().compareAndSetAsync("b", "3", "4"))).isTrue();
        assertThat(world.await(table().getAsync("b"))).isEqualTo("4");
        assertThat(world.await(table().incrementAsync("b", 3))).isEqualTo(7);
        assertThat(world.await(table().incrementAsync("n", -3))).isEqualTo(-3);
        assertThat(world.await(table().removeAsync("n"))).isTrue();
        assertThat(world.await(table().removeAsync("n"))).isFalse();
        world.await(table().putAsync("text", "no number"));
        assertThat(world.awaitFailure(table().incrementAsync("text", 1), NotANumberException.class)
                        .isOutcomeUnknown())
                .isFalse();
    }

    @Test
    void aRequestThatTwoBricksNameAsTheirEndGoesToNoThird() {
        int[] ended = new int[1];
        world.cluster.script(
                request -> request.opcode() == Opcode.PUT && ++ended[0] > 0 ? Answer.of(Status.FATAL) : null);
        assertThat(world.awaitFailure(table().putAsync("a", "1"), UnavailableException.class))
                .hasMessageContaining("two bricks failed at the request")
                .matches(SddsException::isOutcomeUnknown);
        assertThat(ended[0]).isEqualTo(2);
    }

    @Test
    void aRequestOutlivesAnyNumberOfBricksThatEndWithoutNamingIt() {
        int[] ended = new int[1];
        world.cluster.script(request -> request.opcode() == Opcode.GET && ++ended[0] < 5 ? Answer.CLOSE : null);
        assertThat(world.await(table().getAsync("a"))).isNull();
        assertThat(ended[0]).isEqualTo(5);
    }

    @Test
    void batchesLargerThanWhatIsOutstandingAtATimeComplete() {
        Map<String, String> records = records(2000);
        world.await(table().putAllAsync(records));
        assertThat(world.cluster.records()).isEqualTo(2000);

        List<String> wanted = new ArrayList<>(records.keySet());
        wanted.add("absent");
        assertThat(world.await(table().getAllAsync(wanted))).isEqualTo(records);
    }

    @Test
    void aBatchLeavesInOneFlushForEachBrick() {
        Map<String, String> records = records(50);
        world.await(table().putAllAsync(records)); // opens the session, learns the image and dials
        long before = world.statistics().flushes();
        world.await(table().putAllAsync(records));
        long bricks = world.statistics().flushes() - before;
        assertThat(bricks).isBetween(1L, 3L);
        assertThat(world.await(table().getAllAsync(records.keySet()))).isEqualTo(records);
        assertThat(world.statistics().flushes()).isEqualTo(before + 2 * bricks);
    }

    @Test
    void aBatchEndsWithItsFirstFailureWhenAllUnderWayHasEnded() {
        world.cluster.script(request -> request.seq() == 700 ? Answer.of(Status.MEMORY_FULL) : null);
        Map<String, String> records = records(2000);

        world.awaitFailure(table().putAllAsync(records), MemoryFullException.class);

        assertThat(world.cluster.records()).isBetween(699, 1999);
    }

    @Test
    void refusesKeysAndValuesBeyondTheLimits() {
        assertThatThrownBy(() -> table().getAsync("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> table().getAsync("k".repeat(65_536)))
                .isInstanceOf(RecordTooLargeException.class)
                .hasMessageContaining("65536");
        assertThatThrownBy(() -> table().putAsync("k", "v".repeat((16 << 20) + 1)))
                .isInstanceOf(RecordTooLargeException.class);
        assertThat(world.cluster.requests()).isZero();
    }

    @Test
    void carriesTheLargestKeyAndValue() {
        String key = "k".repeat(65_535);
        String value = "v".repeat(16 << 20);
        world.await(table().putAsync(key, value));
        assertThat(world.await(table().getAsync(key))).isEqualTo(value);
    }

    @Test
    void blockingCallsOnTheLoopAreRefusedAtOnce() {
        assertThatIllegalStateException().isThrownBy(() -> table().get("a")).withMessageContaining("Async");
        assertThatIllegalStateException().isThrownBy(() -> table().put("a", "b"));
        assertThatIllegalStateException().isThrownBy(() -> world.client.tables());
        assertThat(world.cluster.requests()).isZero();
    }

    @Test
    void aCallbackHearsInsteadOfTheFuture() {
        world.await(table().putAsync("warm", "up"));
        List<String> heard = new ArrayList<>();
        table().putAsync("a", "1", (nothing, failure) -> heard.add("put " + failure));
        table().getAsync("a", (value, failure) -> heard.add("get " + value));
        world.runUntil(() -> heard.size() == 2, 1000);
        assertThat(heard).containsExactly("put null", "get 1");
    }

    @Test
    void aFailingCallbackDisturbsNobody() {
        table().getAsync("a", (value, failure) -> {
            throw new IllegalArgumentException("on purpose");
        });
        CompletableFuture<String> next = table().getAsync("b");
        assertThat(world.await(next)).isNull();
        assertThat(world.statistics().linksLost()).isZero();
    }

    // ---- images

    @Test
    void aNewImageGrowsByAboutTheLogarithmOfThePartitions() {
        world = new ClientFixture(
                4, 700, ClientSettings.builder().learnByAdjustmentsOnly(true).build());
        for (int k = 0; k < 20_000; k++) {
            world.await(table().getAsync("key" + k));
        }
        ClientStatistics statistics = world.statistics();
        assertThat(statistics.imageChanges()).isBetween(5L, 20L);
        assertThat(statistics.addressingForwards()).isLessThan(2 * statistics.addressingErrors() + 1);
        assertThat(statistics.blocksFetched()).isBetween(2L, 20L);
    }

    @Test
    void learnsOfSplitsAndMovesFromReplies() {
        for (int k = 0; k < 60; k++) {
            world.cluster.split();
        }
        for (int k = 0; k < 2000; k++) {
            world.await(table().putAsync("key" + k, "v"));
        }
        assertThat(world.statistics().addressingErrors()).isBetween(1L, 40L);

        for (int a = 0; a < world.cluster.partitions(); a++) {
            world.cluster.move(a, 1 + a % 3);
        }
        for (int k = 0; k < 500; k++) {
            world.await(table().getAsync("key" + k));
        }
        long before = world.statistics().locationForwards();
        for (int k = 0; k < 500; k++) {
            world.await(table().getAsync("key" + k));
        }
        assertThat(before).isPositive();
        assertThat(world.statistics().locationForwards()).isEqualTo(before);
    }

    // ---- refusals

    @Test
    void absorbsBusyWithOnePauseForABatch() {
        Set<Long> refused = new HashSet<>();
        world.cluster.script(
                request -> request.opcode() == Opcode.PUT && refused.add(request.seq()) ? Answer.busy(20) : null);
        List<CompletableFuture<Void>> puts = new ArrayList<>();
        for (int k = 0; k < 100; k++) {
            puts.add(table().putAsync("key" + k, "v"));
        }
        puts.forEach(world::await);
        assertThat(world.cluster.records()).isEqualTo(100);
        assertThat(world.statistics().busy()).isEqualTo(100);
        assertThat(world.statistics().retries()).isEqualTo(100);
    }

    @Test
    void inFailFastModeRefusesAtOnceWhatFindsALongQueueForABusyBrick() {
        world = new ClientFixture(3, 5, ClientSettings.builder().failFast(true).build());
        int[] refusals = {1};
        world.cluster.script(request -> refusals[0]-- > 0 ? Answer.busy(50) : null);
        List<CompletableFuture<Void>> first = new ArrayList<>();
        for (int k = 0; k < 100; k++) {
            first.add(table().putAsync("key" + k, "v"));
        }
        first.forEach(world::await);
        List<CompletableFuture<Void>> crowd = new ArrayList<>();
        for (int k = 0; k < 1000; k++) {
            crowd.add(table().putAsync("more" + k, "v"));
        }
        List<CompletableFuture<Void>> atOnce =
                crowd.stream().filter(CompletableFuture::isDone).toList();
        int refused = atOnce.size();
        for (CompletableFuture<Void> put : crowd) {
            if (atOnce.contains(put)) {
                assertThat(world.awaitFailure(put, OverloadedException.class))
                        .hasMessageContaining("is busy, and enough requests wait for it")
                        .hasMessageContaining("not applied");
            } else {
                world.await(put);
            }
        }
        assertThat(refused).isBetween(1, 990);
        assertThat(world.statistics().heldBack()).isEqualTo(refused);
        assertThat(world.cluster.records()).isEqualTo(100 + 1000 - refused);
    }

    @Test
    void failsAsOverloadedAtItsDeadlineAndNotBefore() {
        world.cluster.script(request -> Answer.busy(1));
        List<CompletableFuture<Void>> puts = new ArrayList<>();
        for (int k = 0; k < 3000; k++) {
            puts.add(table().putAsync("key" + k, "v"));
        }
        world.run(ClientFixture.TIMEOUT_MILLIS - 100);
        assertThat(puts).noneMatch(CompletableFuture::isDone);
        for (CompletableFuture<Void> put : puts) {
            assertThat(world.awaitFailure(put, OverloadedException.class))
                    .hasMessageContaining("busy brick until its deadline")
                    .hasMessageContaining("not applied")
                    .matches(failure -> !failure.isOutcomeUnknown());
        }
        assertThat(world.statistics().busy()).isLessThan(1000);
    }

    @Test
    void losesNoneOfABurstThatIsLargerThanTheBricksTakeAtOnce() {
        int[] seen = {0};
        world.cluster.script(aFewEachMillisecond(seen));
        List<CompletableFuture<Void>> puts = new ArrayList<>();
        for (int k = 0; k < 8000; k++) {
            puts.add(table().putAsync("key" + k, "v"));
        }
        puts.forEach(world::await);
        assertThat(world.cluster.records()).isEqualTo(8000);
        assertThat(seen[0]).isLessThan(8000 * 13 / 10);
    }

    /** A cluster that takes 20 requests each millisecond, and refuses the others. */
    private FakeCluster.Script aFewEachMillisecond(int[] seen) {
        long[] milli = {0};
        int[] taken = {0};
        return request -> {
            seen[0]++;
            long now = world.env.nowNanos() / 1_000_000;
            taken[0] = now == milli[0] ? taken[0] + 1 : 1;
            milli[0] = now;
            return taken[0] > 20 ? Answer.busy(2) : null;
        };
    }

    @Test
    void aPartitionThatIsBusyForLongHoldsUpNoOther() {
        boolean[] stuck = {false};
        int[] refusals = {0};
        world.cluster.script(request -> {
            boolean isRefused = stuck[0] && request.partition() == 0;
            refusals[0] += isRefused ? 1 : 0;
            return isRefused ? Answer.busy(2) : null;
        });
        world.await(table().sizeAsync()); // so that the client knows all partitions
        stuck[0] = true;
        Map<Boolean, List<CompletableFuture<Void>>> puts = IntStream.range(0, 5000)
                .mapToObj(k -> "key" + k)
                .collect(Collectors.partitioningBy(
                        this::isOfPartition0,
                        Collectors.mapping(key -> table().putAsync(key, "v"), Collectors.toList())));
        world.run(1000);
        assertThat(puts.get(false)).hasSizeGreaterThan(2000).allMatch(CompletableFuture::isDone);
        assertThat(puts.get(true)).hasSizeGreaterThan(500).noneMatch(CompletableFuture::isDone);
        assertThat(refusals[0]).isLessThan(3000);
        stuck[0] = false;
        puts.get(true).forEach(world::await);
    }

    @Test
    void refusedRequestsAreNotOvertakenForLongByNewOnesThatFillTheWindow() {
        world = new ClientFixture(1, 1);
        Set<Long> refused = new HashSet<>();
        long[] mostAhead = {0};
        world.cluster.script(request -> {
            mostAhead[0] = Math.max(mostAhead[0], request.seq() - request.low());
            boolean isRefused = request.seq() >= 20_000 && refused.size() < 100 && refused.add(request.seq());
            return isRefused ? Answer.busy(1) : null;
        });
        int[] begun = {0};
        List<CompletableFuture<Void>> loops = IntStream.range(0, 512)
                .mapToObj(k -> putOneAfterTheOther(begun))
                .toList();
        loops.forEach(world::await);
        assertThat(refused).hasSize(100);
        assertThat(mostAhead[0]).isLessThan(15_000);
    }

    /** Puts records, each when the one before is there, until all loops have begun 100,000. */
    private CompletableFuture<Void> putOneAfterTheOther(int[] begun) {
        return begun[0] == 100_000
                ? CompletableFuture.completedFuture(null)
                : table().putAsync("key" + begun[0]++, "v").thenCompose(done -> putOneAfterTheOther(begun));
    }

    private boolean isOfPartition0(String key) {
        long hash = PseudoKey.of(key.getBytes(UTF_8));
        return LinearHashing.address(hash, world.cluster.partitions()) == 0;
    }

    private static Map<String, String> records(int count) {
        Map<String, String> records = new LinkedHashMap<>();
        for (int k = 0; k < count; k++) {
            records.put("key" + k, "value" + k);
        }
        return records;
    }

    @Test
    void aBatchEndsWellAlthoughBricksRefuse() {
        int[] seen = {0};
        world.cluster.script(aFewEachMillisecond(seen));
        Map<String, String> records = records(2000);
        world.await(table().putAllAsync(records));
        assertThat(world.statistics().busy()).isPositive();
        assertThat(world.await(table().getAllAsync(records.keySet()))).isEqualTo(records);
    }

    @Test
    void aBatchOfWhichNoOperationSucceedsEndsAfterTheTimeout() {
        world.cluster.script(request -> Answer.busy(1));
        CompletableFuture<Void> puts = table().putAllAsync(records(2000));
        world.run(ClientFixture.TIMEOUT_MILLIS - 100);
        assertThat(puts).isNotDone();
        assertThat(world.awaitFailure(puts, SddsException.class).isOutcomeUnknown())
                .isFalse();
        assertThat(world.cluster.records()).isZero();
    }

    @Test
    void followsRedirectsAndLooksTheMapUp() {
        int[] redirects = {5};
        world.cluster.script(request -> redirects[0]-- > 0 ? Answer.redirect() : null);
        world.await(table().putAsync("a", "1"));
        assertThat(world.statistics().redirects()).isEqualTo(5);
        assertThat(world.statistics().blocksFetched()).isGreaterThan(1);
    }

    @Test
    void refusesOnTheLoopWhenTwiceTheWindowIsFull() {
        world = new ClientFixture(
                1, 1, ClientSettings.builder().window(10, 1 << 20).build());
        List<CompletableFuture<String>> gets = new ArrayList<>();
        for (int k = 0; k < 21; k++) {
            gets.add(table().getAsync("key" + k));
        }
        assertThat(world.awaitFailure(gets.remove(20), WindowFullException.class))
                .hasMessageContaining("window");
        gets.forEach(world::await);
        world.await(table().getAsync("again"));
    }

    @Test
    void tellsTheTableIsGone() {
        world.cluster.script(request -> Answer.of(Status.NO_SUCH_TABLE));
        assertThat(world.awaitFailure(table().putAsync("a", "1"), NoSuchTableException.class)
                        .isOutcomeUnknown())
                .isFalse();
    }

    @Test
    void namesALostPartition() {
        world.cluster.script(request -> Answer.of(Status.LOST));
        assertThat(world.awaitFailure(table().getAsync("a"), UnavailableException.class))
                .hasMessageContaining("partition")
                .hasMessageContaining("lost")
                .matches(UnavailableException::isLost);
        world.cluster.script(request -> null);
        for (int a = 0; a < 5; a++) {
            world.cluster.move(a, -1);
        }
        world.cluster.script(request -> Answer.redirect());
        assertThat(world.awaitFailure(table().getAsync("a"), UnavailableException.class))
                .hasMessageContaining("lost");
    }

    /** The loss was accepted while the client had other things to do, and a look at the map takes its time. */
    @Test
    void believesNoLossByAMapThatItHeardBefore() {
        for (int a = 0; a < 5; a++) {
            world.cluster.move(a, -1);
        }
        world.cluster.script(request -> Answer.redirect());
        world.awaitFailure(table().getAsync("a"), UnavailableException.class);
        for (int a = 0; a < 5; a++) {
            world.cluster.move(a, 1);
        }
        world.cluster.script(request -> null);
        world.cluster.controlScript(message -> message instanceof FetchBlock ? FakeCluster.SILENCE : null);
        CompletableFuture<String> late = table().getAsync("a");
        world.run(1_500);
        assertThat(late).isNotDone();
        world.cluster.controlScript(message -> null);
        assertThat(world.await(late)).isNull();
    }

    @Test
    void countsAsLostAPartitionOfUnknownPlaceWhoseParentIsLost() {
        world = new ClientFixture(3, 1);
        TableDefinition definition = new TableDefinition(
                1, "t", TableSpec.of(TableKind.HASH).capacity(100).build());
        AddressBlock parentAlone = new AddressBlock(1, 0, 99, List.of(new Place(Place.LOST, 0, 0)));
        world.cluster.controlScript(message -> message instanceof FetchBlock
                ? new BlockFetched(new TableMap(definition, 2, 99), parentAlone, List.of())
                : null);
        world.cluster.script(request -> Answer.redirect());
        for (int k = 0; k < 20; k++) {
            assertThat(world.awaitFailure(table().getAsync("key" + k), UnavailableException.class))
                    .hasMessageContaining("partition 0 is lost")
                    .matches(UnavailableException::isLost);
        }
    }

    @Test
    void closesALinkThatBreaksTheProtocolAndGoesOn() {
        List<Answer> broken = List.of(
                Answer.of((byte) 99), Answer.of((byte) -9), Answer.of(Status.OK), Answer.of(Status.CONDITION_FALSE));
        int[] next = {0};
        world.cluster.script(request -> next[0] < broken.size() ? broken.get(next[0]++) : null);
        for (int k = 1; k <= broken.size(); k++) {
            world.awaitFailure(table().getAsync("a"), ProtocolException.class);
            assertThat(world.statistics().linksLost()).isEqualTo(k);
        }
        assertThat(world.await(table().getAsync("a"))).isNull();
    }

    // ---- lost links, deadlines

    @Test
    void runsAWriteOnceThoughItsAnswerWasLost() {
        int[] losses = {3};
        world.cluster.script(request -> losses[0]-- > 0 ? Answer.RUN_AND_CLOSE : null);
        assertThat(world.await(table().incrementAsync("n", 1))).isEqualTo(1);
        assertThat(world.await(table().incrementAsync("n", 1))).isEqualTo(2);
        assertThat(world.statistics().linksLost()).isPositive();
    }

    @Test
    void readsAgainWhenALinkBreaks() {
        world.cluster.put("a".getBytes(UTF_8), "1".getBytes(UTF_8));
        int[] losses = {3};
        world.cluster.script(request -> losses[0]-- > 0 ? Answer.CLOSE : null);
        assertThat(world.await(table().getAsync("a"))).isEqualTo("1");
    }

    @Test
    void waitsForABrickThatComesBack() {
        for (int brick = 1; brick <= 3; brick++) {
            world.cluster.stopBrick(brick);
        }
        CompletableFuture<Void> put = table().putAsync("a", "1");
        world.run(2000);
        assertThat(put).isNotDone();
        for (int brick = 1; brick <= 3; brick++) {
            world.cluster.startBrick(brick);
        }
        world.await(put);
    }

    @Test
    void findsAPartitionThatMovedAwayFromABrickThatIsGone() {
        world.await(table().putAsync("a", "1"));
        world.cluster.stopBrick(1);
        world.cluster.stopBrick(2);
        for (int a = 0; a < 5; a++) {
            world.cluster.move(a, 3);
        }
        assertThat(world.await(table().getAsync("a"))).isEqualTo("1");
        world.await(table().putAsync("b", "1"));
    }

    @Test
    void findsAPartitionThatMovedAwayFromABrickThatTakesADialAndSaysNothing() {
        world.hang(1);
        world.hang(2);
        CompletableFuture<Void> put = table().putAsync("a", "1");
        world.run(200);
        for (int a = 0; a < 5; a++) {
            world.cluster.move(a, 3);
        }
        world.runUntil(put::isDone, 1_000);
        put.join();
        assertThat(world.await(table().getAsync("a"))).isEqualTo("1");
    }

    @Test
    void saysOutcomeUnknownWhenAWriteIsNotAnswered() {
        world.await(table().putAsync("warm", "up"));
        world.cluster.script(request -> Answer.NONE);
        long begin = world.env.nowNanos();
        TimeoutException failure = world.awaitFailure(table().putAsync("a", "1"), TimeoutException.class);
        assertThat(failure).hasMessageContaining("outcome unknown").hasMessageContaining("put into table 't'");
        assertThat(failure.isOutcomeUnknown()).isTrue();
        assertThat((world.env.nowNanos() - begin) / 1_000_000).isBetween(4990L, 5020L);
    }

    @Test
    void saysNotAppliedWhenEveryCopyWasRefused() {
        for (Answer answer : List.of(Answer.redirect(), Answer.of(Status.DEADLINE))) {
            world.cluster.script(request -> answer);
            TimeoutException failure = world.awaitFailure(table().putAsync("a", "1"), TimeoutException.class);
            assertThat(failure).hasMessageContaining("not applied");
            assertThat(failure.isOutcomeUnknown()).isFalse();
        }
    }

    @Test
    void saysNotAppliedWhenNoBrickWasReached() {
        for (int brick = 1; brick <= 3; brick++) {
            world.cluster.stopBrick(brick);
        }
        TimeoutException failure = world.awaitFailure(table().putAsync("a", "1"), TimeoutException.class);
        assertThat(failure).hasMessageContaining("not applied").hasMessageContaining("connection refused");
    }

    @Test
    void saysOutcomeUnknownWhenOneCopyWasLostAndTheOthersRefused() {
        int[] copies = {0};
        world.cluster.script(request -> copies[0]++ == 0 ? Answer.CLOSE : Answer.redirect());
        assertThat(world.awaitFailure(table().putAsync("a", "1"), TimeoutException.class)
                        .isOutcomeUnknown())
                .isTrue();
        copies[0] = 0;
        world.cluster.script(request -> copies[0]++ == 0 ? Answer.of(Status.UNKNOWN) : Answer.redirect());
        assertThat(world.awaitFailure(table().putAsync("a", "1"), TimeoutException.class)
                        .isOutcomeUnknown())
                .isTrue();
    }

    @Test
    void aReadThatTimesOutSaysNothingOfOutcomes() {
        world.cluster.script(request -> Answer.NONE);
        assertThat(world.awaitFailure(table().getAsync("a"), TimeoutException.class)
                        .getMessage())
                .doesNotContain("outcome")
                .doesNotContain("applied");
    }

    @Test
    void givesUpALinkOnWhichNothingComesAndTriesAnother() {
        world.await(table().putAsync("warm", "up"));
        long[] first = {world.statistics().linksLost()};
        Set<Object> frozen = new HashSet<>();
        world.cluster.script(request ->
                frozen.isEmpty() && frozen.add(request.link()) || frozen.contains(request.link()) ? Answer.NONE : null);
        assertThat(world.await(table().incrementAsync("n", 1))).isEqualTo(1);
        assertThat(world.statistics().linksLost()).isEqualTo(first[0] + 1);
    }

    // ---- sessions

    @Test
    void lowIsTheLowestOpenWrite() {
        List<FakeCluster.Incoming> seen = new ArrayList<>();
        world.cluster.script(request -> {
            seen.add(request);
            return request.seq() == 2 ? Answer.NONE : null;
        });
        world.await(table().putAsync("a", "1"));
        CompletableFuture<Void> stuck = table().putAsync("b", "1");
        world.await(table().putAsync("c", "1"));
        world.await(table().putAsync("d", "1"));
        world.awaitFailure(stuck, TimeoutException.class);
        world.await(table().putAsync("e", "1"));

        FakeCluster.Incoming third =
                seen.stream().filter(r -> r.seq() == 3).findFirst().orElseThrow();
        FakeCluster.Incoming last = seen.get(seen.size() - 1);
        assertThat(third.low()).isEqualTo(2);
        assertThat(last.seq()).isEqualTo(5);
        assertThat(last.low()).isEqualTo(5);
    }

    @Test
    void beginsAnewInAnotherSessionWhenThisOneHasEnded() {
        world.await(table().putAsync("a", "1"));
        world.cluster.script(request -> request.session() == 1 ? Answer.of(Status.STALE_REQUEST) : null);
        assertThat(world.await(table().incrementAsync("n", 1))).isEqualTo(1);
        assertThat(world.await(table().incrementAsync("n", 1))).isEqualTo(2);
    }

    @Test
    void aWriteThatMayHaveRunInAnEndedSessionIsNotRunAgain() {
        world.await(table().putAsync("a", "1"));
        int[] copies = {0};
        world.cluster.script(request -> copies[0]++ == 0 ? Answer.RUN_AND_CLOSE : Answer.of(Status.STALE_REQUEST));
        StaleRequestException failure = world.awaitFailure(table().incrementAsync("n", 1), StaleRequestException.class);
        assertThat(failure.isOutcomeUnknown()).isTrue();
        assertThat(world.cluster.value("n".getBytes(UTF_8))).isEqualTo("1".getBytes(UTF_8));
    }

    @Test
    void renewsItsSessionAndReplacesOneThatWasEnded() {
        int[] opened = {0};
        int[] renewed = {0};
        world.cluster.controlScript(message -> {
            if (message instanceof OpenSession) {
                return new SessionOpened(++opened[0], 3000);
            }
            return message instanceof RenewSession && ++renewed[0] == 3
                    ? new Refused(Refusal.SESSION_ENDED, "ended")
                    : null;
        });
        world.await(table().putAsync("a", "1"));
        world.run(2500);
        assertThat(renewed[0]).isEqualTo(2);
        world.run(10_000);
        assertThat(renewed[0]).isEqualTo(3);
        world.await(table().putAsync("a", "2"));
        assertThat(opened[0]).isEqualTo(2);
    }

    @Test
    void asksForRenewalAgainBeforeItsSessionEndsWhenNobodyAnsweredInTime() {
        boolean[] silent = {true};
        int[] renewed = {0};
        world.cluster.controlScript(message -> {
            if (message instanceof OpenSession) {
                return new SessionOpened(1, 3000);
            }
            if (message instanceof RenewSession && silent[0]) {
                return FakeCluster.SILENCE;
            }
            renewed[0] += message instanceof RenewSession ? 1 : 0;
            return null;
        });
        world.await(table().putAsync("a", "1"));
        world.run(1900);
        silent[0] = false;
        world.run(1000);
        assertThat(renewed[0]).isEqualTo(1);
    }

    // ---- coordinators

    @Test
    void readsAndWritesGoOnWithoutCoordinators() {
        world.await(table().putAsync("a", "1"));
        world.cluster.stopCoordinator();
        for (int k = 0; k < 20; k++) {
            world.cluster.split();
        }
        for (int k = 0; k < 100; k++) {
            world.await(table().putAsync("key" + k, "1"));
        }
        assertThat(world.await(table().getAsync("a"))).isEqualTo("1");
        HashTable<String, String> again = world.await(world.client.hashTableAsync("t", Codec.utf8(), Codec.utf8()));
        assertThat(world.await(again.getAsync("a"))).isEqualTo("1");
        assertThat(world.awaitFailure(world.client.dropTableAsync("t"), UnavailableException.class))
                .hasMessageContaining("connection refused");
    }

    @Test
    void connectsByABrickAndFindsTheCoordinators() {
        SddsClient client = world.await(EnvClients.connect(
                world.env, List.of("nobody:1", world.cluster.address(2)), ClientSettings.defaults()));
        HashTable<String, String> other = world.await(client.hashTableAsync("t", Codec.utf8(), Codec.utf8()));
        world.await(other.putAsync("a", "1"));
        assertThat(world.await(table().getAsync("a"))).isEqualTo("1");
    }

    @Test
    void saysWhomItCouldNotReach() {
        FakeWorld nowhere = new FakeWorld(1);
        CompletableFuture<SddsClient> connecting =
                EnvClients.connect(nowhere.newEnv(), List.of("nobody:1", "noone:2"), ClientSettings.defaults());
        nowhere.runUntil(connecting::isDone, Duration.ofSeconds(6));
        assertThatThrownBy(connecting::join)
                .hasCauseInstanceOf(UnavailableException.class)
                .hasMessageContaining("nobody:1: connection refused")
                .hasMessageContaining("noone:2");
    }

    @Test
    void createsATableThoughTheFirstAnswerIsLost() {
        world.cluster.tableExists(false);
        int[] copies = {0};
        world.cluster.controlScript(message -> {
            if (message instanceof CreateTable && copies[0]++ == 0) {
                world.cluster.tableExists(true);
                world.cluster.closeLinks(0);
            }
            return null;
        });
        HashTable<String, String> created = world.await(
                world.client.createHashTableAsync("t", TableOptions.capacity(100), Codec.utf8(), Codec.utf8()));
        world.await(created.putAsync("a", "1"));
        assertThat(copies[0]).isEqualTo(2);

        world.awaitFailure(
                world.client.createHashTableAsync("t", TableOptions.capacity(100), Codec.utf8(), Codec.utf8()),
                TableExistsException.class);
    }

    /**
     * The first drop takes effect and its answer is lost. Before the client sends the drop again, another client
     * creates a table of that name.
     */
    @Test
    void aDropThatIsSentAgainLeavesATableThatWasCreatedMeanwhile() {
        int[] copies = {0};
        world.cluster.controlScript(message -> {
            if (message instanceof DropTable && copies[0]++ == 0) {
                world.cluster.recreateTable();
                world.cluster.closeLinks(0);
            }
            return null;
        });
        world.await(world.client.dropTableAsync("t"));
        assertThat(copies[0]).isEqualTo(2);
        assertThat(world.cluster.tableExists()).isTrue();

        world.await(world.client.dropTableAsync("t"));
        assertThat(world.cluster.tableExists()).isFalse();
        world.awaitFailure(world.client.dropTableAsync("t"), NoSuchTableException.class);
    }

    @Test
    void failuresOfControlRequestsSayInWordsWhatWasAsked() {
        world.cluster.stopCoordinator();
        assertThat(Stream.of(
                                world.client.createHashTableAsync(
                                        "u", TableOptions.defaults(), Codec.utf8(), Codec.utf8()),
                                world.client.dropTableAsync("t"),
                                world.client.acceptLossAsync("t"),
                                world.client.drainBrickAsync("b1"),
                                world.client.statusAsync(false))
                        .map(future -> world.awaitFailure(future, UnavailableException.class)
                                .getMessage()
                                .replaceFirst(": .*", "")))
                .containsExactly(
                        "create table 'u'",
                        "find table 't'",
                        "accept the loss of table 't'",
                        "drain brick 'b1'",
                        "read the status of the cluster");
    }

    @Test
    void anAnswerThatMakesNoSenseIsNotQuoted() {
        world.cluster.controlScript(message -> message instanceof FetchStatus ? new SessionOpened(1, 1) : null);
        assertThat(world.awaitFailure(world.client.statusAsync(false), ProtocolException.class))
                .hasMessage("read the status of the cluster: the answer does not fit the request");
    }

    @Test
    void lostConnectionsAndNewOnesAreLoggedAtMostOnceAMinute() {
        try (LogLines lines = LogLines.of("io.sdds.client.internal.routing.LossLog", Level.INFO)) {
            for (int k = 0; k < 5; k++) {
                askTheCoordinator();
                world.cluster.closeLinks(0);
                world.run(10);
            }
            askTheCoordinator();
            assertThat(lines.texts())
                    .satisfiesExactly(
                            line -> assertThat(line).startsWith("lost the connection to COORDINATOR c1 at "),
                            line -> assertThat(line).startsWith("connected again to COORDINATOR c1 at "));
            world.run(61_000);
            askTheCoordinator();
            world.cluster.closeLinks(0);
            world.run(10);
            assertThat(lines.texts().get(2)).endsWith("(and 4 more times since the last such message)");
        }
    }

    private void askTheCoordinator() {
        world.awaitFailure(
                world.client.createHashTableAsync("t", TableOptions.defaults(), Codec.utf8(), Codec.utf8()),
                TableExistsException.class);
    }

    @Test
    void waitsForBricksWhenATableIsCreated() {
        world.cluster.tableExists(false);
        int[] refusals = {4};
        world.cluster.controlScript(message -> message instanceof CreateTable && refusals[0]-- > 0
                ? new Refused(Refusal.TOO_FEW_BRICKS, "no brick is up")
                : null);
        world.await(world.client.createHashTableAsync("t", TableOptions.capacity(100), Codec.utf8(), Codec.utf8()));

        world.cluster.controlScript(message -> new Refused(Refusal.TOO_FEW_BRICKS, "no brick is up"));
        assertThat(world.awaitFailure(
                        world.client.createHashTableAsync("u", TableOptions.capacity(100), Codec.utf8(), Codec.utf8()),
                        UnavailableException.class))
                .hasMessageContaining("no brick is up");
    }

    @Test
    void fetchesOfAReplicatedTableTheBlocksThatWereReadAndMayHaveChanged() {
        int partitions = 2 * AddressBlock.SIZE;
        TableDefinition definition = new TableDefinition(
                1, "t", TableSpec.of(TableKind.HASH).capacity(100).replicas(2).build());
        Place place = new Place(1, 1, 0, 1, List.of(new Place.Member(2, 1)));
        AddressBlock[] blocks = new AddressBlock[2];
        long[] version = {10};
        List<Integer> fetched = new ArrayList<>();
        int[] looks = new int[1];
        world.cluster.controlScript(message -> {
            if (message instanceof FetchBlock fetch) {
                fetched.add(fetch.block());
                blocks[fetch.block()] =
                        new AddressBlock(1, fetch.block(), 5, Collections.nCopies(AddressBlock.SIZE, place));
                return new BlockFetched(
                        new TableMap(definition, partitions, version[0]), blocks[fetch.block()], world.cluster.infos());
            }
            looks[0] += message instanceof FindTable ? 1 : 0;
            return message instanceof FindTable
                    ? new TableFound(new TableMap(definition, partitions, version[0]))
                    : null;
        });
        world.cluster.script(request -> Answer.of(Status.ABSENT));
        try (SddsClient client = world.connect()) {
            HashTable<String, String> replicated = world.await(client.hashTableAsync("t", Codec.utf8(), Codec.utf8()));
            read(replicated, 40, 3000);
            assertThat(fetched).as("once each").containsExactlyInAnyOrder(0, 1);
            assertThat(looks[0]).isBetween(3, 5);

            version[0] = 20;
            read(replicated, 40, 3000);
            assertThat(fetched).as("once more each").containsExactlyInAnyOrder(0, 1, 0, 1);

            read(replicated, 1, 3000);
            version[0] = 30;
            read(replicated, 1, 3000);
            assertThat(fetched).as("the one that is read").hasSize(5);
        }
    }

    @Test
    void aTableOfAKindOfALaterVersionIsRefused() {
        tellOf(TableKind.UNKNOWN, Routing.IMAGE);
        try (SddsClient client = world.connect()) {
            assertThat(world.awaitFailure(client.tableAsync("t", Codec.utf8(), Codec.utf8()), ProtocolException.class))
                    .hasMessage("table 't' is of a kind that this version of the client does not know");
            assertThat(world.awaitFailure(
                            client.hashTableAsync("t", Codec.utf8(), Codec.utf8()), ProtocolException.class))
                    .hasMessageContaining("of a kind");
        }
    }

    @Test
    void aRoutingOfALaterVersionIsTakenForOneByImage() {
        tellOf(TableKind.RANGE, Routing.UNKNOWN);
        int[] asked = new int[1];
        world.cluster.script(request -> {
            asked[0]++;
            return Answer.of(Status.ABSENT);
        });
        try (SddsClient client = world.connect()) {
            RangeTable<String, String> found = world.await(client.rangeTableAsync("t", Codec.utf8(), Codec.utf8()));
            assertThat(world.await(found.getAsync("key"))).isNull();
            assertThat(asked[0]).as("one brick").isEqualTo(1);
        }
    }

    private void tellOf(TableKind kind, Routing routing) {
        TableDefinition definition = new TableDefinition(
                1, "t", TableSpec.of(kind).capacity(100).routing(routing).build());
        AddressBlock block = new AddressBlock(1, 0, 1, List.of(new Place(1, 1, 0)), List.of(KeySpan.ALL));
        TableMap map = new TableMap(definition, 1, 1);
        world.cluster.controlScript(message -> message instanceof FindTable
                ? new TableFound(map)
                : message instanceof FetchBlock ? new BlockFetched(map, block, world.cluster.infos()) : null);
    }

    /** Reads some keys repeatedly for a time. */
    private void read(HashTable<String, String> from, int keys, long millis) {
        for (long end = world.env.nowNanos() + millis * 1_000_000; world.env.nowNanos() < end; ) {
            for (int k = 0; k < keys; k++) {
                world.await(from.getAsync("key" + k));
            }
            world.run(5);
        }
    }

    @Test
    void waitsForTheTimeThatABusyNodeNames() {
        List<Long> askedMillis = new ArrayList<>();
        world.cluster.controlScript(message -> {
            if (!(message instanceof FindTable)) {
                return null;
            }
            askedMillis.add(world.env.nowNanos() / 1_000_000);
            return askedMillis.size() > 3 ? null : new Refused(Refusal.BUSY, "too many requests wait here", 400);
        });
        world.await(world.client.hashTableAsync("t", Codec.utf8(), Codec.utf8()));
        assertThat(askedMillis).hasSize(4);
        for (int k = 1; k < askedMillis.size(); k++) {
            assertThat(askedMillis.get(k) - askedMillis.get(k - 1)).isBetween(400L, 650L);
        }
    }

    @Test
    void saysThatANodeWasBusyUntilTheDeadline() {
        world.cluster.controlScript(message -> new Refused(Refusal.BUSY, "too many requests wait here", 10));
        assertThat(world.awaitFailure(
                                world.client.createHashTableAsync(
                                        "u", TableOptions.capacity(100), Codec.utf8(), Codec.utf8()),
                                UnavailableException.class)
                        .isOutcomeUnknown())
                .isFalse();
    }

    @Test
    void saysThatATableIsMissing() {
        world.awaitFailure(
                world.client.hashTableAsync("missing", Codec.utf8(), Codec.utf8()), NoSuchTableException.class);
        assertThatThrownBy(() -> world.client.hashTableAsync("a b", Codec.utf8(), Codec.utf8()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'a b'");
    }

    @Test
    void asksAnotherWhenTheCoordinatorIsSilent() {
        int[] asked = {0};
        world.cluster.controlScript(
                message -> message instanceof FetchBlock && asked[0]++ == 0 ? FakeCluster.SILENCE : null);
        for (int k = 0; k < 20; k++) {
            world.cluster.split();
        }
        for (int k = 0; k < 200; k++) {
            world.await(table().getAsync("key" + k));
        }
        world.run(2000);
        assertThat(asked[0]).isGreaterThan(1);
        assertThat(world.statistics().blocksFetched()).isGreaterThan(1);
    }

    @Test
    void asksAnotherWellBeforeAShortDeadlineWhenTheCoordinatorIsSilent() {
        world = new ClientFixture(
                3, 1, ClientSettings.builder().timeout(Duration.ofMillis(600)).build());
        int[] asked = {0};
        world.cluster.controlScript(
                message -> message instanceof FindTable && asked[0]++ == 0 ? FakeCluster.SILENCE : null);
        world.await(world.client.hashTableAsync("t", Codec.utf8(), Codec.utf8()));
        assertThat(asked[0]).isEqualTo(2);
    }

    @Test
    void newRequestsBeginBehindAProcessThatDoesNotAnswer() {
        world = new ClientFixture(3, 3);
        world.placeOnAllBricks(3);
        for (int k = 0; k < 100; k++) {
            world.await(table().getAsync("key" + k)); // connects to all bricks
        }
        world.cluster.stopCoordinator();
        world.run(100);
        world.cluster.muteNextAsked();
        CompletableFuture<?> first = world.client.hashTableAsync("t", Codec.utf8(), Codec.utf8());
        world.run(500);
        assertThat(first).isNotDone();
        world.await(first);
        CompletableFuture<?> second = world.client.hashTableAsync("t", Codec.utf8(), Codec.utf8());
        world.run(500);
        assertThat(second).isCompleted();
    }

    @Test
    void theAnswerOfAProcessThatTakesLongCounts() {
        world = new ClientFixture(
                3, 1, ClientSettings.builder().timeout(Duration.ofMillis(900)).build());
        world.cluster.controlDelay(Duration.ofMillis(800).toNanos());
        for (int k = 0; k < 3; k++) {
            world.await(world.client.hashTableAsync("t", Codec.utf8(), Codec.utf8()));
        }
    }

    // ---- the end

    @Test
    void closingFailsWhatIsOutstanding() {
        world.cluster.script(request -> Answer.NONE);
        CompletableFuture<Void> put = table().putAsync("a", "1");
        CompletableFuture<String> get = table().getAsync("a");
        world.run(10);
        world.client.close();
        assertThat(world.awaitFailure(put, UnavailableException.class).isLost()).isFalse();
        assertThat(world.awaitFailure(put, UnavailableException.class).isOutcomeUnknown())
                .isTrue();
        world.awaitFailure(get, UnavailableException.class);
        world.awaitFailure(table().getAsync("a"), UnavailableException.class);
        world.run(10_000);
    }
}
