package io.sdds.coordinator.control.base;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs tasks that only a leading coordinator may run. A coordinator cannot know by itself that it leads: another one
 * may have been elected while this one was paused or cut off, and a pause may come at any time. Therefore the
 * coordinator asks a majority, once for all tasks that came while the last question was under way.
 */
public final class Confirmations {
    /*
     * docs/design/coordinator.md, rule 10: leadership must be confirmed after the task that depends on it has arrived.
     * So tasks that arrive while a question is under way wait for the next question. The log of a coordinator alone
     * answers at once, so there the question costs nothing and delays nothing.
     */
    private static final int WAITING_MAX = 65_536;

    private final CommandLog commands;
    private List<Consumer<Boolean>> next = new ArrayList<>();
    private boolean asking;

    public Confirmations(CommandLog commands) {
        this.commands = commands;
    }

    /**
     * Passes {@code leads} whether this coordinator led at some time after this call. The answer is also false when too
     * many tasks wait.
     */
    public void whether(Consumer<Boolean> leads) {
        if (next.size() >= WAITING_MAX) {
            leads.accept(false);
            return;
        }
        next.add(leads);
        ask();
    }

    private void ask() {
        if (asking || next.isEmpty()) {
            return;
        }
        asking = true;
        List<Consumer<Boolean>> asked = next;
        next = new ArrayList<>();
        commands.confirm(leads -> {
            asking = false;
            asked.forEach(waiting -> waiting.accept(leads));
            ask();
        });
    }
}
