package io.sdds.coordinator.control.member;

import io.sdds.coordinator.control.base.ControlContext;
import io.sdds.coordinator.control.base.CoordinatorSettings;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.Result;

/**
 * The length of leases. The log has this length. A leader whose settings have another length changes it by a command.
 */
final class LeaseLength {
    /*
     * docs/design/coordinator.md, rule 10. The coordinators' settings may differ, so a member may hold a lease of an
     * earlier leader. The log has the length that is granted now, and the longest length that may be in force. The
     * longest length decides when members are removed. It is lowered to the granted length after a leader has granted
     * no longer leases for the time that they last, by this leader's own count.
     */
    private final ControlContext our;

    /** Time since a lease may have been granted that is longer than the present ones. */
    private long waitedNanos;

    private boolean proposed;

    LeaseLength(ControlContext our) {
        this.our = our;
    }

    void onLeading() {
        waitedNanos = 0;
        proposed = false;
    }

    long millis() {
        return our.state().leaseMillis();
    }

    /** The silence after which a brick holds no lease, whichever leader granted it. */
    long silenceNanos() {
        return Math.max(
                our.settings().silenceNanos(),
                CoordinatorSettings.silenceNanosOf(our.state().longestLeaseMillis()));
    }

    /** @param passedNanos time since the last tick, at most the planned length of a tick */
    void tick(long passedNanos) {
        waitedNanos += passedNanos;
        long wanted = our.settings().leaseMillis();
        if (wanted != millis()) {
            propose(new Command.GrantLeases(wanted, false));
        } else if (our.state().longestLeaseMillis() > wanted && waitedNanos >= silenceNanos()) {
            propose(new Command.GrantLeases(wanted, true));
        }
    }

    private void propose(Command.GrantLeases command) {
        if (!proposed) {
            proposed = true;
            our.log().propose(command, result -> {
                proposed = false;
                if (!(result instanceof Result.Rejected)) {
                    waitedNanos = 0;
                }
            });
        }
    }
}
