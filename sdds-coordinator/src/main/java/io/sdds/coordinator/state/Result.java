package io.sdds.coordinator.state;

import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.JoinOrder;
import io.sdds.core.model.SplitOrder;
import io.sdds.core.model.TableMap;

/** What a command did. */
public sealed interface Result {

    /** Nothing changed, and why. */
    record Rejected(Refusal reason, String text) implements Result {}

    /** The command holds, at this map version. */
    record Applied(long version) implements Result {}

    /** The brick as the map names it from now on. */
    record Registered(BrickInfo self) implements Result {}

    record TableCreated(TableMap table) implements Result {}

    record JoinBegun(JoinOrder order) implements Result {}

    record SplitBegun(SplitOrder order) implements Result {}

    record SessionOpened(long session) implements Result {}
}
