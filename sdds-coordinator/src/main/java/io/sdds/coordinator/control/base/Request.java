package io.sdds.coordinator.control.base;

import io.sdds.coordinator.state.Result.Rejected;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.node.Link;

/**
 * A request that came on a link. It is answered once, now or later.
 *
 * @param answered runs after the answer
 */
public record Request(Link link, int correlation, MessageSender outbox, Runnable answered) {

    public void answer(ControlMessage message) {
        outbox.send(link, ControlFrame.ANSWER, correlation, message);
        answered.run();
    }

    public void refuse(Refusal reason, String text) {
        answer(new Refused(reason, text));
    }

    public void refuse(Rejected rejected) {
        refuse(rejected.reason(), rejected.text());
    }
}
