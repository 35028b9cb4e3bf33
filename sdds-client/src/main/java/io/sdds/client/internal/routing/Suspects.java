package io.sdds.client.internal.routing;

import io.sdds.core.protocol.Hello;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * The bricks that had a copy of a request when their links were lost, or that left the copy unanswered. A request that
 * ends the process of each brick that runs it must not end all members of a group one after the other. Therefore the
 * request is given up when two of these bricks have ended. A brick has not ended if it can be dialed again and is the
 * same process.
 */
final class Suspects {
    private static final int ENDED_MAX = 2;

    private final List<Suspect> suspects = new ArrayList<>();

    private record Suspect(Peer peer, Hello process) {}

    /** The known state of a suspect. */
    enum Fate {
        LIVES,
        ENDED,
        UNKNOWN
    }

    /** The decision about the request. */
    enum Verdict {
        SEND,
        /** The request waits until dials of the suspects tell more. */
        WAIT,
        GIVE_UP
    }

    /** One more brick had a copy. */
    void add(Peer peer, Hello process) {
        for (Suspect known : suspects) {
            if (known.peer == peer && isSame(known.process, process)) {
                return;
            }
        }
        suspects.add(new Suspect(peer, process));
    }

    /** @param now the time by the clock of the node's environment */
    Verdict judge(long now) {
        if (suspects.size() < ENDED_MAX) {
            return Verdict.SEND;
        }
        int ended = 0;
        int unknown = 0;
        for (Iterator<Suspect> each = suspects.iterator(); each.hasNext(); ) {
            Suspect suspect = each.next();
            switch (suspect.peer.fate(suspect.process)) {
                case LIVES -> each.remove();
                case ENDED -> ended++;
                case UNKNOWN -> {
                    unknown++;
                    suspect.peer.dial(now);
                }
            }
        }
        return ended >= ENDED_MAX ? Verdict.GIVE_UP : ended + unknown >= ENDED_MAX ? Verdict.WAIT : Verdict.SEND;
    }

    /** Whether two hellos come from the same process. */
    static boolean isSame(Hello one, Hello other) {
        return one.name().equals(other.name()) && one.incarnation() == other.incarnation();
    }
}
