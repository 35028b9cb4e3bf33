package io.sdds.coordinator.control;

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
 * Asks the other coordinators who they are and what they have of the log, until each has said so. On its environment's
 * thread.
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
     * @param self id of the one who asks
     * @param cluster that this coordinator belongs to, as far as it knows
     * @param others addresses of the others by their ids
     * @param done hears, once, what each has said, by the id it is known by here
     * @param foreign hears of one that belongs to another cluster, in a line
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

    /** Begins to ask. */
    public void start() {
        links.start();
        again();
    }

    /** Asks nobody any more. */
    public void close() {
        open.clear();
        links.close();
    }

    /** Who was not ready is asked again. */
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
