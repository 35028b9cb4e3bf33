package io.sdds.coordinator.control.peer;

import io.sdds.core.control.ControlMessage.CoordinatorDescribed;
import io.sdds.core.node.Env;
import io.sdds.core.protocol.ClusterId;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Asks the other coordinators for their identity and the end of their log, until each has answered. Only the
 * environment's thread uses this class.
 */
public final class PeerDiscovery {
    private static final long AGAIN_NANOS = 100_000_000L;

    private final Env env;
    private final CoordinatorLinks links;
    private final Set<String> open;
    private final Map<String, CoordinatorDescribed> described = new LinkedHashMap<>();
    private final Consumer<Map<String, CoordinatorDescribed>> done;
    private final Consumer<String> foreign;

    /**
     * @param self id of this coordinator
     * @param cluster the cluster that this coordinator belongs to, if it is known
     * @param others addresses of the other coordinators by their ids
     * @param done gets all answers, once, by the ids in this coordinator's settings
     * @param foreign gets a message for each coordinator that belongs to another cluster
     */
    public PeerDiscovery(
            Env env,
            String self,
            Supplier<ClusterId> cluster,
            Map<String, String> others,
            Consumer<Map<String, CoordinatorDescribed>> done,
            Consumer<String> foreign) {
        this.env = env;
        this.open = new HashSet<>(others.keySet());
        this.done = done;
        this.foreign = foreign;
        this.links = new CoordinatorLinks(env, self, cluster, others, new Answers());
    }

    private final class Answers implements CoordinatorLinks.Listener {
        @Override
        public void onUp(String id, long features) {
            ask(id);
        }

        @Override
        public void onDescribed(String id, int question, CoordinatorDescribed told) {
            heard(id, told);
        }

        @Override
        public void onForeign(String id, String line) {
            foreign.accept(line);
        }
    }

    /** Dials the other coordinators and begins to ask. */
    public void start() {
        links.start();
        again();
    }

    /** Ends the discovery and closes the links. */
    public void close() {
        open.clear();
        links.close();
    }

    /** Asks the coordinators again that were not ready. */
    private void again() {
        if (!open.isEmpty()) {
            open.forEach(this::ask);
            env.schedule(AGAIN_NANOS, this::again);
        }
    }

    private void ask(String id) {
        if (open.contains(id)) {
            links.ask(id, 0);
        }
    }

    private void heard(String id, CoordinatorDescribed told) {
        if (open.remove(id)) {
            described.put(id, told);
            if (open.isEmpty()) {
                links.close();
                done.accept(described);
            }
        }
    }
}
