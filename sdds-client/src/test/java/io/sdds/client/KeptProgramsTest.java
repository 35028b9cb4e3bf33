package io.sdds.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.client.internal.routing.FakeCluster.Answer;
import io.sdds.core.Seeds;
import io.sdds.core.protocol.Limits;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.Status;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Queries whose programs are too long for their requests, of scripted bricks that keep programs, or do not. */
class KeptProgramsTest {
    private static final int RECORDS = 60;
    private static final int BRICKS = 3;

    /** Most values of a list whose program fits in a request. */
    private static final int SHORT_LIST = 1_000;

    /** A list whose program has five parts. */
    private static final int LONG_LIST = 10_000;

    private final Map<String, String> all = new TreeMap<>();
    private ClientFixture world = filled(BRICKS, 5);

    private ClientFixture filled(int bricks, int partitions) {
        ClientFixture filled = new ClientFixture(bricks, partitions);
        for (int k = 0; k < RECORDS; k++) {
            all.put("key" + k, "value" + k);
        }
        all.forEach((key, value) -> filled.cluster.put(key.getBytes(UTF_8), value.getBytes(UTF_8)));
        filled.placeOnAllBricks(bricks);
        return filled;
    }

    /** The records with an even number, and many that there are not. */
    private static String list(int size, String other) {
        Stream<String> found = IntStream.range(0, RECORDS / 2).mapToObj(k -> "'key" + 2 * k + "'");
        Stream<String> others =
                IntStream.range(0, size).mapToObj(k -> "'no such key, but %-30.30s %08d'".formatted(other, k));
        return Stream.concat(found, others).collect(Collectors.joining(", ", "cast(key as varchar) in (", ")"));
    }

    private CompletableFuture<List<Row>> query(int size, String other) {
        return world.table.scan().where(list(size, other)).select("key").toListAsync();
    }

    private void assertFound(CompletableFuture<List<Row>> query) {
        List<String> expected = IntStream.range(0, RECORDS / 2)
                .mapToObj(k -> "key" + 2 * k)
                .sorted()
                .toList();
        assertThat(world.await(query).stream().map(row -> row.getString(0)).sorted())
                .isEqualTo(expected);
    }

    private Stream<Integer> bricks(int count) {
        return IntStream.rangeClosed(1, count).boxed();
    }

    private int parts() {
        return bricks(BRICKS).mapToInt(world.cluster.kept()::parts).sum();
    }

    private void onPrograms(Supplier<Answer> answer) {
        world.cluster.script(request -> request.opcode() == Opcode.PROGRAM ? answer.get() : null);
    }

    @Test
    void eachBrickGetsAProgramOnceHoweverManyPartsWantIt() {
        assertFound(query(LONG_LIST, "twice"));
        bricks(BRICKS).forEach(brick -> {
            assertThat(world.cluster.kept().begun(brick)).isEqualTo(1);
            assertThat(world.cluster.kept().parts(brick)).isEqualTo(5);
            assertThat(world.cluster.kept().misses(brick)).isPositive();
        });
        assertFound(query(LONG_LIST, "twice"));
        assertThat(parts()).isEqualTo(3 * 5);
    }

    @Test
    void aProgramThatABrickHasDroppedIsSentAgain() {
        assertFound(query(LONG_LIST, "again"));
        world.cluster.kept().forget(2);
        assertFound(query(LONG_LIST, "again"));
        assertThat(bricks(BRICKS).map(world.cluster.kept()::begun)).containsExactly(1, 2, 1);

        int[] scans = new int[1];
        world.cluster.script(request -> {
            if (request.opcode() == Opcode.SCAN && ++scans[0] % 7 == 0) {
                world.cluster.kept().forget(request.brick());
            }
            return null;
        });
        assertFound(query(LONG_LIST, "again"));
        assertThat(bricks(BRICKS).mapToInt(world.cluster.kept()::begun).sum()).isGreaterThan(5);
    }

