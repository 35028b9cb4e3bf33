package io.sdds.sim.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.state.ClusterState;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.Result.TableCreated;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.Routing;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableSpec;
import io.sdds.core.protocol.IndexRecord;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An index that says what the map says gives no line, and each record of it that is wrong its own. */
class IndexCheckTest {
    private static final BrickInfo BRICK = new BrickInfo(0, "b1", 1, "b1:1");
    private static final BrickInfo OTHER = new BrickInfo(1, "b2", 1, "b2:1");
    private static final byte[] M = "m".getBytes(StandardCharsets.UTF_8);
    private static final byte[] FIRST = IndexRecord.key(3, M);
    private static final byte[] LAST = IndexRecord.lastKey(3);

    private final SortedMap<byte[], byte[]> wanted = new TreeMap<>(Arrays::compareUnsigned);
    private final SortedMap<byte[], byte[]> held = new TreeMap<>(Arrays::compareUnsigned);

    @BeforeEach
    void twoPartitions() {
        wanted.put(FIRST, new IndexRecord(0, new byte[0], BRICK).encoded());
        wanted.put(LAST, new IndexRecord(1, M, BRICK).encoded());
        wanted.forEach((key, value) -> held.put(key.clone(), value.clone()));
    }

    @Test
    void acceptsWhatTheMapSays() {
        assertThat(check()).isEmpty();
    }

    @Test
    void findsARecordThatIsMissing() {
        held.remove(LAST);
        assertThat(check()).singleElement().asString().contains("the index has nothing");
    }

    @Test
    void findsARecordOfNoPartition() {
        held.put(IndexRecord.key(3, "g".getBytes(StandardCharsets.UTF_8)), held.get(FIRST));
        assertThat(check()).singleElement().asString().contains("where nothing is");
    }

    @Test
    void findsAnotherPartitionSpanBrickOrProcess() {
        for (IndexRecord wrong : List.of(
                new IndexRecord(2, M, BRICK),
                new IndexRecord(1, new byte[] {'l'}, BRICK),
                new IndexRecord(1, M, OTHER),
                new IndexRecord(1, M, new BrickInfo(0, "b1", 2, "b1:1")))) {
            held.put(LAST, wrong.encoded());
            assertThat(check())
                    .singleElement()
                    .asString()
                    .contains("partition=" + wrong.partition())
                    .contains(wrong.brick().toString())
                    .contains("instead of");
        }
    }

    @Test
    void wantsARecordOfEachPartitionOfTheTablesThatTheIndexIsFor() {
        ClusterState state = new ClusterState();
        state.apply(new Command.RegisterBrick("b1", 1, "b1:1", 1 << 30, 0));
        int byIndex = create(state, "t", Routing.INDEX);
        create(state, "u", Routing.IMAGE);
        assertThat(IndexCheck.wanted(state))
                .hasSize(1)
                .hasEntrySatisfying(IndexRecord.key(byIndex, KeySpan.ALL), value -> {
                    IndexRecord record = IndexRecord.of(value);
                    assertThat(record.partition()).isZero();
                    assertThat(record.brick().id()).isEqualTo("b1");
                });
    }

    private static int create(ClusterState state, String name, Routing routing) {
        int brick = state.brick("b1").number();
        Command create = new Command.CreateTable(
                name,
                TableSpec.of(TableKind.RANGE).capacity(100).routing(routing).build(),
                List.of(new Command.Host(brick, 1)));
        return ((TableCreated) state.apply(create)).table().definition().id();
    }

    private List<String> check() {
        return IndexCheck.check(wanted, held);
    }
}
