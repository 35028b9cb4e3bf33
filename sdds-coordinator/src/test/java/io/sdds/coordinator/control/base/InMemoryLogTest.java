package io.sdds.coordinator.control.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.control.StateKeeper;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.Result;
import io.sdds.core.node.FakeWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InMemoryLogTest {
    private final FakeWorld world = new FakeWorld(1);

    @Test
    void tellsANewNodeAllThatWasCommitted() {
        InMemoryLog log = new InMemoryLog();
        StateKeeper first = new StateKeeper();
        log.open(world.newEnv(), first);
        for (int k = 0; k < 3000; k++) {
            log.propose(new Command.OpenSession(), result -> {});
        }
        StateKeeper second = new StateKeeper();
        log.open(world.newEnv(), second);
        assertThat(second.leading()).isTrue();
        assertThat(second.state().snapshot()).isEqualTo(first.state().snapshot());
    }

    @Test
    void losesWhatWasUnderWayWhenItsNodeWent() {
        InMemoryLog log = new InMemoryLog(1_000_000);
        StateKeeper first = new StateKeeper();
        List<Result> results = new ArrayList<>();
        log.open(world.newEnv(), first);
        log.propose(new Command.OpenSession(), results::add);
        assertThat(results).isEmpty();
        world.run(Duration.ofMillis(2));
        assertThat(results).containsExactly(new Result.SessionOpened(1));

        log.propose(new Command.OpenSession(), results::add);
        StateKeeper second = new StateKeeper();
        log.open(world.newEnv(), second);
        world.run(Duration.ofMillis(2));
        assertThat(results).hasSize(1);
        assertThat(second.state().sessionCount()).isEqualTo(1);
    }
}
