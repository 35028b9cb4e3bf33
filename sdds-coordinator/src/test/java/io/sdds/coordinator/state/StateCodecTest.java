package io.sdds.coordinator.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.core.model.KeySpan;
import io.sdds.core.model.MigrationKind;
import io.sdds.core.model.Parity;
import io.sdds.core.model.SplitPolicy;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableSpec;
import io.sdds.core.protocol.ClusterId;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.row.Column;
import io.sdds.core.row.Schema;
import io.sdds.core.row.ValueType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class StateCodecTest {
    static final List<Command> ONE_OF_EACH = List.of(
            new Command.RegisterBrick("b1", -7, "[::1]:7500", Long.MAX_VALUE, 3),
            new Command.CreateTable(
                    "names",
                    TableSpec.of(TableKind.HASH)
                            .split(SplitPolicy.DEFAULT.withSliceBytes(1))
                            .capacityRecords(1)
                            .capacityBytes(2)
                            .ttlMillis(5)
                            .build(),
                    List.of(new Command.Host(3, 4))),
            new Command.DropTable(9),
            new Command.BeginMigration(
                    MigrationKind.SPLIT,
                    1,
                    2,
                    3,
                    new KeySpan(new byte[] {1}, new byte[] {2, 3}),
                    4,
                    5,
                    List.of(new Command.Host(6, 7), new Command.Host(8, 9))),
            new Command.CommitMigration(5),
            new Command.AbandonMigration(6, 7),
            new Command.OpenSession(),
            new Command.EndSessions(List.of(1L, 2L)),
            new Command.AcceptLoss(1, List.of(new Command.Host(2, 3))),
            new Command.ChangeGroups(List.of(new Command.GroupChange(1, 2, 3, List.of(new Command.Host(4, 5))))),
            new Command.DrainBrick(1, 2, true),
            new Command.BeginLeave(1, 2, 3, new Command.Host(4, 5), true),
            new Command.GrantLeases(3200, true),
            new Command.NameCluster(new ClusterId(1, -2)),
            new Command.BrickEnded(3, 4),
            new Command.ActivateFeatures(1L << 40, 7),
            new Command.ChangeParityGroups(List.of(new Command.ParityGroupChange(
                    1,
                    2,
                    List.of(3L, 4L),
                    List.of(new Command.Host(5, 6), Command.Host.NONE),
                    List.of(new Command.Host(7, 8))))),
            new Command.EndRecovery(9),
            new Command.AddColumn(1, 2, new Command.Host(3, 4), List.of(new Command.Host(5, 6))),
            new Command.AlterParity(1, new Parity(4, 1), new Parity(4, 2)),
            new Command.ConvertToParity(1, new Parity(4, 2), List.of(new Command.Host(2, 3))),
            new Command.EndConversion(1, 2, List.of(3L, 4L)),
            new Command.AlterReplicas(1, 2),
            new Command.ConvertToReplicas(1, 2),
            new Command.AlterSchema(
                    1,
                    new Schema(
                            2,
                            List.of(
                                    new Column("id", ValueType.BIGINT, true, true, false, new byte[0], false),
                                    new Column(
                                            "price",
                                            ValueType.decimal(10, 2),
                                            false,
                                            true,
                                            true,
                                            new byte[16],
                                            true)))),
            new Command.StoreStatistics(1, StatisticsCommandsTest.SOME));

    static final Command OF_PARITY = new Command.CreateTable(
            "safe",
            TableSpec.of(TableKind.HASH)
                    .capacityRecords(1)
                    .capacityBytes(2)
                    .ttlMillis(3)
                    .firstPartitions(2)
                    .parity(new Parity(2, 1))
                    .build(),
            List.of(new Command.Host(1, 2), new Command.Host(3, 4)),
            List.of(new Command.Host(5, 6)));

    static final Command WITH_SCHEMA = SchemaCommandsTest.create("rows", SchemaCommandsTest.SCHEMA);

    @Test
    void readsBackEveryCommandAndNothingCutShort() {
        assertThat(ONE_OF_EACH.stream().<Class<?>>map(Command::getClass))
                .isEqualTo(List.copyOf(StateCodec.commandTypes()));
        List<Command> all = new ArrayList<>(ONE_OF_EACH);
        all.add(OF_PARITY);
        all.add(WITH_SCHEMA);
        for (Command command : all) {
            byte[] bytes = StateCodec.encode(command);
            assertThat(StateCodec.decodeCommand(bytes)).isEqualTo(command);
            for (int length = 0; length < bytes.length; length++) {
                byte[] cut = Arrays.copyOf(bytes, length);
                assertThatThrownBy(() -> StateCodec.decodeCommand(cut)).isInstanceOf(ProtocolViolation.class);
            }
            byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
            assertThatThrownBy(() -> StateCodec.decodeCommand(longer)).isInstanceOf(ProtocolViolation.class);
        }
    }

    @Test
    void refusesWhatALaterVersionWrote() {
        byte[] command = StateCodec.encode(new Command.OpenSession());
        command[0] = 8;
        assertThatThrownBy(() -> StateCodec.decodeCommand(command)).hasMessageContaining("format 8");
        byte[] snapshot = StateCodec.encode(new ClusterState().snapshot());
        snapshot[0] = 9;
        assertThatThrownBy(() -> StateCodec.decodeSnapshot(snapshot)).hasMessageContaining("format 9");
    }

    @Test
    void keepsTheLayout() {
        assertThat(StateCodec.encode(new Command.AbandonMigration(2, 3)))
                .containsExactly(StateCodec.FORMAT, 6, 16, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0);
    }
}
