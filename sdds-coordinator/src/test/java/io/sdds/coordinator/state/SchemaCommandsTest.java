package io.sdds.coordinator.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableSpec;
import io.sdds.core.row.Column;
import io.sdds.core.row.Schema;
import io.sdds.core.row.SchemaChange;
import io.sdds.core.row.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Schemas in the replicated state (docs/design/rows.md, rule 36). */
class SchemaCommandsTest {
    private static final Column ID = new Column("id", ValueType.BIGINT, true, true, false, new byte[0], false);
    private static final Column CITY = new Column("city", ValueType.VARCHAR, false, false, false, new byte[0], false);
    private static final Column AGE =
            new Column("age", ValueType.INTEGER, false, true, true, new byte[] {42, 0, 0, 0}, false);
    static final Schema SCHEMA = new Schema(1, List.of(ID, CITY));

    private final ClusterState state = new ClusterState();
    private final List<Command> log = new ArrayList<>();

    @BeforeEach
    void registersABrick() {
        apply(new Command.RegisterBrick("b1", 1, "b1:7500", 1 << 30, 0));
    }

    private static Column dropped(Column column) {
        return new Column(column.name(), column.type(), false, false, false, new byte[0], true);
    }

    private Result apply(Command command) {
        log.add(command);
        return state.apply(command);
    }

    static Command.CreateTable create(String name, Schema schema) {
        return create(name, schema, new Command.Host(1, 1));
    }

    static Command.CreateTable create(String name, Schema schema, Command.Host host) {
        return new Command.CreateTable(
                name, TableSpec.of(TableKind.HASH).capacity(1000).schema(schema).build(), List.of(host));
    }

    /** Adds a column or drops one, or repeats a change, or changes an earlier version. */
    static Command.AlterSchema change(TableDefinition table, SplittableRandom random) {
        Schema schema = table.schema();
        List<Column> live = schema.liveColumns();
        Column last = live.get(live.size() - 1);
        String name = "c" + random.nextInt(9);
        Schema after = switch (random.nextInt(5)) {
            case 0 -> schema;
            case 1 -> new Schema(schema.version() + random.nextInt(3), schema.columns());
            case 2 -> last.key() ? schema : schema.drop(last.name());
            default ->
                schema.column(name) != null
                        ? schema.drop(name)
                        : schema.add(new Column(name, ValueType.DATE, false, false, false, new byte[0], false));
        };
        return new Command.AlterSchema(table.id(), after);
    }

    private Schema schema() {
        return state.table(1).definition().schema();
    }

    private void rejected(Command command, Refusal reason, String text) {
        long version = state.version();
        assertThat(apply(command)).isEqualTo(new Result.Rejected(reason, text));
        assertThat(state.version()).isEqualTo(version);
    }

    @Test
    void aTableKeepsItsSchemaAndChangesIt() {
        apply(create("t", SCHEMA));
        assertThat(schema()).isEqualTo(SCHEMA);
        long version = state.version();
        Schema more = SCHEMA.add(AGE);
        assertThat(apply(new Command.AlterSchema(1, more))).isEqualTo(new Result.Applied(version + 1));
        assertThat(schema()).isEqualTo(more);
        assertThat(state.table(1).version()).isEqualTo(version + 1);
        Schema less = more.drop("city");
        assertThat(apply(new Command.AlterSchema(1, less))).isEqualTo(new Result.Applied(version + 2));
        assertThat(schema()).isEqualTo(new Schema(3, List.of(ID, dropped(CITY), AGE)));
        apply(new Command.AlterReplicas(1, 2));
        assertThat(schema()).isEqualTo(less);
    }

    @Test
    void aRepeatedChangeChangesNothing() {
        apply(create("t", SCHEMA));
        Command change = new Command.AlterSchema(1, SCHEMA.add(AGE));
        Result first = apply(change);
        assertThat(apply(change)).isEqualTo(first);
        assertThat(schema().columns()).hasSize(3);
        assertThat(state.version()).isEqualTo(((Result.Applied) first).version());
    }

    @Test
    void changesThatDoNotFitAreRejected() {
        apply(create("t", SCHEMA));
        apply(create("bytes", Schema.NONE));
        Schema more = SCHEMA.add(AGE);
        rejected(new Command.AlterSchema(7, more), Refusal.NO_SUCH_TABLE, "table 7 does not exist");
        rejected(
                new Command.AlterSchema(2, more),
                Refusal.BAD_REQUEST,
                "table 'bytes': the table was created without a schema, and gets none later");
        apply(new Command.AlterSchema(1, more));
        rejected(
                new Command.AlterSchema(1, SCHEMA.drop("city")),
                Refusal.BAD_REQUEST,
                "table 't': the schema has version 2 by now; look at it and try again");
        rejected(
                new Command.AlterSchema(1, new Schema(3, List.of(ID, CITY, AGE, CITY))),
                Refusal.BAD_REQUEST,
                "table 't': column 'city' is there twice; names are matched without regard to case");
        rejected(
                new Command.AlterSchema(1, new Schema(3, List.of(dropped(ID), CITY, AGE))),
                Refusal.BAD_REQUEST,
                "table 't': column 'id' is part of the key, and cannot be dropped");
        rejected(
                create("u", new Schema(1, List.of(CITY))),
                Refusal.BAD_REQUEST,
                "no column is a key: say 'key' behind the type of each column of the key");
    }

    @Test
    void theSchemasOfAllTablesTogetherAreBounded() {
        Column large = new Column("large", ValueType.VARBINARY, false, true, true, new byte[15_000], false);
        Schema schema = new Schema(1, List.of(ID, large));
        int room = (int) (StateLimits.SCHEMAS_BYTES_MAX / SchemaChange.bytes(schema));
        for (int k = 0; k < room; k++) {
            assertThat(apply(create("t" + k, schema))).isInstanceOf(Result.TableCreated.class);
        }
        Result refused = apply(create("more", schema));
        assertThat(((Result.Rejected) refused).text()).contains("at most " + StateLimits.SCHEMAS_BYTES_MAX);
        apply(new Command.DropTable(1));
        assertThat(apply(create("more", schema))).isInstanceOf(Result.TableCreated.class);
        assertThat(apply(new Command.AlterSchema(2, schema.drop("large")))).isInstanceOf(Result.Applied.class);
    }

    @Test
    void schemasOutliveSnapshotsAndTheLog() {
        apply(create("t", SCHEMA));
        apply(new Command.AlterSchema(1, SCHEMA.add(AGE)));
        ClusterState restored = new ClusterState();
        restored.restore(StateCodec.decodeSnapshot(StateCodec.encode(state.snapshot())));
        assertThat(restored.table(1)).isEqualTo(state.table(1));
        ClusterState replayed = new ClusterState();
        log.forEach(command -> replayed.apply(StateCodec.decodeCommand(StateCodec.encode(command))));
        assertThat(replayed.snapshot()).isEqualTo(state.snapshot());
        Schema less = schema().drop("city");
        assertThat(restored.apply(new Command.AlterSchema(1, less))).isInstanceOf(Result.Applied.class);
    }
}
