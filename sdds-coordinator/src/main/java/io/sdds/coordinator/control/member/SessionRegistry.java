package io.sdds.coordinator.control.member;

import io.sdds.coordinator.control.base.ControlContext;
import io.sdds.coordinator.control.base.Reconciler;
import io.sdds.coordinator.control.base.Request;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.Result;
import io.sdds.core.control.ControlMessage.CloseSession;
import io.sdds.core.control.ControlMessage.Done;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.RenewSession;
import io.sdds.core.control.ControlMessage.SessionOpened;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Opens, renews and closes sessions, and ends sessions whose lease has run out. Leases are in the memory of this leader
 * only. A new leader gives each session a full lease.
 *
 * <p>Time is added up tick by tick, and no tick counts for more than its planned length. So a coordinator that was
 * paused, or whose clock leaps, does not end sessions whose renewals it could not take meanwhile.
 */
public final class SessionRegistry implements Reconciler {
    private static final long NANOS_PER_MILLI = 1_000_000;

    /** Largest number of sessions that one command ends. */
    private static final int ENDED_AT_ONCE_MAX = 1024;

    private final ControlContext our;
    private final long tickNanos;

    /** By {@link #heardNanos}. */
    private final Map<Long, Long> renewedNanos = new TreeMap<>();

    /** Time for which this coordinator has taken renewals. */
    private long heardNanos;

    private long tickedNanos;
    private boolean endingProposed;

    /** @param tickNanos planned time between two ticks */
    public SessionRegistry(ControlContext our, long tickNanos) {
        this.our = our;
        this.tickNanos = tickNanos;
    }

    public void open(Request request) {
        our.log().propose(new Command.OpenSession(), result -> {
            switch (result) {
                case Result.SessionOpened(long session) -> {
                    renewedNanos.put(session, heardNanos);
                    request.answer(new SessionOpened(session, our.settings().sessionLeaseNanos() / NANOS_PER_MILLI));
                }
                case Result.Rejected rejected -> request.refuse(rejected);
                default -> throw new IllegalStateException("opening a session gave " + result);
            }
        });
    }

    public void renew(Request request, RenewSession message) {
        if (!our.state().isActive(message.session())) {
            request.refuse(Refusal.SESSION_ENDED, "session " + message.session() + " has ended");
            return;
        }
        renewedNanos.put(message.session(), heardNanos);
        request.answer(new Done(our.state().version()));
    }

    public void close(Request request, CloseSession message) {
        our.log().propose(new Command.EndSessions(List.of(message.session())), result -> {
            switch (result) {
                case Result.Applied(long version) -> {
                    renewedNanos.remove(message.session());
                    request.answer(new Done(version));
                }
                case Result.Rejected rejected -> request.refuse(rejected);
                default -> throw new IllegalStateException("closing a session gave " + result);
            }
        });
    }

    /** Ends the sessions whose lease has run out. */
    @Override
    public void tick() {
        long now = our.env().nowNanos();
        heardNanos += Math.min(now - tickedNanos, tickNanos);
        tickedNanos = now;
        List<Long> ended = endingProposed ? List.of() : expired();
        if (!ended.isEmpty()) {
            endingProposed = true;
            our.log().propose(new Command.EndSessions(ended), result -> {
                endingProposed = false;
                if (result instanceof Result.Applied) {
                    renewedNanos.keySet().removeAll(ended);
                }
            });
        }
    }

    private List<Long> expired() {
        List<Long> expired = new ArrayList<>();
        for (Map.Entry<Long, Long> session : renewedNanos.entrySet()) {
            if (heardNanos - session.getValue() >= our.settings().sessionLeaseNanos()
                    && expired.size() < ENDED_AT_ONCE_MAX) {
                expired.add(session.getKey());
            }
        }
        return expired;
    }

    @Override
    public void onLeading() {
        renewedNanos.clear();
        endingProposed = false;
        tickedNanos = our.env().nowNanos();
        for (long session : our.state().sessions()) {
            renewedNanos.put(session, heardNanos);
        }
    }
}
