package io.sdds.coordinator.control.peer;

import io.sdds.core.control.ControlMessage.CoordinatorDescribed;
import io.sdds.core.node.Env;
import io.sdds.core.node.Timer;
import io.sdds.core.protocol.ClusterId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks the other coordinators for their term. If a majority, this coordinator included, knows no later term, then this
 * majority had not elected another leader when it was asked: terms only grow, and a voter of a term knows this term.
 * Only the environment's thread uses this class.
 */
public final class LeadershipRounds {
    /*
     * Raft's own round for reads, its read index, does the same by heartbeats. The library's read index is not used: it
     * asks no follower when nothing was committed since its last answered round. So a leader that was paused or cut off
     * would confirm itself until the library notices.
     */
    private final Env env;
    private final UUID group;
    private final int majority;
    private final long patienceNanos;
    private final CoordinatorLinks links;
    private final Set<String> agreed = new HashSet<>();
    private final Map<String, Long> features = new HashMap<>();
    private int round;
    private long term;
    private @Nullable Consumer<Boolean> done;
    private @Nullable Timer patience;
    private boolean started;

    /**
     * @param self id of this coordinator
     * @param others addresses of the other coordinators by their ids
     * @param group the group whose members count
     * @param cluster the cluster that this coordinator belongs to, if it is known
     * @param patienceNanos time after which a round without a majority ends with false
     */
    public LeadershipRounds(
            Env env,
            String self,
            Map<String, String> others,
            UUID group,
            Supplier<ClusterId> cluster,
            long patienceNanos) {
        this.env = env;
        this.group = group;
        this.majority = (others.size() + 1) / 2 + 1;
        this.patienceNanos = patienceNanos;
        this.links = new CoordinatorLinks(env, self, cluster, others, new Answers());
    }

    private final class Answers implements CoordinatorLinks.Listener {
        @Override
        public void onUp(String id, long supported) {
            features.put(id, supported);
            if (done != null) {
                links.ask(id, round);
            }
        }

        @Override
        public void onDescribed(String id, int question, CoordinatorDescribed told) {
            heard(id, question, told);
        }
    }

    /**
     * Begins a round. Only one round may be under way.
     *
     * @param inTerm the term in which this coordinator was elected
     * @param confirmed gets true when a majority knew no later term when it was asked; false when one member did, or no
     *     majority answers
     */
    public void ask(long inTerm, Consumer<Boolean> confirmed) {
        if (done != null) {
            throw new IllegalStateException("a round is under way");
        }
        round++;
        term = inTerm;
        agreed.clear();
        done = confirmed;
        patience = env.schedule(patienceNanos, () -> end(false));
        if (!started) {
            started = true;
            links.start();
        }
        links.ids().forEach(id -> links.ask(id, round));
    }

    /** The features that all other coordinators support, by their last hellos; 0 while one has sent no hello. */
    public long featuresOfOthers() {
        return links.ids().stream()
                .mapToLong(id -> features.getOrDefault(id, 0L))
                .reduce(-1, (some, more) -> some & more);
    }

    private void heard(String id, int question, CoordinatorDescribed told) {
        boolean counts =
                told.member() && told.id().equals(id) && group.equals(new UUID(told.clusterHigh(), told.clusterLow()));
        if (done == null || question != round || !counts) {
            return;
        }
        if (told.term() > term) {
            end(false);
        } else if (agreed.add(id) && agreed.size() + 1 >= majority) {
            end(true);
        }
    }

    private void end(boolean confirmed) {
        Consumer<Boolean> asker = done;
        done = null;
        if (patience != null) {
            patience.cancel();
        }
        if (asker != null) {
            asker.accept(confirmed);
        }
    }

    /** Closes the links. A round under way ends with false. */
    public void close() {
        links.close();
        end(false);
    }
}
