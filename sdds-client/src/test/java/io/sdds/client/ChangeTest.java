package io.sdds.client;

import static io.sdds.client.Filters.key;
import static io.sdds.client.Filters.where;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sdds.client.internal.routing.FakeCluster.Answer;
import io.sdds.core.Seeds;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Changes of all records that meet a condition, of scripted bricks. */
class ChangeTest {
    private static final int RECORDS = 300;

    private ClientFixture world = new ClientFixture(3, 5);
    private final Map<String, String> all = new TreeMap<>();

    private HashTable<String, String> filled() {
        for (int k = 0; k < RECORDS; k++) {
            all.put("key" + k, "value" + k);
        }
        all.forEach((key, value) -> world.cluster.put(key.getBytes(UTF_8), value.getBytes(UTF_8)));
        return world.table;
    }

    private String value(String key) {
        byte[] value = world.cluster.value(key.getBytes(UTF_8));
        return value == null ? null : new String(value, UTF_8);
    }

    private void assertThatRecordsAre(Map<String, String> expected) {
        assertThat(world.cluster.records()).isEqualTo(expected.size());
        expected.forEach((key, value) -> assertThat(value(key)).isEqualTo(value));
    }

    @Test
    void recordsThatMeetTheConditionsAreUpdatedOnce() {
        Scan<String, String> some =
                filled().scan(where(key().startsWith("key1"))).where("value contains '7'");
        ChangeCount count = world.await(some.updateAsync("value = value || '!'"));
        int[] expected = {0};
        all.replaceAll((key, value) -> {
            boolean meets = key.startsWith("key1") && value.contains("7");
            expected[0] += meets ? 1 : 0;
            return meets ? value + "!" : value;
        });
        assertThat(count).isEqualTo(new ChangeCount(expected[0], 0));
        assertThat(count.changed()).isPositive();
        assertThatRecordsAre(all);
    }

    @Test
    void recordsAreRemoved() {
        ChangeCount count = world.await(filled().scan().where("value like '%5'").removeAsync());
        all.values().removeIf(value -> value.endsWith("5"));
        assertThat(count).isEqualTo(new ChangeCount(RECORDS - all.size(), 0));
        assertThatRecordsAre(all);
    }

    @Test
    void withoutAConditionAllRecordsAreChangedWhateverTheyAreFoundBy() {
        world = new ClientFixture(3, 5, ClientSettings.builder().pushdown(false).build());
        filled();
        assertThat(world.await(world.table.scan().updateAsync("value = key"))).isEqualTo(new ChangeCount(RECORDS, 0));
        assertThat(world.await(world.table.scan().where("value = key").removeAsync()))
                .isEqualTo(new ChangeCount(RECORDS, 0));
        assertThat(world.cluster.records()).isZero();
    }

    @Test
    void aRecordThatHasChangedMeanwhileIsSkipped() {
        filled();
        boolean[] hasScanned = {false};
        world.cluster.script(request -> {
            if (request.opcode() == Opcode.UPDATE && !hasScanned[0]) {
                hasScanned[0] = true; // all updates of the first answers come after these writes
                world.cluster.put("key3".getBytes(UTF_8), "other".getBytes(UTF_8));
            }
            return null;
        });
        ChangeCount count = world.await(
                world.table.scan().where("key = 'key3' and value = 'value3'").updateAsync("value = 'lost'"));
        assertThat(count).isEqualTo(new ChangeCount(0, 1));
        assertThat(value("key3")).isEqualTo("other");
    }

    @Test
    void aLimitBoundsTheRecordsThatAreChanged() {
        assertThat(world.await(filled().scan().limit(10).removeAsync())).isEqualTo(new ChangeCount(10, 0));
        assertThat(world.cluster.records()).isEqualTo(RECORDS - 10);
        assertThat(world.await(world.table.scan().limit(0).removeAsync())).isEqualTo(new ChangeCount(0, 0));
        assertThat(world.cluster.records()).isEqualTo(RECORDS - 10);
    }