    @Test
    void aBrickThatForgetsBetweenTwoPartsGetsTheProgramFromTheBeginning() {
        int[] forgets = {3};
        int[] parts = new int[1];
        onPrograms(() -> {
            if (++parts[0] % 4 == 0 && forgets[0]-- > 0) {
                bricks(BRICKS).forEach(world.cluster.kept()::forget);
            }
            return null;
        });
        assertFound(query(LONG_LIST, "forgotten"));
        assertThat(forgets[0]).isNegative();
        assertThat(bricks(BRICKS).map(world.cluster.kept()::count)).containsExactly(1, 1, 1);
    }

    @Test
    void twoProgramsDoNotDisplaceEachOther() {
        world = filled(1, 3);
        CompletableFuture<List<Row>> first = query(LONG_LIST, "one");
        CompletableFuture<List<Row>> second = query(LONG_LIST, "two");
        assertFound(first);
        assertFound(second);
        assertThat(world.cluster.kept().count(1)).isEqualTo(2);
        assertThat(world.cluster.kept().begun(1)).isEqualTo(2);
        assertThat(world.cluster.kept().parts(1)).isEqualTo(2 * 5);
    }

    @Test
    void boundsOfAnOrderStandBesideTheHashOfAProgram() {
        List<String> expected = IntStream.range(0, RECORDS / 2)
                .mapToObj(k -> "key" + 2 * k)
                .sorted()
                .limit(3)
                .toList();
        RowQuery<Row> query = world.table
                .scan()
                .where(list(LONG_LIST, "ordered"))
                .select("key")
                .orderBy("key")
                .limit(3);
        assertThat(world.await(query.toListAsync()).stream().map(row -> row.getString(0)))
                .isEqualTo(expected);
        assertThat(world.cluster.bounds()).isPositive();
    }

    @Test
    void lostAnswersAndBusyBricksDelayAProgram() {
        SplittableRandom random = Seeds.random("KeptProgramsTest");
        for (int run = 0; run < 6; run++) {
            onPrograms(() -> switch (random.nextInt(15)) {
                case 0 -> Answer.RUN_AND_CLOSE;
                case 1 -> Answer.CLOSE;
                case 2 -> Answer.busy(3);
                default -> null;
            });
            assertFound(query(LONG_LIST, "run " + run));
            assertThat(bricks(BRICKS).map(world.cluster.kept()::count)).containsExactly(run + 1, run + 1, run + 1);
        }
    }

    @Test
    void aCancelledQuerySendsNoMoreOfItsProgramAndHindersNoOther() {
        CompletableFuture<List<Row>> cancelled = query(LONG_LIST, "cancelled");
        world.runUntil(() -> parts() >= 4, 1_000);
        cancelled.cancel(false);
        world.run(1);
        int parts = parts();
        assertThat(parts).isLessThan(3 * 5);
        world.run(2 * ClientFixture.TIMEOUT_MILLIS);
        assertThat(parts()).isEqualTo(parts);
        assertFound(query(LONG_LIST, "another"));

        // Also while no part is answered
        onPrograms(() -> Answer.NONE);
        CompletableFuture<List<Row>> unanswered = query(LONG_LIST, "unanswered");
        world.run(20);
        unanswered.cancel(false);
        world.cluster.script(request -> null);
        assertFound(query(LONG_LIST, "later"));
        assertThat(bricks(BRICKS).map(world.cluster.kept()::count)).containsExactly(2, 2, 2);
    }

    @Test
    void queriesThatWantAProgramGoOnWithItWhenTheFirstOneIsCancelled() {
        world = filled(1, 3);
        CompletableFuture<List<Row>> first = query(LONG_LIST, "shared");
        CompletableFuture<List<Row>> second = query(LONG_LIST, "shared");
        world.runUntil(() -> world.cluster.kept().parts(1) >= 2, 1_000);
        first.cancel(false);
        assertFound(second);
        assertThat(world.cluster.kept().begun(1)).isEqualTo(1);
    }

