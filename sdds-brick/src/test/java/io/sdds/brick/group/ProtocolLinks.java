package io.sdds.brick.group;

import io.sdds.brick.stage.Peers;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.node.Link;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The other bricks of a fixture, which are reached over protocol links alone.
 *
 * @param byBrick the link to the brick of a number; null if the brick cannot be reached
 */
public record ProtocolLinks(IntFunction<@Nullable Link> byBrick) implements Peers {
    @Override
    public @Nullable Link protocol(int brick) {
        return byBrick.apply(brick);
    }

    @Override
    public @Nullable Link bulk(int brick) {
        return null;
    }

    @Override
    public void ask(Link asked, ControlMessage request, Consumer<ControlMessage> answer) {}

    @Override
    public void touched(Link touched) {}
}
