package io.sdds.cli.chaos;

import io.sdds.cli.process.LocalCluster;
import io.sdds.cli.process.LocalCluster.Member;
import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.RangeTable;
import io.sdds.client.SddsClient;
import io.sdds.client.TableOptions;
import io.sdds.core.model.Parity;
import io.sdds.testkit.check.Violation;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** One run: starts a cluster and clients, injects faults, and checks all answers that the clients got. */
public final class Chaos implements AutoCloseable {
    public static final String TABLE = "chaos";
    public static final String RANGE_TABLE = "chaos-range";
    private static final int LOOPS = 8;
    private static final long CAPACITY_RECORDS = 40;
    private static final long LOOK_MILLIS = 100;
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(10);

    /** Longer than the second after which the client asks another coordinator instead of one that does not answer. */
    private static final Duration STATUS_TIMEOUT = Duration.ofSeconds(3);

    private static final String MEMORY = "256m";

    private final Plan plan;
    private final Recorder recorder;
    private final Processes processes;
    private final Network network;

    /**
     * Settings of a run.
     *
     * @param directory directory of the processes
     * @param replicas copies of each partition
     * @param parity parity groups of the tables, or {@link Parity#NONE}
     * @param keys number of keys of a generation; each generation is in use for some seconds
     * @param operationsPerSecond upper limit for all clients together
     * @param kill whether processes are killed
     * @param pause whether processes are paused
     * @param partition whether processes are cut off from each other
     * @param history output for one line for each operation; null for no output
     */
    public record Plan(
            Path directory,
            int coordinators,
            int bricks,
            int clients,
            int replicas,
            Parity parity,
            int keys,
            int operationsPerSecond,
            int seconds,
            boolean kill,
            boolean pause,
            boolean partition,
            long seed,
            @Nullable Appendable history) {}

    /**
     * Result of a run.
     *
     * @param unknown operations of unknown outcome
     * @param queries checked queries: scans, and range queries in both directions
     * @param additions additions to counters
     * @param expiries expiries that were checked for being too early
     * @param faults descriptions of the injected faults, in order
     * @param troubles problems outside of histories: a process that ended by itself, a cluster that did not recover, a
     *     scan that missed a record
     * @param violations violations of linearizability, each with the smallest history of its key that shows the
     *     violation
     * @param writesLost violations that reveal the loss of an acknowledged write
     * @param checkNanos duration of the check
     */
    public record Outcome(
            long operations,
            long refused,
            long unknown,
            long queries,
            long additions,
            long expiries,
            long keysChecked,
            List<String> faults,
            List<String> troubles,
            List<Violation> violations,
            long writesLost,
            long checkNanos) {
        public boolean isGood() {
            return violations.isEmpty() && troubles.isEmpty();
        }
    }

    public Chaos(Plan plan) throws IOException {
        this.plan = plan;
        this.recorder = new Recorder(plan.history());
        LocalCluster.Plan members = new LocalCluster.Plan(
                plan.directory(),
                plan.coordinators(),
                plan.bricks(),
                LocalCluster.freePorts(plan.coordinators(), plan.bricks()),
                MEMORY);
        this.network = new Network(members);
        LocalCluster cluster = plan.partition() ? new LocalCluster(members, network) : LocalCluster.of(members);
        this.processes = new Processes(cluster, plan.directory(), recorder);
    }

