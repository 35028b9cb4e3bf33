package io.sdds.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.FindTable;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client opens a table while no coordinator answers. Bricks that were just started may not know the table. */
class TableLookUpTest {
    private static final int BRICKS = 3;

    private final ClientFixture fixture = new ClientFixture(BRICKS, BRICKS);
    private int asked;

    @BeforeEach
    void onlyBricksAnswer() {
        fixture.placeOnAllBricks(BRICKS);
        for (int k = 0; k < 100; k++) {
            fixture.await(fixture.table.getAsync("key" + k)); // connects to all bricks
        }
        fixture.cluster.stopCoordinator();
    }

    private @Nullable ControlMessage knowsNothing(ControlMessage message) {
        if (!(message instanceof FindTable)) {
            return null;
        }
        asked++;
        return new Refused(Refusal.NO_SUCH_TABLE, "this brick knows no table 't'");
    }

    @Test
    void aTableThatNoBrickKnowsMayExist() {
        fixture.cluster.controlScript(this::knowsNothing);
        Throwable failure = fixture.awaitFailure(
                fixture.client.hashTableAsync("t", Codec.utf8(), Codec.utf8()), UnavailableException.class);
        assertThat(failure).hasMessageContaining("this brick knows no table 't', and no coordinator has answered");
        assertThat(asked).isGreaterThan(1);
    }

    @Test
    void anotherBrickIsAskedForATableThatOneDoesNotKnow() {
        fixture.cluster.controlScript(message -> asked == 0 ? knowsNothing(message) : null);
        HashTable<String, String> found = fixture.await(fixture.client.hashTableAsync("t", Codec.utf8(), Codec.utf8()));
        assertThat(found.name()).isEqualTo("t");
        assertThat(asked).isEqualTo(1);
    }
}
