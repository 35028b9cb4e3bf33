package io.sdds.client.internal.routing;

import io.netty.buffer.ByteBuf;
import io.sdds.core.protocol.Status;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The failure that a status tells which would come again, so that the request is not sent again. */
record FinalStatus(Failure.Kind kind, String why) {
    /** The failure of a reply; null if its status tells none. The body is from {@code body} to {@code end}. */
    static @Nullable FinalStatus of(byte status, ByteBuf frames, int body, int end) {
        return switch (status) {
            case Status.MEMORY_FULL -> new FinalStatus(Failure.Kind.MEMORY_FULL, "the memory of its brick is full");
            case Status.INTERNAL_ERROR ->
                new FinalStatus(Failure.Kind.PROTOCOL, "the brick failed; its log has the cause");
            case Status.BAD_REQUEST -> new FinalStatus(Failure.Kind.PROTOCOL, text(frames, body, end));
            case Status.QUERY_FAILED -> new FinalStatus(Failure.Kind.QUERY_FAILED, text(frames, body, end));
            default -> null;
        };
    }

    private static String text(ByteBuf frames, int body, int end) {
        return frames.toString(body, end - body, StandardCharsets.UTF_8);
    }
}
