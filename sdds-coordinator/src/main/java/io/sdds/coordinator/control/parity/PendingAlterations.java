package io.sdds.coordinator.control.parity;

import io.sdds.coordinator.control.base.ControlContext;
import io.sdds.coordinator.control.base.Request;
import io.sdds.coordinator.control.member.FailureDetector;
import io.sdds.coordinator.control.member.PendingMapAcks;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.Result;
import io.sdds.coordinator.state.Result.Rejected;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.model.TableMap;
import io.sdds.core.node.Link;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The requests to alter tables that wait until nothing else changes these tables. A table is held back from the request
 * on, so no split, merge or move of it begins, and the orders that are in the map come to an end.
 */
final class PendingAlterations {
    private static final Logger log = LoggerFactory.getLogger(PendingAlterations.class);

    private final ControlContext our;
    private final FailureDetector detector;
    private final PendingMapAcks pendingMapAcks;
    private final Map<Integer, Waiting> waiting = new TreeMap<>();

    /**
     * @param command gives the command to propose; null while there is none
     * @param outcome what becomes of the table, for the log
     */
    private record Waiting(Request request, Supplier<@Nullable Command> command, String outcome, long sinceNanos) {}

    PendingAlterations(ControlContext our, FailureDetector detector, PendingMapAcks pendingMapAcks) {
        this.our = our;
        this.detector = detector;
        this.pendingMapAcks = pendingMapAcks;
    }

    /** Whether a request waits to alter a table. */
    boolean holds(int table) {
        return waiting.containsKey(table);
    }

    void add(Request request, TableMap table, Supplier<@Nullable Command> command, String outcome) {
        int id = table.definition().id();
        waiting.put(id, new Waiting(request, command, outcome, our.env().nowNanos()));
        begin();
    }

    void tick() {
        refuseThoseTooLate();
        begin();
    }

    /** Proposes the commands whose tables have come to rest. */
    private void begin() {
        for (int table : List.copyOf(waiting.keySet())) {
            Waiting asked = waiting.get(table);
            if (asked == null || changes(table) || !isWhole(table)) {
                continue;
            }
            Command command = asked.command().get();
            if (command != null) {
                our.log().propose(command, result -> begun(table, asked, result));
            }
        }
    }

    private boolean changes(int table) {
        return our.state().splits().stream().anyMatch(order -> order.table() == table)
                || our.state().repairs().stream().anyMatch(order -> order.table() == table);
    }

    /** Whether no parity group of a table lacks a member. */
    private boolean isWhole(int table) {
        return IntStream.range(0, our.state().groups(table))
                .allMatch(group -> our.state().parityGroup(table, group).lacking(detector::isGone) == 0);
    }

    private void begun(int table, Waiting asked, Result result) {
        TableMap map = our.state().table(table);
        if (!waiting.remove(table, asked)) {
            return; // the client is gone, or was answered by an earlier proposal
        }
        switch (result) {
            case Result.Applied(long version) -> {
                log.info("table {} {}", map == null ? table : map.definition().name(), asked.outcome());
                pendingMapAcks.add(asked.request(), version);
            }
            case Rejected rejected -> asked.request().refuse(rejected);
            default -> throw new IllegalStateException("an alteration gave " + result);
        }
    }

    private void refuseThoseTooLate() {
        waiting.entrySet().removeIf(each -> {
            Waiting asked = each.getValue();
            boolean late =
                    our.env().nowNanos() - asked.sinceNanos() >= our.settings().createPatienceNanos();
            if (late) {
                String reason = isWhole(each.getKey())
                        ? "partitions of the table still split, merge or move; try again"
                        : "a parity group of the table lacks a member; try again when it is repaired";
                asked.request().refuse(Refusal.NOT_READY, reason);
            }
            return late;
        });
    }

    void onLinkDown(Link link) {
        waiting.values().removeIf(asked -> asked.request().link() == link);
    }

    void onNotLeading() {
        waiting.values()
                .forEach(asked ->
                        asked.request().refuse(Refusal.NOT_LEADER, our.log().leaderAddress()));
        waiting.clear();
    }
}
