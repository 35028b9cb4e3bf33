package io.sdds.coordinator.control.peer;

import io.sdds.coordinator.control.base.CommandLog;
import io.sdds.coordinator.control.base.Reconciler;
import io.sdds.core.control.ControlMessage.CoordinatorStatus;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs which of the other coordinators fall silent and answer again, while this coordinator leads. */
public final class PeerWatch implements Reconciler {
    private static final Logger log = LoggerFactory.getLogger(PeerWatch.class);

    private final CommandLog commands;
    private final Set<String> silent = new TreeSet<>();

    public PeerWatch(CommandLog commands) {
        this.commands = commands;
    }

    @Override
    public void tick() {
        for (CoordinatorStatus member : commands.members()) {
            if (!member.up() && silent.add(member.id())) {
                log.warn("coordinator {} at {} is silent", member.id(), member.address());
            } else if (member.up() && silent.remove(member.id())) {
                log.info("coordinator {} answers again", member.id());
            }
        }
    }

    @Override
    public void onLeading() {
        silent.clear();
    }
}
