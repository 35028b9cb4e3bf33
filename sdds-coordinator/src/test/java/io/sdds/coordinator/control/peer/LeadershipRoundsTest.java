package io.sdds.coordinator.control.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.netty.buffer.ByteBuf;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.CoordinatorDescribed;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.node.FakeWorld;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.protocol.ClusterId;
import io.sdds.core.protocol.Hello;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LeadershipRoundsTest {
    private static final UUID CLUSTER = new UUID(1, 2);
    private static final long TERM = 5;
    private static final Duration PATIENCE = Duration.ofMillis(200);

    private final FakeWorld world = new FakeWorld(1);
    private final Other c2 = new Other("c2");
    private final Other c3 = new Other("c3");
    private final List<Boolean> heard = new ArrayList<>();
    private final LeadershipRounds rounds = new LeadershipRounds(
            world.newEnv(),
            "c1",
            Map.of("c2", "c2:1", "c3", "c3:1"),
            CLUSTER,
            () -> ClusterId.UNKNOWN,
            PATIENCE.toNanos());

    /** Another coordinator, whose answers the test sets; null: it does not answer now. */
    private final class Other implements Node {
        private final String id;
        private final FakeWorld.FakeEnv env = world.newEnv();
        private final Map<Integer, Link> unanswered = new LinkedHashMap<>();
        private @Nullable ControlMessage answer;
        private long features = 7;

        Other(String id) {
            this.id = id;
        }

        void listen() {
            world.listen(
                    id + ":1",
                    env,
                    () -> Hello.of(Hello.Role.COORDINATOR, id, 0).withFeatures(features),
                    this);
        }

        @Override
        public void onFrames(Link link, ByteBuf frames) {
            int question = frames.getIntLE(frames.readerIndex() + ControlFrame.CORRELATION);
            unanswered.put(question, link);
            if (answer != null) {
                answer(question, answer);
            }
        }

        void answer(int question, ControlMessage message) {
            Link link = unanswered.remove(question);
            if (link == null || !link.isUp()) {
                return;
            }
            ByteBuf bytes = env.allocate(128);
            ControlFrame.write(bytes, ControlFrame.ANSWER, question, message);
            link.claim(bytes.readableBytes()).writeBytes(bytes);
            link.commit();
            link.flush();
            bytes.release();
        }

        @Override
        public void onLinkUp(Link link) {}

        @Override
        public void onLinkDown(Link link, String reason) {}
    }

    @BeforeEach
    void listen() {
        c2.listen();
        c3.listen();
    }

    private static CoordinatorDescribed described(String id, UUID cluster, boolean member, long term) {
        return new CoordinatorDescribed(
                id, cluster.getMostSignificantBits(), cluster.getLeastSignificantBits(), member, term, 0, -1);
    }

    private static CoordinatorDescribed hasHeardOf(String id, long term) {
        return described(id, CLUSTER, true, term);
    }

    private void ask() {
        rounds.ask(TERM, heard::add);
        world.run(PATIENCE.dividedBy(2));
    }

    @Test
    void oneOfTwoThatHasHeardOfNoLaterTermIsEnough() {
        c3.answer = hasHeardOf("c3", TERM);
        ask();
        assertThat(heard).containsExactly(true);
    }

    @Test
    void oneThatHasHeardOfALaterTermSaysNoAtOnce() {
        c2.answer = hasHeardOf("c2", TERM + 1);
        ask();
        assertThat(heard).containsExactly(false);
    }

    @Test
    void withoutAnAnswerItIsNoWhenPatienceEnds() {
        ask();
        assertThat(heard).isEmpty();
        world.run(PATIENCE);
        assertThat(heard).containsExactly(false);
    }

    @Test
    void anAnswerToAnEarlierQuestionDoesNotCount() {
        ask();
        world.run(PATIENCE);
        rounds.ask(TERM, heard::add);
        c2.answer(1, hasHeardOf("c2", TERM));
        c3.answer(1, hasHeardOf("c3", TERM));
        world.run(PATIENCE.dividedBy(2));
        assertThat(heard).containsExactly(false);
        c2.answer(2, hasHeardOf("c2", TERM));
        world.run(PATIENCE.dividedBy(4));
        assertThat(heard).containsExactly(false, true);
    }

    @Test
    void whoIsNotOfTheGroupDoesNotCount() {
        c2.answer = described("c2", new UUID(3, 4), true, TERM);
        c3.answer = described("c3", CLUSTER, false, 0);
        ask();
        world.run(PATIENCE);
        c2.answer = hasHeardOf("c9", TERM);
        c3.answer = new Refused(Refusal.NOT_READY, "starting");
        ask();
        world.run(PATIENCE);
        assertThat(heard).containsExactly(false, false);
    }

    @Test
    void oneThatComesUpDuringARoundIsAsked() {
        world.stopListening("c2:1");
        world.stopListening("c3:1");
        c3.answer = hasHeardOf("c3", TERM);
        ask();
        c3.listen();
        world.run(PATIENCE);
        assertThat(heard).containsExactly(true);
    }

    @Test
    void oneThatWasSilentIsDialedAnewAndAsked() {
        for (int k = 0; k < 10; k++) {
            ask();
            world.run(PATIENCE);
        }
        c2.answer = hasHeardOf("c2", TERM);
        c2.unanswered.clear(); // earlier questions are lost with the old link
        world.run(Duration.ofSeconds(1));
        ask();
        world.run(PATIENCE);
        assertThat(heard).hasSize(11).last().isEqualTo(true);
    }

    @Test
    void oneRoundIsAskedAtATime() {
        rounds.ask(TERM, heard::add);
        assertThatIllegalStateException().isThrownBy(() -> rounds.ask(TERM, heard::add));
    }

    @Test
    void knowsTheFeaturesThatAllOthersSupportOnceAllHaveSaidSo() {
        c2.features = 6;
        c3.features = 12;
        assertThat(rounds.featuresOfOthers()).isZero();
        ask();
        assertThat(rounds.featuresOfOthers()).isEqualTo(4);
    }

    @Test
    void closingEndsTheRoundWithNo() {
        ask();
        rounds.close();
        world.run(Duration.ofSeconds(2));
        assertThat(heard).containsExactly(false);
    }
}
