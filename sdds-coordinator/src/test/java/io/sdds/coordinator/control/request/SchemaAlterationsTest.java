package io.sdds.coordinator.control.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.control.ParityCluster;
import io.sdds.coordinator.control.base.InMemoryLog;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.AlterSchema;
import io.sdds.core.control.ControlMessage.CreateTable;
import io.sdds.core.control.ControlMessage.Done;
import io.sdds.core.control.ControlMessage.DropTable;
import io.sdds.core.control.ControlMessage.FindTable;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.ControlMessage.TableFound;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableSpec;
import io.sdds.core.node.FakeWorld;
import io.sdds.core.row.Column;
import io.sdds.core.row.Schema;
import io.sdds.core.row.ValueType;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a coordinator creates and changes schemas (docs/design/rows.md, rule 36). */
class SchemaAlterationsTest {
    private static final int BRICKS = 2;
    private static final Column ID = new Column("id", ValueType.BIGINT, true, true, false, new byte[0], false);
    private static final Column CITY = new Column("city", ValueType.VARCHAR, false, false, false, new byte[0], false);
    private static final Schema SCHEMA = new Schema(1, List.of(ID));
    private static final Schema MORE = SCHEMA.add(CITY);

    private final InMemoryLog log = new InMemoryLog();
    private final ParityCluster cluster = new ParityCluster(new FakeWorld(1), log, BRICKS);

    private static Column dropped(Column column) {
        return new Column(column.name(), column.type(), false, false, false, new byte[0], true);
    }

    private static CreateTable table(String name, Schema schema) {
        return new CreateTable(
                name, TableSpec.of(TableKind.HASH).capacity(1000).schema(schema).build());
    }

    private ControlMessage create(ParityCluster made, Schema schema) {
        int id = made.client().send(table("t", schema));
        made.beat(3);
        return made.client().answer(id);
    }

    private AlterSchema to(Schema schema) {
        return new AlterSchema("t", ParityCluster.TABLE, schema);
    }

    private ControlMessage ask(ControlMessage message) {
        int id = cluster.client().send(message);
        cluster.beat(3);
        return cluster.client().answer(id);
    }

    private Schema found() {
        return ((TableFound) ask(new FindTable("t"))).table().definition().schema();
    }

    @Test
    void clientsFindTheSchemaAndItsChanges() {
        assertThat(((TableFound) create(cluster, SCHEMA)).table().definition().schema())
                .isEqualTo(SCHEMA);
        assertThat(ask(to(MORE))).isInstanceOf(Done.class);
        assertThat(found()).isEqualTo(MORE);
        Schema less = MORE.drop("city");
        assertThat(ask(to(less))).isInstanceOf(Done.class);
        assertThat(found()).isEqualTo(less);
    }

    @Test
    void aChangeThatIsRepeatedIsMadeOnceAlsoAtTheNextLeader() {
        create(cluster, SCHEMA);
        int first = cluster.client().send(to(MORE));
        int second = cluster.client().send(to(MORE));
        cluster.beat(3);
        assertThat(cluster.client().answer(first)).isInstanceOf(Done.class);
        assertThat(cluster.client().answer(second)).isInstanceOf(Done.class);
        cluster.leaderChanges();
        assertThat(ask(to(MORE))).isInstanceOf(Done.class);
        assertThat(found()).isEqualTo(MORE);
    }

    @Test
    void theClientIsAnsweredWhenAllBricksKnowTheChange() {
        create(cluster, SCHEMA);
        cluster.hanging.add(2);
        int change = cluster.client().send(to(MORE));
        cluster.world.run(ParityCluster.COMMIT);
        assertThat(cluster.client().answer(change)).isNull();
        cluster.hanging.clear();
        cluster.beat(3);
        assertThat(cluster.client().answer(change)).isInstanceOf(Done.class);
    }

    @Test
    void requestsThatCannotBeDoneAreRefusedInOneLine() {
        create(cluster, SCHEMA);
        assertThat(ask(new AlterSchema("none", 1, MORE)))
                .isEqualTo(new Refused(Refusal.NO_SUCH_TABLE, "table 'none' does not exist"));
        assertThat(ask(new AlterSchema("t", 9, MORE)))
                .isEqualTo(new Refused(
                        Refusal.NO_SUCH_TABLE,
                        "table 't' is another one by now, created after the one to change was gone"));
        ask(to(MORE));
        assertThat(ask(to(new Schema(2, List.of(ID, CITY, CITY)))))
                .isEqualTo(new Refused(
                        Refusal.BAD_REQUEST, "table 't': the schema has version 2 by now; look at it and try again"));
        assertThat(ask(to(new Schema(3, List.of(dropped(ID), CITY)))))
                .isEqualTo(new Refused(
                        Refusal.BAD_REQUEST, "table 't': column 'id' is part of the key, and cannot be dropped"));
        assertThat(ask(table("u", new Schema(1, List.of(CITY)))))
                .isEqualTo(new Refused(
                        Refusal.BAD_REQUEST,
                        "no column is a key: say 'key' behind the type of each column of the key"));
        assertThat(ask(new DropTable("t"))).isInstanceOf(Done.class);
    }
}
