package io.sdds.sim.load;

import io.sdds.client.ClientSettings;
import io.sdds.client.internal.routing.ClientNode;
import io.sdds.core.model.Routing;
import io.sdds.sim.cluster.SimBrick;
import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.plan.TablePlan;
import io.sdds.sim.plan.WorkloadPlan;
import io.sdds.sim.world.RareEvent;
import io.sdds.sim.world.ServiceTimes;
import io.sdds.sim.world.SimEnv;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** A client's process in a simulated cluster, with its closed loops on each table. */
public final class SimClient {
    static final long SETUP_TIMEOUT_NANOS = 2_000_000_000L;
    private static final long RETRY_NANOS = 20_000_000L;

    private final SimCluster cluster;
    private final int number;
    private final SimEnv env;
    private final ClientNode node;
    private final List<WorkloadLoops> loops = new ArrayList<>();

    public SimClient(SimCluster cluster, List<Workload> workloads, int number, String name) {
        this.cluster = cluster;
        this.number = number;
        this.env = cluster.simulation().env(name, ServiceTimes.DEFAULT);
        SplittableRandom random = cluster.simulation().fork("workload of " + name);
        List<String> addresses = new ArrayList<>(cluster.addresses());
        Collections.swap(addresses, 0, random.nextInt(addresses.size()));
        this.node = new ClientNode(env, addresses, settings(name));
        for (int k = 0; k < workloads.size(); k++) {
            TablePlan table = cluster.plan().tables().get(k);
            String on = loops.isEmpty() ? name : name + " on " + table.name();
            SplittableRandom keys =
                    loops.isEmpty() ? random : cluster.simulation().fork("workload of " + on);
            SplittableRandom sweeps = cluster.simulation().fork("sweeps of " + on);
            loops.add(new WorkloadLoops(cluster, this, table, workloads.get(k), keys, sweeps));
        }
    }

    /** As the first table's plan says. */
    private ClientSettings settings(String name) {
        WorkloadPlan plan = cluster.plan().table().workload();
        ClientSettings.Builder settings = ClientSettings.builder()
                .name(name)
                .timeout(Duration.ofNanos(plan.timeoutNanos()))
                .window(plan.windowRequests(), 64L << 20);
        if (plan.adjustmentsOnly()) {
            settings.learnByAdjustmentsOnly(true);
        }
        if (cluster.plan().hasRanges()) {
            settings.routing(routing());
            if (cluster.plan().multicasts()) {
                settings.multicastGroup(SimBrick.MULTICAST_GROUP);
            }
        }
        return settings.build();
    }

    /**
     * Half of the clients of range tables find their way as the tables say, the others send to all bricks what they
     * don't know, or everything.
     */
    private Routing routing() {
        return switch ((int) Math.floorMod(cluster.plan().seed() + number, 4L)) {
            case 0 -> Routing.MULTICAST;
            case 1 -> Routing.IMAGE_MULTICAST;
            default -> cluster.plan().routing();
        };
    }

    public ClientNode node() {
        return node;
    }

    public SimEnv env() {
        return env;
    }

    int number() {
        return number;
    }

    public String name() {
        return env.name();
    }

    /** The closed loops, one for each table of the plan, in its order. */
    public List<WorkloadLoops> loops() {
        return loops;
    }

    /** Whether its process runs and knows all tables. */
    public boolean isReady() {
        return loops.stream().allMatch(WorkloadLoops::isReady);
    }

    /** Connects, and creates the tables or finds them, however often that takes; each table that is there is told. */
    public void setUp(boolean creates, Consumer<WorkloadLoops> ready) {
        env.execute(() -> node.connect(SETUP_TIMEOUT_NANOS, (addresses, failure) -> {
            if (failure == null) {
                loops.forEach(each -> each.openTable(creates, () -> ready.accept(each)));
            } else {
                env.schedule(RETRY_NANOS, () -> setUp(creates, ready));
            }
        }));
    }

    /** Its process is gone at once: nobody knows what becomes of what it had under way. */
    public void crash() {
        cluster.simulation().coverage().hit(RareEvent.CLIENT_CRASHED);
        cluster.simulation().network().crash(List.of(env));
    }

    public void close() {
        env.execute(node::close);
    }
}
