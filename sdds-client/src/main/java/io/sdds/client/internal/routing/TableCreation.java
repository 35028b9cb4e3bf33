package io.sdds.client.internal.routing;

import io.sdds.core.control.ControlMessage.CreateTable;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.ControlMessage.TableFound;
import io.sdds.core.model.Parity;
import io.sdds.core.model.TableSpec;

/** Creates a table, also if the answer to the first copy of the request is lost. */
final class TableCreation {
    private final ClientNode node;
    private final CreateTable wanted;
    private final long deadlineNanos;
    private final ClientNode.Handler<RoutedTable> handler;

    TableCreation(ClientNode node, CreateTable wanted, long deadlineNanos, ClientNode.Handler<RoutedTable> handler) {
        this.node = node;
        this.wanted = wanted;
        this.deadlineNanos = deadlineNanos;
        this.handler = handler;
    }

    void begin() {
        node.control().ask(wanted, true, deadlineNanos - node.now(), this::onAnswer);
    }

    private void onAnswer(ControlCall call) {
        if (call.answer() instanceof TableFound found) {
            node.openTable(found.table(), handler);
        } else if (call.mayHaveRun
                && call.answer() instanceof Refused refused
                && refused.reason() == Refusal.TABLE_EXISTS) {
            adopt(call.whyNot());
        } else {
            handler.done(null, call.whyNot());
        }
    }

    /**
     * An earlier copy of the request may have created the table. The client takes the table as its own if its
     * definition is the wanted one.
     */
    private void adopt(Failure exists) {
        node.findTable(wanted.name(), deadlineNanos - node.now(), (table, failure) -> {
            if (table != null && isAsWanted(table.definition().spec())) {
                handler.done(table, null);
            } else {
                handler.done(null, table == null ? failure : exists);
            }
        });
    }

    /** Whether a table has the wanted options. The coordinator may have chosen more partitions, and a higher k. */
    private boolean isAsWanted(TableSpec found) {
        TableSpec asked = wanted.spec();
        TableSpec alike = asked.toBuilder()
                .firstPartitions(found.firstPartitions())
                .parity(found.parity())
                .build();
        return found.equals(alike) && isAsWanted(found.parity(), asked.parity());
    }

    private static boolean isAsWanted(Parity parity, Parity wanted) {
        return parity.equals(wanted) || wanted.auto() && parity.auto() && parity.columns() == wanted.columns();
    }
}
