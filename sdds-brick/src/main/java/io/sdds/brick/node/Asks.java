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

/** Control requests whose answers are awaited; each is answered once, with null when its link went down first. */
final class Asks {
    private final Map<Integer, Ask> open = new LinkedHashMap<>();
    private int lastCorrelation;

    private record Ask(Link link, Consumer<@Nullable ControlMessage> answer) {}

    /** Writes the request; the caller flushes. */
    void ask(Link link, ControlMessage request, Consumer<@Nullable ControlMessage> answer) {
        int correlation = ++lastCorrelation;
        open.put(correlation, new Ask(link, answer));
        ControlFrame.write(link.claim(0), ControlFrame.REQUEST, correlation, request);
        link.commit();
    }

    void answered(Link link, int correlation, ControlMessage message) {
        Ask ask = open.get(correlation);
        if (ask != null && ask.link() == link) {
            open.remove(correlation);
            ask.answer().accept(message);
        }
    }

    void linkDown(Link link) {
        List<Integer> lost = new ArrayList<>();
        open.forEach((correlation, ask) -> {
            if (ask.link() == link) {
                lost.add(correlation);
            }
        });
        for (int correlation : lost) {
            Ask ask = open.remove(correlation);
            if (ask != null) {
                ask.answer().accept(null);
            }
        }
    }
}
