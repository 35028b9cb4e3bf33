package io.sdds.sim.planted;

import io.sdds.core.model.TableMap;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.query.Program;
import io.sdds.core.query.RowShape;
import io.sdds.core.row.Column;
import io.sdds.core.row.RowLayout;
import io.sdds.core.row.RowReader;
import io.sdds.core.row.RowWriter;
import io.sdds.core.row.Schema;
import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.frame.DecodedRequest;
import io.sdds.sim.load.WrittenRows;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Bugs that only tables with schemas can show. */
enum PlantedRowBug implements Planted {
    /** A query reads the column that was added last with another default in the rows that are older. */
    WRONG_DEFAULT(1) {
        @Override
        public void plant(SimCluster cluster) {
            cluster.simulation().network().filter(ProgramEdits.programs(PlantedRowBug::withoutLastDefault));
        }
    },

    /** A client that knows the newest schema puts rows as those of the schema before. */
    OLD_SCHEMA_USED(5) {
        @Override
        public void plant(SimCluster cluster) {
            cluster.simulation()
                    .network()
                    .filter(FrameEdits.requests(
                            Opcode.PUT,
                            put -> put.flags() == 0 && put.body().length > 0 ? shortened(cluster, put) : put));
        }
    },

    /** A client that sends an update again sends it as a new one: the brick adds twice. */
    UPDATE_RETRIED_UNDER_A_NEW_ID(2) {
        @Override
        public String complaint() {
            return "has two results";
        }

        @Override
        public void plant(SimCluster cluster) {
            cluster.simulation()
                    .network()
                    .filter(new PlantedUpdates(cluster.simulation().fork("planted bug")));
        }
    };

    private final long firstSeed;

    PlantedRowBug(long firstSeed) {
        this.firstSeed = firstSeed;
    }

    @Override
    public long firstSeed() {
        return firstSeed;
    }

    @Override
    public Scenario scenario() {
        return Scenario.ROWS;
    }

    @Override
    public ClusterPlan.Severity severity() {
        return ClusterPlan.Severity.CALM;
    }

    private static Program withoutLastDefault(Program program) {
        RowShape shape = program.shape();
        int last = shape.defaults().size() - 1;
        if (last < WrittenRows.FIRST.valueColumns().size()) {
            return program;
        }
        List<byte @Nullable []> defaults = new ArrayList<>(shape.defaults());
        defaults.set(last, null);
        return new Program(
                new RowShape(shape.keys(), shape.values(), defaults),
                program.instructions(),
                program.filter(),
                program.output());
    }

    /** A put of the row without the column that was added last. */
    private static DecodedRequest shortened(SimCluster cluster, DecodedRequest put) {
        TableMap table = cluster.coordinatorIsUp()
                ? cluster.coordinator().state().table(cluster.plan().table().name())
                : null;
        if (table == null) {
            return put;
        }
        Schema schema = table.definition().schema();
        RowReader reader = new RowReader(RowLayout.of(schema));
        reader.read(put.body());
        int columns = reader.columns();
        if (columns != schema.valueColumns().size()
                || columns == WrittenRows.FIRST.valueColumns().size()) {
            return put;
        }
        List<Column> before = schema.columns().subList(0, schema.columns().size() - 1);
        @Nullable Object[] values = new @Nullable Object[columns - 1];
        for (int k = 0; k < values.length; k++) {
            values[k] = schema.valueColumns().get(k).dropped() ? null : reader.value(k);
        }
        return put.withBody(new RowWriter(new Schema(schema.version(), before)).write(values));
    }
}
