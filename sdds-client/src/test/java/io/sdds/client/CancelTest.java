package io.sdds.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.client.internal.routing.FakeCluster.Answer;
import io.sdds.core.protocol.Opcode;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests of operations whose futures the application cancels. */
class CancelTest {
    /** A time longer than a tick, in which the client removes cancelled requests. */
    private static final long TICKS_MILLIS = 30;

    private ClientFixture world =
            new ClientFixture(2, 3, ClientSettings.builder().window(1, 1 << 20).build());

    @Test
    void aWriteThatWaitsForItsBrickIsNeverSent() {
        world.cluster.stopBrick(1);
        world.cluster.stopBrick(2);
        CompletableFuture<Void> put = world.table.putAsync("a", "1");
        world.run(TICKS_MILLIS);
        assertThat(put.cancel(false)).isTrue();
        world.run(TICKS_MILLIS);
        CompletableFuture<Void> other = world.table.putAsync("b", "2"); // for which there is room
        world.cluster.startBrick(1);
        world.cluster.startBrick(2);
        world.await(other);
        world.run(ClientFixture.TIMEOUT_MILLIS);
        assertThat(world.cluster.requests()).isEqualTo(1);
        assertThat(world.cluster.records()).isEqualTo(1);
    }

    @Test
    void aWriteThatIsCancelledBeforeItHasASessionIsNeverSent() {
        world.cluster.stopCoordinator();
        CompletableFuture<Void> put = world.table.putAsync("a", "1");
        put.cancel(false);
        world.run(ClientFixture.TIMEOUT_MILLIS);
        assertThat(world.cluster.requests()).isZero();
        assertThat(world.await(world.table.getAsync("a"))).isNull();
    }

    @Test
    void theRoomOfARequestThatWasSentIsFree() {
        world.cluster.script(request -> request.opcode() == Opcode.GET ? Answer.NONE : null);
        CompletableFuture<String> get = world.table.getAsync("a");
        world.run(TICKS_MILLIS);
        get.cancel(true);
        world.run(TICKS_MILLIS);
        world.await(world.table.putAsync("b", "2"));
        assertThat(world.statistics().timeouts()).isZero();
    }

    @Test
    void aBatchBeginsNoMore() {
        world = new ClientFixture(2, 3);
        world.cluster.script(request -> Answer.NONE);
        Map<String, String> records = new HashMap<>();
        for (int k = 0; k < 1500; k++) {
            records.put("key" + k, "v");
        }
        CompletableFuture<Void> all = world.table.putAllAsync(records);
        world.run(TICKS_MILLIS);
        assertThat(world.cluster.requests()).isPositive().isLessThan(1500);
        all.cancel(false);
        world.cluster.script(request -> null);
        world.cluster.closeLinks(1);
        world.cluster.closeLinks(2);
        world.run(ClientFixture.TIMEOUT_MILLIS);
        assertThat(world.cluster.records()).isPositive().isLessThan(1500);
    }
}
