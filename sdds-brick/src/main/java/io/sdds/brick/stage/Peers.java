package io.sdds.brick.stage;

import io.sdds.core.control.ControlMessage;
import io.sdds.core.node.Link;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The links of a stage to other bricks, as those see them that copy partitions. */
public interface Peers {
    /** The protocol link to a brick, dialed when there is none; null while it is not up. */
    @Nullable
    Link protocol(int brick);

    /** The second link to a brick, for slices; null while it is not up. */
    @Nullable
    Link bulk(int brick);

    /**
     * Asks a brick; the answer comes once, or null when the link went down first.
     *
     * @param link one of the two above
     */
    void ask(Link link, ControlMessage request, Consumer<@Nullable ControlMessage> answer);

    /** Bytes were written to the link: flushes it at the end of the turn. */
    void touched(Link link);
}
