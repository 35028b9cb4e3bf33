package io.sdds.client.internal.routing;

import io.sdds.core.control.ControlMessage.FindTable;
import io.sdds.core.control.ControlMessage.TableFound;
import io.sdds.core.model.TableMap;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Opens tables again by their names: a table that was dropped and may have been made again, and each table after the
 * client has followed a new cluster. Requests to such a table wait meanwhile.
 */
final class Reopening {
    private final ClientNode node;
    private final Map<RoutedTable, List<Request<?>>> waiting = new LinkedHashMap<>();

    Reopening(ClientNode node) {
        this.node = node;
    }

    /**
     * The table of a request does not exist any more. The client looks whether another one was made by its name. A
     * request that surely had no effect goes on there, unless it is a later step of a scan or clear.
     */
    void onNoSuchTable(Request<?> request) {
        if (request.generation == request.table.generation()) {
            node.gone(request.table);
        }
        if (request.isForAnyTable() && !request.mayHaveRun) {
            node.router().retry(request);
        } else {
            node.router().fail(request, Failure.Kind.NO_SUCH_TABLE, "no such table any more");
        }
    }

    /** Takes a request to a table that {@link RoutedTable#isGone}. */
    void take(Request<?> request) {
        RoutedTable table = request.table;
        List<Request<?>> others = waiting.get(table);
        if (others != null) {
            others.add(request);
            return;
        }
        waiting.put(table, new ArrayList<>(List.of(request)));
        node.control().ask(new FindTable(table.name()), true, node.timeoutNanos(), call -> onFound(table, call));
    }

    private void onFound(RoutedTable table, ControlCall call) {
        List<Request<?>> requests = waiting.remove(table);
        if (requests == null) {
            return;
        }
        if (!(call.answer() instanceof TableFound found)) {
            Failure why = call.whyNot();
            requests.forEach(request -> node.router().fail(request, why.kind(), why.text()));
        } else if (table.fits(found.table())) {
            goOn(table, found.table(), requests);
        } else {
            fail(requests, "the table of its name is another one by now, of another kind or with other columns");
        }
    }

    private void goOn(RoutedTable table, TableMap map, List<Request<?>> requests) {
        boolean isSame = map.definition().id() == table.id() && !table.isOfLeftCluster();
        boolean encodes = map.definition().schema().equals(table.schema());
        node.reopened(table, map);
        if (isSame) {
            fail(requests, "a brick does not know the table");
        } else if (!encodes) {
            fail(requests, "the table was made again, and its schema has another version");
        } else {
            requests.forEach(node.router()::routeAgain);
        }
    }

    private void fail(List<Request<?>> requests, String why) {
        requests.forEach(request -> node.router().fail(request, Failure.Kind.NO_SUCH_TABLE, why));
    }

    /** Moves requests that are over to a list. Returns the next deadline, at most {@code earliest}. */
    long expire(long now, List<Request<?>> expired, long earliest) {
        long next = earliest;
        for (List<Request<?>> requests : waiting.values()) {
            next = Request.expire(requests, now, expired, next);
        }
        return next;
    }

    /** Moves all requests to a list. */
    void giveUpAll(List<Request<?>> all) {
        waiting.values().forEach(all::addAll);
        waiting.clear();
    }
}
