package io.sdds.brick.node;

import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.node.Link;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Control requests whose answers have not come yet. Each gets one answer; null if its link goes down first. */
final class PendingCalls {
    private final Map<Integer, Call> open = new LinkedHashMap<>();
    private int lastCorrelation;

    private record Call(Link link, Consumer<@Nullable ControlMessage> answer) {}

    /** Writes a request. The caller flushes the link. */
    void call(Link link, ControlMessage request, Consumer<@Nullable ControlMessage> answer) {
        int correlation = ++lastCorrelation;
        open.put(correlation, new Call(link, answer));
        ControlFrame.write(link.claim(0), ControlFrame.REQUEST, correlation, request);
        link.commit();
    }

    void answered(Link link, int correlation, ControlMessage message) {
        Call call = open.get(correlation);
        if (call != null && call.link() == link) {
            open.remove(correlation);
            call.answer().accept(message);
        }
    }

    void linkDown(Link link) {
        List<Integer> lost = new ArrayList<>();
        open.forEach((correlation, call) -> {
            if (call.link() == link) {
                lost.add(correlation);
            }
        });
        for (int correlation : lost) {
            Call call = open.remove(correlation);
            if (call != null) {
                call.answer().accept(null);
            }
        }
    }
}
