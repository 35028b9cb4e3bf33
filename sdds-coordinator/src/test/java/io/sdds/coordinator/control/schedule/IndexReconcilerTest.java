package io.sdds.coordinator.control.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.control.CoordinatorNode;
import io.sdds.coordinator.control.FakeBrick;
import io.sdds.coordinator.control.FakePeer;
import io.sdds.coordinator.control.base.CoordinatorSettings;
import io.sdds.coordinator.control.base.InMemoryLog;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.CreateTable;
import io.sdds.core.control.ControlMessage.DropTable;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.model.Place;
import io.sdds.core.model.Routing;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableMap;
import io.sdds.core.model.TableSpec;
import io.sdds.core.node.FakeWorld;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.IndexRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of the creation and the end of the index of partitions. */
class IndexReconcilerTest {
    private static final String ADDRESS = "coordinator:7400";

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
        bricks.add(new FakeBrick(world, "b1", 1).join(ADDRESS));
        client.dial(ADDRESS, Hello.Role.CLIENT, "test");
        beatFor(Duration.ofMillis(400));
    }

    private void beatFor(Duration time) {
        FakeBrick.beatFor(world, time, bricks);
    }

    private void create(String name, Routing routing) {
        client.send(new CreateTable(
                name,
                TableSpec.of(TableKind.RANGE).capacity(100).routing(routing).build()));
        beatFor(Duration.ofMillis(800));
        assertThat(node.state().table(name)).isNotNull();
    }

    private void drop(String name) {
        client.send(new DropTable(name));
        beatFor(Duration.ofMillis(800));
        assertThat(node.state().table(name)).isNull();
    }

    private @Nullable TableMap index() {
        return node.state().table(IndexRecord.TABLE);
    }

    @Test
    void itIsThereWhileATableIsRoutedByIt() {
        create("image", Routing.IMAGE);
        assertThat(index()).isNull();
        create("first", Routing.INDEX);
        assertThat(index()).isNotNull();
        assertThat(index().definition().kind()).isEqualTo(TableKind.RANGE);
        assertThat(index().definition().spec().routing()).isEqualTo(Routing.IMAGE);
        int id = index().definition().id();
        create("second", Routing.INDEX);
        drop("first");
        assertThat(index().definition().id()).isEqualTo(id);
        drop("second");
        assertThat(index()).isNull();
        create("third", Routing.INDEX);
        assertThat(index().definition().id()).isNotEqualTo(id);
    }

    @Test
    void whatIsLostOfItBeginsAgainElsewhere() {
        create("t", Routing.INDEX);
        int id = index().definition().id();
        Place before = node.state().place(id, 0);
        bricks.clear();
        world.run(Duration.ofSeconds(2));
        bricks.add(new FakeBrick(world, "b1", 2).join(ADDRESS)); // another process: what the first held is lost
        beatFor(Duration.ofMillis(800));
        Place after = node.state().place(id, 0);
        assertThat(after.lost()).isFalse();
        assertThat(after.incarnation()).isGreaterThan(before.incarnation());
        assertThat(node.state()
                        .lostPartitions(node.state().table("t").definition().id()))
                .as("a table with data is not touched")
                .isEqualTo(1);
    }

    @Test
    void nobodyElseCreatesOrDropsIt() {
        create("t", Routing.INDEX);
        for (ControlMessage message : List.of(
                new DropTable(IndexRecord.TABLE),
                new CreateTable(
                        "sdds.mine", TableSpec.of(TableKind.RANGE).capacity(100).build()))) {
            assertThat(client.ask(message)).isInstanceOfSatisfying(Refused.class, refused -> {
                assertThat(refused.reason()).isEqualTo(Refusal.BAD_REQUEST);
                assertThat(refused.text()).contains("are the cluster's own");
            });
        }
        assertThat(index()).isNotNull();
    }
}
