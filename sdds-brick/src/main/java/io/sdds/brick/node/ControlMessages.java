package io.sdds.brick.node;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.BrickRequest;
import io.sdds.core.control.Roles;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.Hello.Role;
import io.sdds.core.stage.Stage;
import java.util.function.BiConsumer;

/**
 * Takes the control messages of a stage. A request is answered by the stage that owns the request's partition. An
 * answer goes to the caller of {@link PendingCalls}.
 */
final class ControlMessages {
    private final Env env;
    private final Stage stage;
    private final StageGroup group;
    private final int stageIndex;
    private final PendingCalls calls;
    private final ControlHandler handler;
    private final BiConsumer<Link, ControlMessage> onNotice;

    ControlMessages(
            StageContext context,
            StageGroup group,
            int stageIndex,
            PendingCalls calls,
            ControlHandler handler,
            BiConsumer<Link, ControlMessage> onNotice) {
        this.env = context.env();
        this.stage = context.stage();
        this.group = group;
        this.stageIndex = stageIndex;
        this.calls = calls;
        this.handler = handler;
        this.onNotice = onNotice;
    }

    /** Answers a request, and returns the number of bytes of the answer. */
    int onRequest(Link link, ByteBuf frames, int index, int length) {
        ControlMessage message = Roles.read(Role.BRICK, link.peer().role(), frames, index, length);
        return answer(link, frames.getIntLE(index + ControlFrame.CORRELATION), message);
    }

    /** Takes a control frame of another process of the cluster. */
    void onFrame(Link link, ByteBuf frames, int index, int length) {
        ControlMessage message = Roles.read(Role.BRICK, link.peer().role(), frames, index, length);
        int correlation = frames.getIntLE(index + ControlFrame.CORRELATION);
        switch (frames.getByte(index + ControlFrame.KIND)) {
            case ControlFrame.ANSWER -> calls.answered(link, correlation, message);
            case ControlFrame.NOTICE -> onNotice.accept(link, message);
            default -> answerByOwner(link, correlation, message);
        }
    }

    /** Has the stage that owns the partition answer. */
    private void answerByOwner(Link link, int correlation, ControlMessage message) {
        int owner = message instanceof BrickRequest request ? group.ownerOf(request.partition()) : stageIndex;
        if (owner == stageIndex) {
            answer(link, correlation, message);
        } else {
            Link view = group.view(stageIndex, link, owner);
            group.on(owner, other -> other.answer(view, correlation, message));
        }
    }

    int answer(Link link, int correlation, ControlMessage message) {
        int bytes = ControlFrame.send(env, link, ControlFrame.ANSWER, correlation, handler.answer(link, message));
        stage.touched(link);
        return bytes;
    }
}
