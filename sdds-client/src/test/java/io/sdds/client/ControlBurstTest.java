package io.sdds.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.client.internal.routing.FakeCluster;
import io.sdds.core.control.ControlMessage.CreateTable;
import io.sdds.core.control.ControlMessage.FindTable;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many control requests at once. */
class ControlBurstTest {
    private static final int BURST = 1000;

    /** What a coordinator takes of one client at least, while few others ask. */
    private static final int TAKEN_OF_ONE_CLIENT = 100;

    private final ClientFixture fixture = new ClientFixture(2, 2);
    private int sent;

    private List<CompletableFuture<HashTable<String, String>>> open() {
        return IntStream.range(0, BURST)
                .mapToObj(k -> fixture.client.hashTableAsync("t", Codec.utf8(), Codec.utf8()))
                .toList();
    }

    @Test
    void aBurstWaitsInTheClientUntilEarlierRequestsAreAnswered() {
        fixture.cluster.controlScript(message -> {
            sent += message instanceof FindTable ? 1 : 0;
            return FakeCluster.SILENCE;
        });
        open();
        fixture.run(500);
        assertThat(sent).isPositive().isLessThan(TAKEN_OF_ONE_CLIENT);
        fixture.cluster.controlScript(message -> null);
        open().forEach(table -> assertThat(fixture.await(table).name()).isEqualTo("t"));
    }

    @Test
    void codecsThatDoNotFitTheSchemaAreRefusedBeforeTheTableIsCreated() {
        fixture.cluster.controlScript(message -> {
            sent += message instanceof CreateTable ? 1 : 0;
            return null;
        });
        TableOptions options = TableOptions.defaults().withSchema("id bigint key, name varchar");
        assertThatThrownBy(() -> fixture.client.createHashTableAsync("u", options, Codec.utf8(), Codec.utf8()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("table 'u': ")
                .hasMessageContaining("id bigint");
        fixture.run(100);
        assertThat(sent).isZero();
    }
}