    /**
     * Runs the load and the faults, and checks the history.
     *
     * @param progress is called from time to time with the elapsed share of the run and the operations so far
     */
    public Outcome run(BiConsumer<Double, Long> progress) throws IOException, InterruptedException {
        processes.startCluster();
        List<String> addresses = addresses();
        try (SddsClient client = SddsClient.connect(addresses)) {
            HashTable<String, String> table =
                    client.withTimeout(READ_TIMEOUT).createHashTable(TABLE, options(), Codec.utf8(), Codec.utf8());
            RangeTable<String, String> range = client.withTimeout(READ_TIMEOUT)
                    .createRangeTable(RANGE_TABLE, options(), Codec.utf8(), Codec.utf8());
            SideAudit sideAudit = new SideAudit(
                    () -> SideAudit.all(table.scan()), () -> SideAudit.all(range.scan()), SideAudit.PATIENCE);
            StandingRecords.all().forEach((key, value) -> {
                table.put(key, value);
                range.put(key, value);
            });
            Keys keys = new Keys(System.nanoTime(), plan.keys());
            Auditor auditor = new Auditor(table, keys, recorder);
            processes.startClients(plan.clients(), clientArguments(addresses, keys));
            SddsClient asking = client.withTimeout(STATUS_TIMEOUT);
            Nemesis nemesis =
                    new Nemesis(processes, network.partition(), () -> asking.status(true), kinds(), plan.seed());
            Thread faults = Thread.ofPlatform().name("nemesis").start(nemesis);
            load(auditor, nemesis, progress);
            nemesis.stop();
            faults.join();
            List<String> troubles = new ArrayList<>(processes.accidents());
            processes.endClients();
            auditor.auditRest();
            troubles.addAll(recorder.wrongs());
            troubles.addAll(sideAudit.faults(recorder.sums()));
            troubles.addAll(nemesis.troubles());
            return outcome(auditor, nemesis, troubles);
        }
    }

    /** Options of both tables. Their capacity is low, so that partitions split during the run. */
    private TableOptions options() {
        return TableOptions.capacity(CAPACITY_RECORDS)
                .withReplicas(plan.replicas())
                .withParity(plan.parity().columns(), plan.parity().parities());
    }

    private Set<Nemesis.Kind> kinds() {
        Set<Nemesis.Kind> kinds = java.util.EnumSet.noneOf(Nemesis.Kind.class);
        if (plan.kill()) {
            kinds.add(Nemesis.Kind.KILL);
        }
        if (plan.pause()) {
            kinds.add(Nemesis.Kind.PAUSE);
        }
        if (plan.partition()) {
            kinds.add(Nemesis.Kind.PARTITION);
        }
        return kinds;
    }

    private List<String> addresses() {
        List<String> addresses = new ArrayList<>();
        processes.coordinators().stream().map(Member::address).forEach(addresses::add);
        processes.bricks().stream().map(Member::address).forEach(addresses::add);
        return addresses;
    }

    private List<String> clientArguments(List<String> addresses, Keys keys) {
        long pauseMicros = 1_000_000L * plan.clients() * LOOPS / plan.operationsPerSecond();
        return List.of(
                "--connect",
                String.join(",", addresses),
                "--loops",
                Integer.toString(LOOPS),
                "--pause-micros",
                Long.toString(pauseMicros),
                "--keys",
                Integer.toString(keys.perGeneration()),
                "--keys-began",
                Long.toString(keys.beganNanos()));
    }

    /** Waits until the time is over or a check fails. */
    private void load(Auditor auditor, Nemesis nemesis, BiConsumer<Double, Long> progress) throws InterruptedException {
        long beganNanos = System.nanoTime();
        long allNanos = TimeUnit.SECONDS.toNanos(plan.seconds());
        while (System.nanoTime() - beganNanos < allNanos) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            auditor.auditOver();
            progress.accept(
                    Math.min(1.0, (double) (System.nanoTime() - beganNanos) / allNanos),
                    recorder.counts().operations());
            if (!auditor.violations().isEmpty()
                    || !recorder.wrongs().isEmpty()
                    || !nemesis.troubles().isEmpty()) {
                return;
            }
        }
    }

    private Outcome outcome(Auditor auditor, Nemesis nemesis, List<String> troubles) {
        if (auditor.keysUnread() > 0) {
            troubles.add(auditor.keysUnread() + " keys could not be read at the end");
        }
        Recorder.Counts counts = recorder.counts();
        return new Outcome(
                counts.operations(),
                counts.refused(),
                counts.unknown(),
                counts.queries(),
                counts.additions(),
                counts.expiries(),
                auditor.keysChecked(),
                nemesis.done(),
                List.copyOf(troubles),
                auditor.violations(),
                auditor.writesLost(),
                auditor.checkNanos());
    }

    @Override
    public void close() {
        processes.close();
        network.close();
    }
}
