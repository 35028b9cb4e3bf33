package io.sdds.coordinator.control;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * What is to be done only by a coordinator that leads. Nobody knows of itself that it does: another may have been
 * elected while this one was paused or cut off, and a pause may come at any time; so it asks a majority, once for all
 * that came while the last question was under way.
 */
final class Confirmations {
    /*
     * docs/design/coordinator.md, rule 10: leadership must be confirmed after what depends on it was received. So what
     * comes while a question is under way waits for the next one. A log that answers at once, that of a coordinator
     * alone, costs nothing and delays nothing.
     */
    private static final int WAITING_MAX = 65_536;

    private final CommandLog commands;
    private List<Consumer<Boolean>> next = new ArrayList<>();
    private boolean asking;

    Confirmations(CommandLog commands) {
        this.commands = commands;
    }

    /** Tells whether this coordinator led at some time after this call; false also when too much waits. */
    void whether(Consumer<Boolean> leads) {
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
