package io.sdds.sim.fault;

import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.AlterSchema;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.model.TableMap;
import io.sdds.core.row.Column;
import io.sdds.core.row.Schema;
import io.sdds.core.row.SchemaText;
import io.sdds.sim.load.WrittenRows;
import io.sdds.sim.plan.TablePlan;
import io.sdds.sim.world.RareEvent;
import io.sdds.sim.world.SimulationFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Operators who add columns to the schemas of tables and drop columns, at random moments while there are faults. */
final class SchemaChanges {
    private static final int CHANGES_MAX = 6;

    /** What columns are added as; a name is free again when its column was dropped. */
    private static final List<String> ADDED = List.of(
            " integer default 4711",
            " varchar default 'added'",
            " boolean not null default false",
            " decimal(9,2) default 1.25",
            " timestamp",
            " bigint not null default -1",
            " date default date '2026-02-28'",
            " double default 2.5",
            " uuid");

    private final FaultyCluster cluster;
    private final List<OfTable> all = new ArrayList<>();

    SchemaChanges(FaultyCluster cluster) {
        this.cluster = cluster;
    }

    /** The schema of a table is to be changed several times. */
    void begin(TablePlan table) {
        SplittableRandom random = cluster.simulation().fork("schema of " + table.name());
        OfTable changes = new OfTable(table, random);
        all.add(changes);
        Operator.sendFor(cluster, changes);
    }

    /** Whether nobody changes a schema. */
    boolean areOver() {
        return all.stream().allMatch(OfTable::isOver);
    }

    /** The operator of one table. */
    private final class OfTable implements Operator.Errand {
        private final TablePlan table;
        private final SplittableRandom random;
        private final List<Long> moments;

        /** The change that was asked for last. It may have been made before the answer came. */
        private @Nullable Schema asked;

        OfTable(TablePlan table, SplittableRandom random) {
            this.table = table;
            this.random = random;
            long now = cluster.simulation().nowNanos();
            this.moments = new ArrayList<>(random.longs(
                            random.nextInt(1, CHANGES_MAX),
                            now,
                            now + cluster.plan().faultsNanos())
                    .sorted()
                    .boxed()
                    .toList());
        }

        @Override
        public boolean isOver() {
            TableMap map = map();
            Schema wanted = asked;
            if (wanted != null && map != null && map.definition().schema().equals(wanted)) {
                cluster.simulation().coverage().hit(RareEvent.SCHEMA_CHANGED);
                asked = null;
                moments.removeFirst();
            }
            return moments.isEmpty();
        }

        private @Nullable TableMap map() {
            return cluster.coordinatorIsUp() ? cluster.coordinator().state().table(table.name()) : null;
        }

        @Override
        public @Nullable ControlMessage question() {
            TableMap map = map();
            if (map == null || moments.isEmpty() || cluster.simulation().nowNanos() < moments.getFirst()) {
                return null;
            }
            if (asked == null) {
                asked = next(map.definition().schema());
            }
            return new AlterSchema(table.name(), map.definition().id(), asked);
        }

        private Schema next(Schema before) {
            List<Column> columns = before.valueColumns();
            List<String> droppable = columns.subList(WrittenRows.NUMBER + 1, columns.size()).stream()
                    .filter(column -> !column.dropped())
                    .map(Column::name)
                    .toList();
            if (!droppable.isEmpty() && random.nextInt(3) == 0) {
                return before.drop(droppable.get(random.nextInt(droppable.size())));
            }
            String name = "a" + random.nextInt(3);
            String free = before.column(name) == null ? name : "a" + (columns.size() + 1);
            return before.add(SchemaText.parseColumn(free + ADDED.get(random.nextInt(ADDED.size()))));
        }

        @Override
        public boolean heard(ControlMessage answer) {
            if (answer instanceof Refused refused && refused.reason() == Refusal.NO_SUCH_TABLE) {
                throw new SimulationFailure("a change of the schema is refused: " + refused);
            }
            return !(answer instanceof Refused);
        }
    }
}
