package io.sdds.sim.fault;

import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.BrickEnded;
import io.sdds.core.control.ControlMessage.Done;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;

/**
 * The program that started a brick's process has seen the end of the process, and tells the coordinators, as
 * {@code sdds up} does.
 */
final class EndReport implements Operator.Errand {
    private final BrickEnded end;
    private boolean over;

    EndReport(String brick, long incarnation) {
        this.end = new BrickEnded(brick, incarnation);
    }

    @Override
    public boolean isOver() {
        return over;
    }

    @Override
    public ControlMessage question() {
        return end;
    }

    @Override
    public boolean heard(ControlMessage answer) {
        over = answer instanceof Done || answer instanceof Refused refused && refused.reason() == Refusal.BAD_REQUEST;
        return over;
    }
}
