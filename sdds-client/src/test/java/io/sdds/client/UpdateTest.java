package io.sdds.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sdds.client.internal.routing.FakeCluster.Answer;
import org.junit.jupiter.api.Test;

/** Updates of a table without a schema, by a client that sends requests again. */
class UpdateTest {
    private final ClientFixture world = new ClientFixture(3, 5);

    @Test
    void anUpdateWhoseAnswerIsLostTakesEffectOnce() {
        world.await(world.table.putAsync("k", "a"));
        int[] requests = {0};
        world.cluster.script(request -> ++requests[0] == 1 ? Answer.RUN_AND_CLOSE : null);
        assertThat(world.await(world.table.updateAsync("k", "value = value || key")))
                .isTrue();
        assertThat(world.await(world.table.getAsync("k"))).isEqualTo("ak");
        assertThat(requests[0]).isGreaterThan(2);
    }

    @Test
    void aConditionThatIsFalseAndARecordThatIsAbsentAreFalse() {
        world.await(world.table.putAsync("k", "a"));
        assertThat(world.await(world.table.updateIfAsync("k", "value = 'b'", "value = 'c'")))
                .isFalse();
        assertThat(world.await(world.table.updateAsync("other", "value = 'c'"))).isFalse();
        assertThat(world.await(world.table.removeIfAsync("k", "value = 'a'"))).isTrue();
        assertThat(world.await(world.table.getAsync("k"))).isNull();
    }

    @Test
    void aFailureNamesTheErrorAndTheKey() {
        world.await(world.table.putAsync("k", "a"));
        QueryException failure = world.awaitFailure(
                world.table.updateAsync("k", "value = cast(1 / octet_length(trim('')) as varchar)"),
                QueryException.class);
        assertThat(failure).hasMessageEndingWith(": division by zero, at key 'k'; not applied");
        assertThat(failure.isOutcomeUnknown()).isFalse();
    }

    @Test
    void aTextThatCannotBeCompiledIsRefusedBeforeAnythingIsSent() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> world.table.updateAsync("k", "valu = 'c'"))
                .withMessage("set, position 1: no column 'valu'; did you mean 'value'?");
    }
}
