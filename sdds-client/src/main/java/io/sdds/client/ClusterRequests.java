package io.sdds.client;

import io.sdds.client.internal.ClientLoops;
import io.sdds.client.internal.ClientRuntime;
import io.sdds.client.internal.Futures;
import io.sdds.client.internal.TableContext;
import io.sdds.client.internal.analyze.TableAnalysis;
import io.sdds.client.internal.routing.ClientNode;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.AlterSchema;
import io.sdds.core.control.ControlMessage.StatisticsFound;
import io.sdds.core.control.ControlMessage.StoreStatistics;
import io.sdds.core.model.DrainAction;
import io.sdds.core.model.Parity;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableSpec;
import io.sdds.core.row.Column;
import io.sdds.core.row.Schema;
import io.sdds.core.row.SchemaChange;
import io.sdds.core.row.SchemaText;
import io.sdds.core.row.Statistics;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The requests about existing tables, bricks and the cluster. Arguments are checked at once; futures complete on a
 * loop.
 */
final class ClusterRequests {
    private final ClientLoops loops;
    private final long timeoutNanos;

    ClusterRequests(ClientLoops loops, long timeoutNanos) {
        this.loops = loops;
        this.timeoutNanos = timeoutNanos;
    }

    private CompletableFuture<Void> change(BiConsumer<ClientNode, ClientNode.Handler<Boolean>> operation) {
        return Futures.map(ask(operation), done -> null);
    }

    private <T> CompletableFuture<T> ask(BiConsumer<ClientNode, ClientNode.Handler<T>> operation) {
        ClientRuntime runtime = loops.first();
        return runtime.future(done -> operation.accept(runtime.node(), done));
    }

    // ---- tables

    CompletableFuture<Void> drop(String name) {
        TableOpener.checkName(name);
        return change((node, done) -> node.dropTable(name, timeoutNanos, done));
    }

    CompletableFuture<Void> alterParity(String name, Parity parity) {
        TableOpener.check(name, parity.auto() ? Parity.fault(parity.columns(), parity.parities()) : parity.fault());
        return change((node, done) -> node.alterParity(name, parity, timeoutNanos, done));
    }

    CompletableFuture<Void> alterMinParities(String name, int min) {
        TableOpener.checkName(name);
        CompletableFuture<Parity> decided = Futures.map(
                this.<TableDefinition>ask((node, done) -> node.findDefinition(name, timeoutNanos, done)),
                table -> withMinParities(table, min));
        return Futures.flatMap(
                decided, parity -> change((node, done) -> node.alterParity(name, parity, timeoutNanos, done)));
    }

    private static Parity withMinParities(TableDefinition table, int min) {
        Parity parity = table.parity().withMinParities(min);
        String fault = table.hasParity() ? parity.fault() : "it has no parity";
        if (fault != null) {
            throw new IllegalArgumentException("table '" + table.name() + "': " + fault);
        }
        return parity;
    }

    CompletableFuture<Void> alterReplicas(String name, int replicas) {
        TableOpener.check(name, TableSpec.replicasFault(replicas, 1));
        return change((node, done) -> node.alterReplicas(name, replicas, timeoutNanos, done));
    }

    CompletableFuture<Void> addColumn(String name, String text) {
        Column column = SchemaText.parseColumn(text);
        return alterSchema(name, schema -> schema.add(column));
    }

    CompletableFuture<Void> dropColumn(String name, String column) {
        return alterSchema(name, schema -> schema.drop(column));
    }

    /** Asks for a schema that is made of the one that the table has now. */
    private CompletableFuture<Void> alterSchema(String name, UnaryOperator<Schema> change) {
        TableOpener.checkName(name);
        CompletableFuture<AlterSchema> decided = Futures.map(
                this.<TableDefinition>ask((node, done) -> node.findDefinition(name, timeoutNanos, done)),
                table -> altered(table, change));
        return Futures.flatMap(
                decided, message -> change((node, done) -> node.alterSchema(message, timeoutNanos, done)));
    }