    @Test
    void updatesWhoseAnswersAreLostTakeEffectOnce() {
        filled();
        SplittableRandom random = new SplittableRandom(Seeds.next("ChangeTest"));
        world.cluster.script(request -> switch (random.nextInt(12)) {
            case 0 -> Answer.RUN_AND_CLOSE;
            case 1 -> Answer.CLOSE;
            case 2 -> Answer.busy(3);
            default -> null;
        });
        CompletableFuture<ChangeCount> changed = world.table.scan().updateAsync("value = value || '!'");
        world.runUntil(changed::isDone, 100 * ClientFixture.TIMEOUT_MILLIS);
        assertThat(changed.join()).isEqualTo(new ChangeCount(RECORDS, 0));
        all.replaceAll((key, value) -> value + "!");
        assertThatRecordsAre(all);
    }

    @Test
    void recordsAreChangedOnceAlthoughBricksRefuseMany() {
        filled();
        SplittableRandom random = new SplittableRandom(Seeds.next("ChangeTest"));
        world.cluster.script(
                request -> request.opcode() == Opcode.UPDATE && random.nextInt(3) == 0 ? Answer.busy(1) : null);
        CompletableFuture<ChangeCount> changed = world.table.scan().updateAsync("value = value || '!'");
        world.runUntil(changed::isDone, 100 * ClientFixture.TIMEOUT_MILLIS);
        assertThat(changed.join()).isEqualTo(new ChangeCount(RECORDS, 0));
        assertThat(world.statistics().busy()).isPositive();
        all.replaceAll((key, value) -> value + "!");
        assertThatRecordsAre(all);
    }

    @Test
    void progressIsToldAndNeverFalls() {
        filled();
        List<ChangeCount> told = new ArrayList<>();
        world.await(world.table.scan().updateAsync(told::add, "value = 'x'"));
        assertThat(told).hasSizeGreaterThan(3).last().isEqualTo(new ChangeCount(RECORDS, 0));
        assertThat(told.stream().map(ChangeCount::changed)).isSorted();
    }

    @Test
    void aFailureSaysWhatWasChanged() {
        filled();
        int[] updates = {0};
        world.cluster.script(request ->
                request.opcode() == Opcode.UPDATE && ++updates[0] > 100 ? Answer.of(Status.MEMORY_FULL) : null);
        IncompleteChangeException failure = world.awaitFailure(
                world.table.scan().updateAsync("value = value || '!'"), IncompleteChangeException.class);
        long changed = all.entrySet().stream()
                .filter(each -> value(each.getKey()).equals(each.getValue() + "!"))
                .count();
        assertThat(failure.counted()).isEqualTo(new ChangeCount(changed, 0));
        assertThat(changed).isEqualTo(100);
        assertThat(failure)
                .hasMessageEndingWith("; 100 other records were changed")
                .hasCauseInstanceOf(MemoryFullException.class);
        assertThat(failure.isOutcomeUnknown()).isFalse();
    }

    @Test
    void anErrorOfTheFirstRecordHasChangedNothing() {
        filled();
        QueryException failure = world.awaitFailure(
                world.table
                        .scan()
                        .where("key = 'key7'")
                        .updateAsync("value = cast(1 / (length(value) - 6) as varchar)"),
                QueryException.class);
        assertThat(failure).hasMessageContaining("division by zero, at key 'key7'; not applied");
        assertThatRecordsAre(all);
    }

    @Test
    void textsAreCheckedBeforeAnythingIsSent() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> world.table.scan().updateAsync("valu = 'c'"))
                .withMessage("set, position 1: no column 'valu'; did you mean 'value'?");
        assertThat(world.cluster.requests()).isZero();
    }

    @Test
    void aCancelledChangeChangesNoMore() {
        filled();
        CompletableFuture<ChangeCount> change = world.table.scan().removeAsync();
        world.runUntil(() -> world.cluster.records() < RECORDS, ClientFixture.TIMEOUT_MILLIS);
        change.cancel(false);
        world.run(100); // answers under way
        int requests = world.cluster.requests();
        int records = world.cluster.records();
        assertThat(records).isPositive();
        world.run(ClientFixture.TIMEOUT_MILLIS);
        assertThat(world.cluster.requests()).isEqualTo(requests);
        assertThat(world.cluster.records()).isEqualTo(records);
    }

    @Test
    void aWindowOfFewRequestsIsEnough() {
        world = new ClientFixture(
                3, 5, ClientSettings.builder().window(2, 1 << 20).build());
        filled();
        assertThat(world.await(world.table.scan().removeAsync())).isEqualTo(new ChangeCount(RECORDS, 0));
    }
}
