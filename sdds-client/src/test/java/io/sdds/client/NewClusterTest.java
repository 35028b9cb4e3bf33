package io.sdds.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.client.internal.routing.FakeCluster;
import io.sdds.core.protocol.ClusterId;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.Status;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A client that stays up while its cluster, or one of its tables, is made anew. */
class NewClusterTest {
    private static final ClusterId OLD = new ClusterId(1, 2);
    private static final ClusterId NEW = new ClusterId(3, 4);
    private static final long AT_ONCE_MILLIS = 1500;

    private static ClientFixture world(ClientSettings settings) {
        ClientFixture world = new ClientFixture(3, 3, settings);
        world.cluster.becomeCluster(OLD);
        world.await(world.table.putAsync("a", "1"));
        return world;
    }

    private static ClientFixture world() {
        return world(ClientSettings.defaults());
    }

    private static void makeAnew(ClientFixture world) {
        world.cluster.recreateTable();
        becomeNew(world);
    }

    /** Lets the client see that all links are lost, so that it sends nothing over them. */
    private static void becomeNew(ClientFixture world) {
        world.cluster.becomeCluster(NEW);
        world.run(100);
    }

    @Test
    void aClientGoesToTheClusterThatTookThePlaceOfItsOwn() {
        ClientFixture world = world();
        makeAnew(world);
        CompletableFuture<Void> put = world.table.putAsync("a", "2");
        world.runUntil(put::isDone, AT_ONCE_MILLIS);
        assertThat(put).isCompleted();
        assertThat(world.await(world.table.getAsync("a"))).isEqualTo("2");
        assertThat(world.await(world.client.hashTableAsync("t", Codec.utf8(), Codec.utf8()))
                        .name())
                .isEqualTo("t");
        assertThat(world.await(world.table.sizeAsync())).isEqualTo(1);
    }

    @Test
    void anIdleHandleCanBeScannedInTheNewCluster() {
        ClientFixture world = world();
        makeAnew(world);
        assertThat(world.await(world.client.hashTableAsync("t", Codec.utf8(), Codec.utf8()))
                        .name())
                .isEqualTo("t");
        assertThat(world.await(world.table.sizeAsync())).isEqualTo(1);
    }

    @Test
    void aWriteOfUnknownOutcomeFailsAndIsNotRepeatedInTheNewCluster() {
        ClientFixture world = world();
        world.cluster.script(request -> request.opcode() == Opcode.PUT ? FakeCluster.Answer.NONE : null);
        CompletableFuture<Void> put = world.table.putAsync("a", "2");
        world.run(100);
        int before = world.cluster.requests();
        makeAnew(world);
        UnavailableException failure = world.awaitFailure(put, UnavailableException.class);
        assertThat(failure.isOutcomeUnknown()).isTrue();
        assertThat(failure).hasMessageContaining("made anew").hasMessageContaining(NEW.toString());
        world.run(1000);
        assertThat(world.cluster.requests()).isEqualTo(before);
    }

    @Test
    void aTableThatTheNewClusterHasNotIsToldSoAndWorksOnceItIsCreated() {
        ClientFixture world = world();
        world.cluster.tableExists(false);
        becomeNew(world);
        world.awaitFailure(world.table.putAsync("a", "2"), NoSuchTableException.class);
        world.cluster.recreateTable();
        world.await(world.table.putAsync("a", "3"));
        assertThat(world.await(world.table.getAsync("a"))).isEqualTo("3");
    }

    @Test
    void aClientThatDoesNotFollowFailsAtOnceAndNamesBothClusters() {
        ClientFixture world =
                world(ClientSettings.builder().followsNewCluster(false).build());
        makeAnew(world);
        int requests = world.cluster.requests();
        for (CompletableFuture<?> call : List.of(
                world.table.putAsync("a", "2"),
                world.table.getAsync("a"),
                world.client.hashTableAsync("other", Codec.utf8(), Codec.utf8()))) {
            world.runUntil(call::isDone, AT_ONCE_MILLIS);
            assertThat(world.awaitFailure(call, UnavailableException.class))
                    .hasMessageContaining("it belongs to cluster " + NEW)
                    .hasMessageContaining("to cluster " + OLD);
        }
        assertThat(world.cluster.requests()).isEqualTo(requests);
    }

    @Test
    void aHandleWhoseTableWasDroppedAndMadeAgainWorksOn() {
        ClientFixture world = world();
        int[] old = {1};
        world.cluster.recreateTable();
        world.cluster.script(request -> request.table() == old[0] ? FakeCluster.Answer.of(Status.NO_SUCH_TABLE) : null);
        world.await(world.table.putAsync("b", "2"));
        assertThat(world.await(world.table.getAsync("b"))).isEqualTo("2");
        world.cluster.tableExists(false);
        old[0] = 2;
        world.awaitFailure(world.table.getAsync("b"), NoSuchTableException.class);
    }
}