    @Test
    void theDeadlineEndsAQueryWhoseProgramIsNotTaken() {
        onPrograms(() -> Answer.NONE);
        IncompleteRangeException failure =
                world.awaitFailure(query(LONG_LIST, "never taken"), IncompleteRangeException.class);
        assertThat(failure).hasMessageContaining("a brick lacks its program");
        int parts = parts();
        world.run(2 * ClientFixture.TIMEOUT_MILLIS);
        assertThat(parts()).isEqualTo(parts);

        world.cluster.script(request -> null);
        assertFound(query(LONG_LIST, "never taken"));
        assertThat(bricks(BRICKS).map(world.cluster.kept()::count)).containsExactly(1, 1, 1);
    }

    @Test
    void aBrickThatNeverHasMoreIsAskedWithPauses() {
        int[] parts = new int[1];
        onPrograms(() -> {
            parts[0]++;
            return new Answer(Status.OK, new byte[Long.BYTES]);
        });
        world.awaitFailure(query(LONG_LIST, "lost at once"), IncompleteRangeException.class);
        assertThat(parts[0]).isBetween(BRICKS, 500);
    }

    @Test
    void theClientEvaluatesAProgramThatABrickRefuses() {
        for (byte refusal : List.of(Status.UNSUPPORTED_PROGRAM, Status.BAD_REQUEST, Status.INTERNAL_ERROR)) {
            int[] refused = new int[1];
            onPrograms(() -> {
                refused[0]++;
                return Answer.of(refusal);
            });
            assertFound(query(LONG_LIST, "refused with " + refusal));
            assertThat(refused[0]).isBetween(1, BRICKS);
        }
        assertThat(bricks(BRICKS).map(world.cluster.kept()::count)).containsExactly(0, 0, 0);
    }

    @Test
    void aBrickThatForwardsGetsNoProgramForTheBrickThatAnswers() {
        for (int a = 0; a < world.cluster.partitions(); a++) {
            world.cluster.move(a, 3);
        }
        assertFound(query(LONG_LIST, "moved"));
        assertThat(bricks(BRICKS).map(world.cluster.kept()::begun)).containsExactly(0, 0, 1);
    }

    @Test
    void aBrickThatEndsWhileItGetsAProgramDoesNotHinderTheOthers() {
        boolean[] stopped = new boolean[1];
        world.cluster.script(request -> {
            if (request.opcode() == Opcode.PROGRAM && request.brick() == 1 && !stopped[0]) {
                stopped[0] = true;
                world.cluster.stopBrick(1);
                for (int a = 0; a < world.cluster.partitions(); a++) {
                    world.cluster.move(a, 2 + a % 2);
                }
                return Answer.NONE;
            }
            return null;
        });
        assertFound(query(LONG_LIST, "a brick ends"));
        assertThat(stopped[0]).isTrue();
        assertThat(bricks(BRICKS).map(world.cluster.kept()::count)).containsExactly(0, 1, 1);
    }

    @Test
    void aBrickThatLacksAProgramOfARequestWithoutOneBreaksTheProtocol() {
        world.cluster.script(request -> request.opcode() == Opcode.GET ? Answer.of(Status.NO_PROGRAM) : null);
        assertThat(world.awaitFailure(world.table.getAsync("key1"), ProtocolException.class))
                .hasMessageContaining("a brick lacks the program of a request without one");
    }

    @Test
    void theListsHaveTheLengthsThatTheirNamesTell() {
        assertFound(query(SHORT_LIST, "length"));
        assertFound(query(LONG_LIST, "length"));
        assertThat(world.cluster.kept().bytes(1).stream().sorted())
                .satisfiesExactly(
                        bytes -> assertThat(bytes)
                                .isBetween(Limits.PROGRAM_INLINE_BYTES_MAX + 1, Limits.FILTER_BYTES_MAX),
                        bytes -> assertThat(bytes)
                                .isBetween(4 * Limits.PROGRAM_PART_BYTES_MAX + 1, 5 * Limits.PROGRAM_PART_BYTES_MAX));
    }
}
