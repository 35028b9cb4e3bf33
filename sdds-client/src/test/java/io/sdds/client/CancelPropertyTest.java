package io.sdds.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.client.internal.routing.FakeCluster.Answer;
import io.sdds.core.Seeds;
import io.sdds.core.protocol.Opcode;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/**
 * Tests of operations that are cancelled at any moment, while links break, bricks come and go, and answers are lost.
 */
class CancelPropertyTest {
    private static final int WINDOW = 32;
    private static final int STEPS = 400;

    private final SplittableRandom random;
    private final ClientFixture world = new ClientFixture(
            2, 5, ClientSettings.builder().window(WINDOW, 1 << 20).build());
    private final List<CompletableFuture<?>> all = new ArrayList<>();
    private boolean stopped;

    CancelPropertyTest(RepetitionInfo run) {
        random = new SplittableRandom(Seeds.next("CancelPropertyTest", run.getCurrentRepetition()));
    }

    @RepeatedTest(20)
    void eachOperationEndsAndGivesItsRoomBackOnce() {
        world.cluster.script(request -> switch (random.nextInt(8)) {
            case 0 -> Answer.NONE;
            case 1 -> Answer.busy(5);
            case 2 -> Answer.redirect();
            case 3 -> Answer.RUN_AND_CLOSE;
            default -> null;
        });
        for (int step = 0; step < STEPS; step++) {
            step();
        }
        restart();
        world.cluster.script(request -> null);
        world.run(2 * ClientFixture.TIMEOUT_MILLIS);
        assertThat(all).allMatch(CompletableFuture::isDone);
        letTheBricksBeFoundIdle();
        assertThatTheWholeWindowIsFree();
    }

    private void step() {
        String key = "k" + random.nextInt(20);
        switch (random.nextInt(8)) {
            case 0, 1 -> all.add(world.table.getAsync(key));
            case 2 -> all.add(world.table.putAsync(key, "v"));
            case 3 -> all.add(world.table.incrementAsync("n" + key, 1));
            case 4 -> all.add(world.table.getAllAsync(List.of(key, "other")));
            case 5 -> cancelOne();
            case 6 -> world.run(random.nextInt(30));
            default -> disturb();
        }
    }

    private void cancelOne() {
        if (!all.isEmpty()) {
            all.get(random.nextInt(all.size())).cancel(random.nextBoolean());
        }
    }

    private void disturb() {
        if (stopped) {
            restart();
        } else if (random.nextInt(4) == 0) {
            world.cluster.stopBrick(1);
            stopped = true;
        } else {
            world.cluster.closeLinks(random.nextInt(3));
        }
    }

    private void restart() {
        if (stopped) {
            world.cluster.startBrick(1);
            stopped = false;
        }
    }

    /** Lets bricks answer often, because the client sends fewer requests to a brick that was busy. */
    private void letTheBricksBeFoundIdle() {
        for (int round = 0; round < 100 * WINDOW; round++) {
            CompletableFuture<String> one = world.table.getAsync("k" + round % WINDOW);
            world.run(2);
            assertThat(one).isDone();
        }
    }

    private void assertThatTheWholeWindowIsFree() {
        world.cluster.script(request -> request.opcode() == Opcode.GET ? Answer.NONE : null);
        List<CompletableFuture<String>> full = new ArrayList<>();
        for (int k = 0; k < 2 * WINDOW; k++) {
            full.add(world.table.getAsync("k" + k));
        }
        assertThat(full).noneMatch(CompletableFuture::isDone);
        world.awaitFailure(world.table.getAsync("one too many"), OverloadedException.class);
    }
}
