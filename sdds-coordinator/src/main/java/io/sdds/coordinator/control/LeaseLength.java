package io.sdds.coordinator.control;

import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.Result;

/** How long leases are: as long as the log says. A leader whose settings say another length changes it there. */
final class LeaseLength {
    /*
     * docs/design/coordinator.md, rule 10. The coordinators' settings may differ, and so a member may hold a lease by
     * an earlier leader's. The log keeps the length that is granted now and the longest that may be in force; members
     * are removed by the longest. It shrinks to the other when a leader has granted no longer ones for as long as they
     * last, by time that it has counted itself.
     */
    private final ControlContext our;

    /** For how long no lease was granted that is longer than those that are granted now. */
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

    /** After so long a silence a brick holds no lease, whoever granted it. */
    long silenceNanos() {
        return Math.max(
                our.settings().silenceNanos(),
                CoordinatorSettings.silenceNanosOf(our.state().longestLeaseMillis()));
    }

    /** @param passedNanos since the last tick, as far as it counts */
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
