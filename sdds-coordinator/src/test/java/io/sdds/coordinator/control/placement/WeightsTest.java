package io.sdds.coordinator.control.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.control.CoordinatorNode;
import io.sdds.coordinator.control.FakeBrick;
import io.sdds.coordinator.control.FakePeer;
import io.sdds.coordinator.control.base.CoordinatorSettings;
import io.sdds.coordinator.control.base.InMemoryLog;
import io.sdds.core.control.ControlMessage.BrickStatus;
import io.sdds.core.control.ControlMessage.ClusterStatus;
import io.sdds.core.control.ControlMessage.CreateTable;
import io.sdds.core.control.ControlMessage.FetchStatus;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.ControlMessage.RegisterBrick;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableSpec;
import io.sdds.core.node.FakeWorld;
import io.sdds.core.protocol.Hello;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that bricks get partitions by their capacity weights, and keep them. */
class WeightsTest {
    private static final String ADDRESS = "coordinator:7400";
    private static final int PARTITIONS = 12;

    private final FakeWorld world = new FakeWorld(1);
    private final FakeWorld.FakeEnv env = world.newEnv();
    private final CoordinatorNode node =
            new CoordinatorNode(env, CoordinatorSettings.of("c1", List.of(ADDRESS)), new InMemoryLog());
    private final FakePeer client = new FakePeer(world);
    private final List<FakeBrick> bricks = new ArrayList<>();

    @BeforeEach
    void start() {
        node.start();
        world.listen(ADDRESS, env, node::hello, node);
        client.dial(ADDRESS, Hello.Role.CLIENT, "test");
    }

    private void brick(int weight) {
        int number = bricks.size() + 1;
        bricks.add(new FakeBrick(world, "b" + number, number).thatWeighs(weight).join(ADDRESS));
    }

    private void beatFor(Duration time) {
        FakeBrick.beatFor(world, time, bricks);
    }

    /** The number of partitions of each brick. */
    private List<Integer> partitions() {
        List<Integer> counts = new ArrayList<>();
        for (FakeBrick brick : bricks) {
            int count = 0;
            for (int a = 0; a < PARTITIONS; a++) {
                count += node.state().place(1, a).brick() == brick.self().number() ? 1 : 0;
            }
            counts.add(count);
        }
        return counts;
    }

    private void create() {
        beatFor(Duration.ofMillis(400));
        client.send(new CreateTable(
                "t",
                TableSpec.of(TableKind.HASH)
                        .capacity(1000)
                        .firstPartitions(PARTITIONS)
                        .build()));
        beatFor(Duration.ofMillis(400));
    }

    @Test
    void aBrickOfWeightTwoGetsTwiceThePartitionsAndKeepsThem() {
        brick(100);
        brick(200);
        create();
        assertThat(partitions()).containsExactly(4, 8);
        beatFor(Duration.ofSeconds(60));
        assertThat(node.state().migrations()).isEmpty();
        assertThat(partitions()).containsExactly(4, 8);
    }

    @Test
    void aBrickThatTellsNoWeightGetsAsMuchAsOneOfWeightOne() {
        brick(0);
        brick(100);
        create();
        assertThat(partitions()).containsExactly(6, 6);
    }

    @Test
    void aHeavyBrickThatJoinsGetsPartitions() {
        brick(100);
        create();
        brick(1000);
        for (int seconds = 0; seconds < 120 && node.state().migrations().isEmpty(); seconds++) {
            beatFor(Duration.ofSeconds(1));
        }
        assertThat(node.state().migrations()).isNotEmpty().allSatisfy(move -> {
            assertThat(move.isMove()).isTrue();
            assertThat(move.target().brick()).isEqualTo(bricks.get(1).self().number());
        });
    }

    @Test
    void theStatusTellsWeights() {
        brick(0);
        brick(250);
        beatFor(Duration.ofMillis(400));
        ClusterStatus status = (ClusterStatus) client.ask(new FetchStatus(false));
        assertThat(status.bricks().stream().map(BrickStatus::weight)).containsExactly(100, 250);
    }

    @ParameterizedTest
    @ValueSource(ints = {9, -1, 10_001})
    void aWeightThatIsOutOfRangeIsRefused(int weight) {
        FakeBrick brick = new FakeBrick(world, "b1", 1).thatWeighs(weight);
        brick.dial(ADDRESS, Hello.Role.BRICK, "b1");
        RegisterBrick registration = brick.registration();
        Refused refused = (Refused) brick.ask(registration);
        assertThat(refused.reason()).isEqualTo(Refusal.BAD_REQUEST);
        assertThat(refused.text()).contains("from 0.1 to 100");
    }
}
