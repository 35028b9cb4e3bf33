package io.sdds.brick.stage;

import io.sdds.core.control.ControlMessage;
import io.sdds.core.node.Link;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The links of a stage to other bricks, for migrations, replica groups and forwards. */
public interface Peers {
    /** The protocol link to a brick; null while the link is not up. Dials the brick if there is no link. */
    @Nullable
    Link protocol(int brick);

    /** The second link to a brick, for slices; null while the link is not up. */
    @Nullable
    Link bulk(int brick);

    /**
     * Sends a control request to a brick.
     *
     * @param link a link that {@link #protocol} or {@link #bulk} has returned
     * @param answer called once with the answer; with null if the link goes down first
     */
    void ask(Link link, ControlMessage request, Consumer<@Nullable ControlMessage> answer);

    /** Flushes the link at the end of the turn, because bytes were written to it. */
    void touched(Link link);
}
