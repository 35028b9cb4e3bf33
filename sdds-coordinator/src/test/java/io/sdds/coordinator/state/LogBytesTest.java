package io.sdds.coordinator.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.model.KeySpan;
import io.sdds.core.model.Routing;
import io.sdds.core.model.SplitPolicy;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableSpec;
import io.sdds.core.protocol.KeptBytes;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Commands, a log and a snapshot are the bytes that this build of their format has, in src/test/resources/state/log.txt
 * ({@link KeptBytes}). Disks hold such bytes.
 */
class LogBytesTest {
    private static final Path FILE = Path.of("src/test/resources/state/log.txt");
    private static final String OF_PARITY = "command CreateTable of parity";
    private static final String WITH_SCHEMA = "command CreateTable with a schema";
    private static final String SNAPSHOT = "snapshot";

    private final KeptBytes kept = new KeptBytes(FILE, StateCodec.FORMAT);

    /** A log after which the state has at least one entry of each kind. */
    private static List<Command> log() {
        List<Command> log = new ArrayList<>();
        for (int brick = 1; brick <= 4; brick++) {
            log.add(new Command.RegisterBrick("b" + brick, brick, "b" + brick + ":7500", 1 << 30, 0));
        }
        Command.Host b1 = new Command.Host(1, 1);
        Command.Host b2 = new Command.Host(2, 1);
        Command.Host b3 = new Command.Host(3, 1);
        SplitPolicy split = SplitPolicy.DEFAULT;
        log.add(new Command.CreateTable(
                "hash",
                TableSpec.of(TableKind.HASH)
                        .split(split)
                        .capacity(100)
                        .ttlMillis(60_000)
                        .build(),
                List.of(new Command.Host(1, 1))));
        log.add(new Command.CreateTable(
                "groups",
                TableSpec.of(TableKind.HASH)
                        .split(split)
                        .capacityBytes(4096)
                        .replicas(2)
                        .firstPartitions(2)
                        .build(),
                List.of(b1, b2, b2, b3)));
        log.add(new Command.CreateTable(
                "range",
                TableSpec.of(TableKind.RANGE)
                        .split(split)
                        .capacity(100)
                        .routing(Routing.IMAGE_MULTICAST)
                        .build(),
                List.of(b3)));
        log.add(new Command.CreateTable(
                "gone",
                TableSpec.of(TableKind.HASH).split(split).capacity(100).build(),
                List.of(new Command.Host(1, 1))));
        log.add(new Command.DropTable(4));
        log.add(Command.BeginMigration.split(1, 1, 1, List.of(b2)));
        log.add(new Command.CommitMigration(1));
        log.add(Command.BeginMigration.split(1, 2, 1, List.of(b3)));
        byte[] middle = "middle".getBytes(StandardCharsets.US_ASCII);
        log.add(Command.BeginMigration.rangeSplit(3, 0, 1, KeySpan.ALL.above(middle), 1, List.of(b1)));
        log.add(Command.BeginMigration.learner(2, 0, 1, new Command.Host(4, 1)));
        log.add(new Command.BeginLeave(2, 1, 1, b3, true));
        log.add(new Command.OpenSession());
        log.add(new Command.OpenSession());
        log.add(new Command.OpenSession());
        log.add(new Command.EndSessions(List.of(2L)));
        log.add(new Command.DrainBrick(4, 1, true));
        return log;
    }

    private static ClusterState stateOf(List<Command> log) {
        ClusterState state = new ClusterState();
        for (Command command : log) {
            assertThat(state.apply(command)).as("%s", command).isNotInstanceOf(Result.Rejected.class);
        }
        return state;
    }

    /** All commands, the log and the snapshot as this code writes them. */
    private static Map<String, byte[]> written() {
        Map<String, byte[]> lines = new LinkedHashMap<>();
        for (Command command : StateCodecTest.ONE_OF_EACH) {
            lines.put("command " + command.getClass().getSimpleName(), StateCodec.encode(command));
        }
        lines.put(OF_PARITY, StateCodec.encode(StateCodecTest.OF_PARITY));
        lines.put(WITH_SCHEMA, StateCodec.encode(StateCodecTest.WITH_SCHEMA));
        List<Command> log = log();
        for (int entry = 0; entry < log.size(); entry++) {
            lines.put("log " + entry, StateCodec.encode(log.get(entry)));
        }
        lines.put(SNAPSHOT, StateCodec.encode(stateOf(log).snapshot()));
        return lines;
    }

    @Test
    void everyCommandIsWrittenAsItIsKept() {
        kept.check(written());
    }

    @Test
    void readsTheCommandsThatAreKept() {
        for (Command command : StateCodecTest.ONE_OF_EACH) {
            String name = "command " + command.getClass().getSimpleName();
            assertThat(StateCodec.decodeCommand(kept.get(name))).as(name).isEqualTo(command);
        }
        assertThat(StateCodec.decodeCommand(kept.get(OF_PARITY))).isEqualTo(StateCodecTest.OF_PARITY);
        assertThat(StateCodec.decodeCommand(kept.get(WITH_SCHEMA))).isEqualTo(StateCodecTest.WITH_SCHEMA);
    }

    @Test
    void becomesTheSameByTheLogThatIsKeptAsByTheSnapshotThatIsKept() {
        List<Command> log = kept.all().entrySet().stream()
                .filter(line -> line.getKey().startsWith("log "))
                .map(line -> StateCodec.decodeCommand(line.getValue()))
                .toList();
        ClusterSnapshot byLog = stateOf(log).snapshot();
        assertThat(byLog).isEqualTo(stateOf(log()).snapshot());
        ClusterSnapshot snapshot = StateCodec.decodeSnapshot(kept.get(SNAPSHOT));
        assertThat(snapshot).isEqualTo(byLog);
        ClusterState restored = new ClusterState();
        restored.restore(snapshot);
        assertThat(restored.snapshot()).isEqualTo(byLog);
    }

    /** After the old log was read, new commands follow the old ones. */
    @Test
    void goesOnFromTheSnapshotThatIsKept() {
        ClusterState state = new ClusterState();
        state.restore(StateCodec.decodeSnapshot(kept.get(SNAPSHOT)));
        assertThat(state.apply(new Command.CommitMigration(state.splitOf(1).id())))
                .isInstanceOf(Result.Applied.class);
        assertThat(state.table(1).partitions()).isEqualTo(3);
        assertThat(state.leaves()).isNotEmpty();
        assertThat(state.learners()).isNotEmpty();
        assertThat(state.sessions()).containsExactly(1L, 3L);
        assertThat(state.drains(4)).isTrue();
    }
}
