package io.sdds.coordinator.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.control.base.CoordinatorSettings;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.ClusterStatus;
import io.sdds.core.control.ControlMessage.CreateTable;
import io.sdds.core.control.ControlMessage.FetchStatus;
import io.sdds.core.control.ControlMessage.FindTable;
import io.sdds.core.control.ControlMessage.OpenSession;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.ControlMessage.SessionOpened;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableSpec;
import io.sdds.core.node.FakeWorld;
import io.sdds.core.protocol.Hello;
import io.sdds.core.stage.ControlLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of a coordinator whose clients send more requests than it can answer. */
class ClientRequestsTest {
    private static final String ADDRESS = "coordinator:7400";
    private static final int SHARE = ControlLimits.DEFAULT.eventsMax() / 9;

    private final FakeWorld world = new FakeWorld(1);
    private final FakeWorld.FakeEnv env = world.newEnv();
    private final HoldingLog log = new HoldingLog();
    private final CoordinatorNode node = new CoordinatorNode(env, CoordinatorSettings.of("c1", List.of(ADDRESS)), log);
    private final FakePeer flood = new FakePeer(world);
    private final FakePeer other = new FakePeer(world);

    @BeforeEach
    void start() {
        node.start();
        world.listen(ADDRESS, env, node::hello, node);
        flood.dial(ADDRESS, Hello.Role.CLIENT, "flood");
        other.dial(ADDRESS, Hello.Role.CLIENT, "other");
    }

    @Test
    void requestsBeyondTheBoundAreRefusedAndAllAreAnswered() {
        List<Integer> asked = ask(flood, new FindTable("none"), 5000);
        world.run(Duration.ofSeconds(2));
        List<Refusal> refusals =
                asked.stream().map(id -> ((Refused) flood.answer(id)).reason()).toList();
        assertThat(refusals).contains(Refusal.BUSY, Refusal.NO_SUCH_TABLE);
        assertThat(node.clients().queue().mostWaitingEvents()).isLessThanOrEqualTo(SHARE);
        assertThat(node.clients().queue().isEmpty()).isTrue();
    }

    /**
     * The cost of a batch is known after its requests have run. The queue must be checked again even if the batch has
     * spent the credit.
     */
    @Test
    void requestsBehindABatchThatSpendsTheCreditAreAnswered() {
        log.holdConfirmations();
        List<Integer> asked = ask(flood, new FindTable("none"), 3 * ControlLimits.DEFAULT.turnEventsMax());
        world.run(Duration.ofMillis(1));
        node.clients().queue().took(Duration.ofSeconds(1).toNanos(), 0);
        log.goOn();
        world.run(Duration.ofSeconds(1));
        assertThat(asked).allMatch(id -> flood.answer(id) != null);
    }

    @Test
    void otherClientsAndBricksAreAnsweredBesideAFlood() {
        FakeBrick brick = new FakeBrick(world, "b1", 1).join(ADDRESS);
        ask(flood, new FetchStatus(true), 5000);
        assertThat(other.ask(new FindTable("none")))
                .isEqualTo(new Refused(Refusal.NO_SUCH_TABLE, "table 'none' does not exist"));
        brick.beat();
        assertThat(node.state().bricks()).hasSize(1);
        assertThat(other.ask(new FetchStatus(false))).isInstanceOf(ClusterStatus.class);
    }

    @Test
    void aClientWhoseRequestsAreNotAnsweredYetWaitsWithItsNextOnes() {
        log.hold();
        List<Integer> asked = ask(flood, new OpenSession("flood"), 1000);
        world.run(Duration.ofSeconds(1));
        assertThat(node.clients().unanswered()).isLessThanOrEqualTo(1024 / 8);
        assertThat(other.ask(new FindTable("none"))).isInstanceOf(Refused.class);

        log.goOn();
        world.run(Duration.ofSeconds(1));
        assertThat(asked.stream().map(flood::answer).filter(answer -> answer instanceof SessionOpened))
                .hasSize(SHARE);
        assertThat(node.clients().unanswered()).isZero();
    }

    @Test
    void whatALinkHadUnansweredIsForgottenWithIt() {
        log.hold();
        ask(flood, new OpenSession("flood"), 20);
        world.run(Duration.ofMillis(10));
        assertThat(node.clients().unanswered()).isEqualTo(20);
        flood.hangUp();
        assertThat(node.clients().unanswered()).isZero();
        log.goOn();
        world.run(Duration.ofMillis(10));
        assertThat(node.clients().unanswered()).isZero();
    }

    @Test
    void aTurnRunsFewRequestsSoThatBricksAreHeardBetweenThem() {
        ask(flood, new FindTable("none"), 100);
        world.runUntil(() -> !node.clients().queue().isEmpty(), Duration.ofMillis(5));
        int turns = 0;
        while (!node.clients().queue().isEmpty()) {
            int before = node.clients().queue().waitingEvents();
            world.runOnce();
            assertThat(before - node.clients().queue().waitingEvents())
                    .isLessThanOrEqualTo(ControlLimits.DEFAULT.turnEventsMax());
            turns++;
        }
        assertThat(turns).isGreaterThanOrEqualTo(100 / ControlLimits.DEFAULT.turnEventsMax());
    }

    @Test
    void aClientThatSendsALongerRequestThanThereAreIsClosed() {
        flood.send(new CreateTable(
                "t".repeat(20_000), TableSpec.of(TableKind.HASH).capacity(1000).build()));
        world.run(Duration.ofMillis(1));
        assertThat(flood.down).isTrue();
        assertThat(other.down).isFalse();
    }

    private static List<Integer> ask(FakePeer peer, ControlMessage message, int count) {
        List<Integer> asked = new ArrayList<>();
        for (int k = 0; k < count; k++) {
            asked.add(peer.send(message));
        }
        return asked;
    }
}