    private static AlterSchema altered(TableDefinition table, UnaryOperator<Schema> change) {
        if (!table.schema().exists()) {
            throw new IllegalArgumentException(
                    "table '" + table.name() + "' was created without a schema, so it has no columns to change");
        }
        try {
            Schema after = change.apply(table.schema());
            String fault = SchemaChange.fault(table.schema(), after);
            if (fault != null) {
                throw new IllegalArgumentException(fault);
            }
            return new AlterSchema(table.name(), table.id(), after);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("table '" + table.name() + "': " + e.getMessage(), e);
        }
    }

    CompletableFuture<List<TableInfo>> tables() {
        return Futures.map(
                status(false),
                status -> status.tables().stream()
                        .sorted(Comparator.comparing(TableInfo::name))
                        .toList());
    }

    CompletableFuture<Void> acceptLoss(String name, boolean processesAreGone) {
        TableOpener.checkName(name);
        return change((node, done) -> node.acceptLoss(name, processesAreGone, timeoutNanos, done));
    }

    // ---- statistics

    CompletableFuture<TableStatistics> analyze(String name) {
        TableOpener.checkName(name);
        CompletableFuture<Table<byte[], byte[]>> opened =
                new TableOpener(loops, timeoutNanos).any(name, Codec.bytes(), Codec.bytes());
        return Futures.flatMap(opened, table -> Futures.flatMap(clusterStatus(), status -> analyze(table, status)));
    }

    private CompletableFuture<TableStatistics> analyze(
            Table<byte[], byte[]> table, ControlMessage.ClusterStatus status) {
        TableContext<byte[], byte[]> context = table.contexts.first();
        double rowBytes = rowBytes(context.table().id(), status);
        CompletableFuture<Statistics> made = Futures.flatMap(
                table.size(context), rows -> TableAnalysis.of(context, rows, rowBytes, System.currentTimeMillis()));
        return Futures.flatMap(made, statistics -> {
            StoreStatistics message =
                    new StoreStatistics(table.name(), context.table().id(), statistics);
            return Futures.map(
                    change((node, done) -> node.storeStatistics(message, timeoutNanos, done)),
                    stored -> Statuses.of(table.schema(), statistics));
        });
    }

    private static double rowBytes(int table, ControlMessage.ClusterStatus status) {
        return status.tables().stream()
                .filter(each -> each.table().definition().id() == table && each.records() > 0)
                .mapToDouble(each -> (double) each.bytes() / each.records())
                .findAny()
                .orElse(0);
    }

    /** The statistics of a table. The future's result is null if there are none. */
    CompletableFuture<@Nullable TableStatistics> tableStatistics(String name) {
        TableOpener.checkName(name);
        return Futures.map(
                this.<StatisticsFound>ask((node, done) -> node.fetchStatistics(name, timeoutNanos, done)),
                answer -> answer.statistics().exists()
                        ? Statuses.of(answer.table().definition().schema(), answer.statistics())
                        : null);
    }

    private CompletableFuture<ControlMessage.ClusterStatus> clusterStatus() {
        return ask((node, done) -> node.status(false, timeoutNanos, done));
    }

    // ---- bricks and the cluster

    CompletableFuture<Void> brickEnded(String brick, long incarnation) {
        return change((node, done) -> node.brickEnded(brick, incarnation, timeoutNanos, done));
    }

    CompletableFuture<DrainStatus> drain(String brick, DrainAction action) {
        return Futures.map(
                this.<ControlMessage.DrainStatus>ask(
                        (node, done) -> node.drainBrick(brick, action, timeoutNanos, done)),
                Statuses::of);
    }

    CompletableFuture<ClusterStatus> status(boolean withPartitions) {
        return Futures.map(
                this.<ControlMessage.ClusterStatus>ask((node, done) -> node.status(withPartitions, timeoutNanos, done)),
                Statuses::of);
    }

    CompletableFuture<ClientStatistics> statistics() {
        List<CompletableFuture<ClientStatistics>> counted = new ArrayList<>();
        for (int k = 0; k < loops.count(); k++) {
            ClientRuntime runtime = loops.get(k);
            counted.add(runtime.future(
                    done -> done.done(ClientStatistics.of(runtime.node().counters()), null)));
        }
        return Futures.map(
                Futures.all(counted),
                each -> each.stream().reduce(ClientStatistics::plus).orElseThrow());
    }
}
