package io.sdds.coordinator.control.request;

import io.sdds.coordinator.control.base.ControlContext;
import io.sdds.coordinator.control.base.Request;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.Result;
import io.sdds.coordinator.state.Result.Rejected;
import io.sdds.core.control.ControlMessage.Done;
import io.sdds.core.control.ControlMessage.FetchStatistics;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.StatisticsFound;
import io.sdds.core.control.ControlMessage.StoreStatistics;
import io.sdds.core.model.TableMap;
import org.jspecify.annotations.Nullable;

/** Stores and tells the statistics of tables (docs/design/coordinator.md, rule 39). */
public final class StatisticsRequests {
    private final ControlContext our;

    public StatisticsRequests(ControlContext our) {
        this.our = our;
    }

    public void store(Request request, StoreStatistics message) {
        TableMap table = find(request, message.name());
        if (table == null) {
            return;
        }
        if (table.definition().id() != message.table()) {
            request.refuse(
                    Refusal.NO_SUCH_TABLE,
                    "table '" + message.name() + "' is another one by now, created after the one that was analyzed");
        } else {
            our.log()
                    .propose(
                            new Command.StoreStatistics(message.table(), message.statistics()),
                            result -> stored(request, result));
        }
    }

    private static void stored(Request request, Result result) {
        switch (result) {
            case Result.Applied(long version) -> request.answer(new Done(version));
            case Rejected rejected -> request.refuse(rejected);
            default -> throw new IllegalStateException("storing statistics gave " + result);
        }
    }

    public void fetch(Request request, FetchStatistics message) {
        TableMap table = find(request, message.name());
        if (table != null) {
            int id = table.definition().id();
            request.answer(new StatisticsFound(table, our.state().statistics(id)));
        }
    }

    private @Nullable TableMap find(Request request, String name) {
        TableMap table = our.state().table(name);
        if (table == null) {
            request.refuse(Refusal.NO_SUCH_TABLE, "table '" + name + "' does not exist");
        }
        return table;
    }
}
