package io.sdds.coordinator.control.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.Result;
import io.sdds.core.control.ControlMessage.CoordinatorStatus;
import io.sdds.core.node.Env;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class ConfirmationsTest {
    private final Asked log = new Asked();
    private final Confirmations confirmations = new Confirmations(log);
    private final List<String> heard = new ArrayList<>();

    /** A log whose questions are answered by the test. */
    private static final class Asked implements CommandLog {
        private final ArrayDeque<Consumer<Boolean>> questions = new ArrayDeque<>();

        @Override
        public void open(Env env, Listener listener) {}

        @Override
        public void propose(Command command, Consumer<Result> done) {}

        @Override
        public void confirm(Consumer<Boolean> done) {
            questions.add(done);
        }

        @Override
        public boolean isLeader() {
            return true;
        }

        @Override
        public String leaderAddress() {
            return "";
        }

        @Override
        public String trouble() {
            return "";
        }

        @Override
        public List<CoordinatorStatus> members() {
            return List.of();
        }
    }

    private void ask(String name) {
        confirmations.whether(leads -> heard.add(name + " " + leads));
    }

    @Test
    void whatComesDuringAQuestionWaitsForTheNextOne() {
        ask("a");
        ask("b");
        ask("c");
        assertThat(log.questions).hasSize(1);
        log.questions.remove().accept(true);
        assertThat(heard).containsExactly("a true");
        assertThat(log.questions).hasSize(1);
        log.questions.remove().accept(false);
        assertThat(heard).containsExactly("a true", "b false", "c false");
        assertThat(log.questions).isEmpty();
    }

    @Test
    void aLogThatAnswersAtOnceDelaysNothing() {
        InMemoryLog alone = new InMemoryLog();
        new Confirmations(alone).whether(leads -> heard.add("before it is open " + leads));
        assertThat(heard).containsExactly("before it is open false");
    }

    @Test
    void tooManyAreToldNoAtOnce() {
        for (int k = 0; k < 65_537; k++) {
            ask("x");
        }
        assertThat(heard).isEmpty();
        ask("one too many");
        assertThat(heard).containsExactly("one too many false");
    }
}
