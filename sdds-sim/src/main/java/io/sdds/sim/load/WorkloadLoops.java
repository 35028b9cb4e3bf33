package io.sdds.sim.load;

import io.sdds.client.internal.routing.ClientNode;
import io.sdds.client.internal.routing.Failure;
import io.sdds.client.internal.routing.HashSweep;
import io.sdds.client.internal.routing.KeyBounds;
import io.sdds.client.internal.routing.RangeSweep;
import io.sdds.client.internal.routing.RoutedTable;
import io.sdds.client.internal.routing.ScatterSweep;
import io.sdds.client.internal.routing.Sweep;
import io.sdds.client.internal.routing.WriteOptions;
import io.sdds.core.control.ControlMessage.CreateTable;
import io.sdds.core.model.TableSpec;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.row.Schema;
import io.sdds.sim.check.History;
import io.sdds.sim.check.RecordedScan;
import io.sdds.sim.check.TilingChecker.Stretch;
import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.plan.TablePlan;
import io.sdds.sim.world.RareEvent;
import io.sdds.sim.world.SimEnv;
import io.sdds.testkit.check.Operation.Kind;
import io.sdds.testkit.check.Operation.Result;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The closed loops of a client on one table. */
public final class WorkloadLoops {
    /** What the failure of a request says that the client does not send to a third brick. */
    private static final String GIVEN_UP = "so no other brick gets it";

    private static final long RETRY_NANOS = 20_000_000L;
    private static final long WINDOW_NANOS = 1_000_000L;
    private static final long SLOW_READER_NANOS = 20_000_000L;

    /** For how long range queries with probabilistic termination go on at most. */
    private static final long WITHIN_NANOS = 100_000_000L;

    private static final long LATE_NANOS_MAX = 100_000_000L;
    private static final long PPM = 1_000_000L;
    private static final int SCANS_A_SCAN_ABANDONED = 6;
    private static final int REMOVING_PERCENT = 90;
    private static final int VALUES_AN_EMPTY_ONE = 30;
    private static final int ADDS_A_NEW_NUMBER = 4;

    private final SimCluster cluster;
    private final TablePlan plan;
    private final Workload workload;
    private final int number;
    private final SimEnv env;
    private final ClientNode node;
    private final SplittableRandom random;
    private final Values values;
    private final Map<String, String> lastSeen = new TreeMap<>();
    private final ExpiringKeys expiring;
    private final SimSweeps sweeps;
    private final SimQueries queries;
    private @Nullable RoutedTable table;
    private int lanesRunning;
    private int underWay;
    private int written;

    /**
     * @param random draws the operations on keys
     * @param sweeps draws the operations on the whole table
     */
    WorkloadLoops(
            SimCluster cluster,
            SimClient client,
            TablePlan plan,
            Workload workload,
            SplittableRandom random,
            SplittableRandom sweeps) {
        this.cluster = cluster;
        this.plan = plan;
        this.workload = workload;
        this.number = client.number();
        this.env = client.env();
        this.node = client.node();
        this.random = random;
        this.values = plan.workload().hasRows()
                ? new RowValues(
                        cluster,
                        plan,
                        workload.rows(),
                        () -> table().schema(),
                        cluster.simulation().fork("rows of " + name() + " on " + plan.name()))
                : new Values(
                        plan.workload().valueBytesMax(),
                        plan.hasParity() || cluster.plan().hasLongValues());
        this.expiring = new ExpiringKeys(plan.workload(), number, random);
        this.sweeps = new SimSweeps(cluster, this, workload, values, sweeps);
        this.queries = new SimQueries(
                cluster,
                this,
                workload,
                values,
                cluster.simulation().fork("queries of " + name() + " on " + plan.name()));
    }

    public RoutedTable table() {
        if (table == null) {
            throw new IllegalStateException("table " + plan.name() + " is not there yet");
        }
        return table;
    }

    /** Whether the client's process runs and knows the table. */
    boolean isReady() {
        return table != null && !env.isStopped();
    }

    public String name() {
        return env.name();
    }

    SimEnv env() {
        return env;
    }

    int number() {
        return number;
    }

    SimSweeps sweeps() {
        return sweeps;
    }

    /** Something more is under way. */
    void begins() {
        underWay++;
    }

    /** What was under way has ended. */
    void ends() {
        underWay--;
    }

    boolean isIdle() {
        return lanesRunning == 0 && underWay == 0;
    }

    // ---- the table

    /** Creates the table or finds it, however often that takes; something runs when the table is there. */
    void openTable(boolean creates, Runnable ready) {
        ClientNode.Handler<RoutedTable> handler = (found, failure) -> {
            if (found != null) {
                table = found;
                ready.run();
            } else {
                boolean exists = failure != null && failure.kind() == Failure.Kind.TABLE_EXISTS;
                env.schedule(RETRY_NANOS, () -> openTable(creates && !exists, ready));
            }
        };
        if (creates) {
            node.createTable(definition(), SimClient.SETUP_TIMEOUT_NANOS, handler);
        } else {
            node.findTable(plan.name(), SimClient.SETUP_TIMEOUT_NANOS, handler);
        }
    }

    private CreateTable definition() {
        TableSpec spec = TableSpec.of(plan.kind())
                .split(plan.split())
                .capacity(plan.capacityRecords())
                .replicas(plan.firstReplicas())
                .minCopies(plan.firstReplicas() > 1 ? cluster.plan().minCopies() : 1)
                .firstPartitions(plan.partitions())
                .routing(cluster.plan().routing(plan))
                .parity(plan.firstParity())
                .schema(plan.workload().hasRows() ? WrittenRows.FIRST : Schema.NONE)
                .build();
        return new CreateTable(plan.name(), spec);
    }

    /** Drops the table, however often that takes. */
    public void dropTable(Runnable done) {
        env.execute(() -> node.dropTable(plan.name(), SimClient.SETUP_TIMEOUT_NANOS, (dropped, failure) -> {
            if (failure == null) {
                done.run();
            } else {
                env.schedule(RETRY_NANOS, () -> dropTable(done));
            }
        }));
    }

    // ---- closed loops

    public void startLanes() {
        env.execute(() -> {
            while (isReady()
                    && workload.isLeft()
                    && lanesRunning < workload.plan().lanes()) {
                lanesRunning++;
                next();
            }
        });
    }

    private void next() {
        if (workload.takeOne()) {
            long think = (long) (-Math.log(1 - random.nextDouble()) * workload.thinkNanosMean());
            env.schedule(think, this::operate);
        } else {
            lanesRunning--;
        }
    }

    private void operate() {
        if (sweeps.areNext()) {
            sweeps.next(this::next);
        } else if (queries.areNext()) {
            queries.next(this::next);
        } else if (random.nextInt(1000) < workload.plan().scanPermille()) {
            sweep(this::next);
        } else if (expiring.areNext()) {
            underWay++;
            begin(expiring.next(), this::next);
        } else if (workload.phase() == Workload.Phase.REMOVING && random.nextInt(100) < REMOVING_PERCENT) {
            operateOn(workload.removedKey(random), Kind.DELETE);
        } else if (workload.phase() == Workload.Phase.IDLING
                || random.nextInt(100) < workload.plan().hotPercent()) {
            operateOn(workload.hotKey(random), hotKind());
        } else if (random.nextInt(100) < workload.plan().newPercent()) {
            operateOn(workload.newKey(), random.nextInt(4) == 0 ? Kind.PUT_IF_ABSENT : Kind.PUT);
        } else {
            operateOn(workload.grownKey(random), hotKind());
        }
    }

    private Kind hotKind() {
        return switch (random.nextInt(20)) {
            case 0, 1, 2 -> Kind.PUT;
            case 3, 4 -> Kind.PUT_IF_ABSENT;
            case 5, 6 -> Kind.REPLACE;
            case 7, 8, 9 -> Kind.CAS;
            case 10, 11 -> Kind.DELETE;
            case 12, 13, 14, 15 -> Kind.INCREMENT;
            default -> Kind.GET;
        };
    }

    private void operateOn(String key, Kind kind) {
        if (kind == Kind.INCREMENT && plan.workload().hasRows()) {
            operateOnNumber("n" + key);
            return;
        }
        operate(kind, kind == Kind.INCREMENT && random.nextInt(8) != 0 ? "n" + key : key, this::next);
    }

    /** Adds to a number by an update of its row, or makes the row. */
    private void operateOnNumber(String key) {
        boolean adds = random.nextInt(ADDS_A_NEW_NUMBER) > 0;
        String number = Integer.toString(random.nextInt(1, 10));
        operate(adds ? Kind.ADD : Kind.PUT_IF_ABSENT, key, number, null, this::next);
    }

    /** Does one operation now. */
    void operate(Kind kind, String key, Runnable then) {
        String value = switch (kind) {
            case GET, DELETE, TOUCH, EXPIRE -> null;
            case INCREMENT -> Integer.toString(random.nextInt(1, 10));
            default -> value();
        };
        String expected = kind == Kind.CAS ? lastSeen.getOrDefault(key, "c1-0") : null;
        operate(kind, key, value, expected, then);
    }

    private void operate(Kind kind, String key, @Nullable String value, @Nullable String expected, Runnable then) {
        underWay++;
        begin(new SimOperation.Asked(kind, key, value, expected, WriteOptions.NONE), then);
    }

    /** A value to write: mostly a name that no other value has; in tables with parity groups sometimes no byte. */
    private String value() {
        if (plan.hasParity() && !plan.workload().hasRows() && random.nextInt(VALUES_AN_EMPTY_ONE) == 0) {
            return "";
        }
        return random.nextInt(50) == 0 ? Integer.toString(random.nextInt(100)) : "c" + number + "-" + written++;
    }

    private void begin(SimOperation.Asked asked, Runnable then) {
        long started = env.localNanos();
        long latest = started + slowest(workload.plan().timeoutNanos()) + LATE_NANOS_MAX - env.pausedNanos();
        History.Pending[] pending = new History.Pending[1];
        long deadlineNanos = env.nowNanos() + workload.plan().timeoutNanos();
        SimOperation operation = SimOperation.of(new SimOperation.Call(
                table(), deadlineNanos, asked, values, (result, out, version, failure) -> {
                    pending[0].end(result, out, env.localNanos());
                    if (version != 0) {
                        expiring.saw(asked, out != null ? out : asked.value(), version);
                    }
                    if (plan.workload().hasRows() && result == Result.OK && asked.kind() != Kind.ADD) {
                        remember(asked); // so that updates meet what they expect, and rows get columns of many writers
                    }
                    checkOverload(failure, deadlineNanos);
                    ended(asked, out, failure, latest);
                    then.run();
                }));
        if (!node.window().tryEnter(operation.windowBytes())) {
            env.schedule(WINDOW_NANOS, () -> begin(asked, then));
            return;
        }
        pending[0] =
                workload.history().begin(number, asked.kind(), asked.key(), asked.value(), asked.expected(), started);
        ExpiringKeys.record(
                workload.history(), number, asked, started, cluster.plan().faults());
        operation.run();
    }

    private void remember(SimOperation.Asked asked) {
        String value = asked.value();
        if (value != null && asked.kind() != Kind.TOUCH) {
            lastSeen.put(asked.key(), value);
        }
    }

    /** How long that takes by the slowest clock there is. */
    private static long slowest(long nanos) {
        return nanos * PPM / (PPM - SimEnv.DRIFT_PPM_MAX);
    }

    /** However many bricks crash at once, no request may be given up that has ended none of them. */
    private void failed(Failure failure, String what) {
        workload.failed(failure, what);
        if (failure.text().contains(GIVEN_UP) && !cluster.isPoisoned()) {
            workload.complain("given up, though no request ends bricks: " + failure + what);
        }
    }

    /**
     * However busy the bricks are, no operation may fail by overload before its deadline, and none that had an effect.
     */
    private void checkOverload(@Nullable Failure failure, long deadlineNanos) {
        if (failure != null
                && failure.kind() == Failure.Kind.OVERLOADED
                && (env.nowNanos() < deadlineNanos || failure.outcomeUnknown())) {
            workload.complain("failed by overload before its deadline, or with an effect: " + failure);
        }
    }

    private void ended(SimOperation.Asked asked, @Nullable String out, @Nullable Failure failure, long latest) {
        underWay--;
        if (out != null && asked.kind() == Kind.GET) {
            lastSeen.put(asked.key(), out);
        }
        if (failure != null) {
            failed(failure, "");
            if (failure.kind() == Failure.Kind.LOST) {
                cluster.simulation().coverage().hit(RareEvent.LOST);
                // a client that learns by adjustments alone may name the partition by an image that is behind
                if (plan.hasParity() && !workload.plan().adjustmentsOnly() && !cluster.isAboutALoss(failure.text())) {
                    workload.complain(asked + " is said to need a partition that was never lost: " + failure);
                }
            } else if (failure.kind() == Failure.Kind.STALE_REQUEST && !cluster.anySessionHasEnded()) {
                workload.complain(asked + " was refused as stale, and was open in a session that is: " + failure);
            }
        }
        long late = env.localNanos() - latest - env.pausedNanos();
        if (late > 0) {
            workload.complain(asked + " ended " + late + " ns too late");
        }
    }

    // ---- scans and counts

    /** Scans, or counts, the whole table, or a range of it, in some way. */
    void sweep(Runnable then) {
        if (table().isRange()) {
            sweepRange(then);
            return;
        }
        int way = random.nextInt(8);
        byte opcode = way == 0 ? Opcode.SIZE : Opcode.SCAN;
        byte what = switch (way) {
            case 1 -> RequestFrame.SCAN_COUNT;
            case 2 -> RequestFrame.SCAN_KEYS;
            default -> RequestFrame.SCAN_RECORDS;
        };
        int blockBytes = random.nextInt(3) == 0 ? random.nextInt(1, 200) : 32 << 10;
        boolean abandoned = random.nextInt(SCANS_A_SCAN_ABANDONED) == 0;
        sweep(new Sweep.Asked(opcode, what, new byte[0], blockBytes, random.nextInt(1, 5)), abandoned, then);
    }

    /** Scans all records. */
    public void scan(Runnable then) {
        Sweep.Asked all = new Sweep.Asked(Opcode.SCAN, RequestFrame.SCAN_RECORDS, new byte[0], 32 << 10, 4);
        Sweep.Asked allOfRange = new Sweep.Asked(Opcode.RANGE, RequestFrame.SCAN_RECORDS, new byte[0], 32 << 10, 4);
        env.execute(() -> {
            if (table().isRange()) {
                sweep(allOfRange, false, then, KeyBounds.ALL);
            } else {
                sweep(all, false, then);
            }
        });
    }

    private void sweepRange(Runnable then) {
        int way = random.nextInt(8);
        byte what = way == 0 ? RequestFrame.SCAN_COUNT : way == 1 ? RequestFrame.SCAN_KEYS : RequestFrame.SCAN_RECORDS;
        int blockBytes = random.nextInt(3) == 0 ? random.nextInt(1, 200) : 32 << 10;
        boolean abandoned = random.nextInt(SCANS_A_SCAN_ABANDONED) == 0;
        Sweep.Asked asked = new Sweep.Asked(Opcode.RANGE, what, new byte[0], blockBytes, random.nextInt(1, 5));
        KeyBounds bounds = KeyBounds.ALL;
        if (what != RequestFrame.SCAN_COUNT && random.nextInt(3) > 0) {
            byte[] a = SimOperation.bytes(workload.anyKey(random));
            byte[] b = SimOperation.bytes(workload.anyKey(random));
            boolean inOrder = Arrays.compareUnsigned(a, b) <= 0;
            bounds = new KeyBounds(inOrder ? a : b, random.nextBoolean(), inOrder ? b : a, random.nextBoolean(), false);
        }
        Sink sink = new Sink(asked, abandoned, then, random.nextBoolean() ? bounds : bounds.reversed());
        int termination = asked.parallel() == 1 ? 0 : random.nextInt(4);
        begin(
                sink,
                switch (termination) {
                    case 0 -> rangeSweep(sink);
                    case 1 -> {
                        long withinNanos = random.nextLong(1, WITHIN_NANOS);
                        yield ScatterSweep.probabilistic(
                                table(), asked, sink.bounds, Integer.MAX_VALUE, withinNanos, sink.tiled());
                    }
                    default -> {
                        long timeoutNanos = workload.plan().timeoutNanos();
                        yield ScatterSweep.deterministic(
                                table(), asked, sink.bounds, Integer.MAX_VALUE, timeoutNanos, sink.tiled());
                    }
                });
    }

    private void sweep(Sweep.Asked asked, boolean abandoned, Runnable then, KeyBounds bounds) {
        Sink sink = new Sink(asked, abandoned, then, bounds);
        begin(sink, rangeSweep(sink));
    }

    private Sweep rangeSweep(Sink sink) {
        return new RangeSweep(
                table(),
                sink.asked,
                sink.bounds,
                Integer.MAX_VALUE,
                workload.plan().timeoutNanos(),
                sink.tiled());
    }

    private void begin(Sink sink, Sweep sweep) {
        underWay++;
        sink.sweep = sweep;
        sweep.start();
    }

    private void sweep(Sweep.Asked asked, boolean abandoned, Runnable then) {
        Sink sink = new Sink(asked, abandoned, then, KeyBounds.ALL);
        begin(sink, new HashSweep(table(), asked, workload.plan().timeoutNanos(), sink.tiled()));
    }

    private final class Sink implements Sweep.Sink {
        private final Sweep.Asked asked;
        private final boolean abandoned;
        private final Runnable then;
        private final long startNanos = env.localNanos();
        private final List<RecordedScan.Entry> entries = new ArrayList<>();
        private long total;

        /** Of a range table. */
        private final KeyBounds bounds;

        @SuppressWarnings("NullAway.Init") // set right after both are made
        private Sweep sweep;

        Sink(Sweep.Asked asked, boolean abandoned, Runnable then, KeyBounds bounds) {
            this.bounds = bounds;
            this.asked = asked;
            this.abandoned = abandoned;
            this.then = then;
        }

        Sweep.Sink tiled() {
            Stretch whole = table().isRange() ? Stretch.ofKeys(bounds) : Stretch.ofPoints(0, 0);
            return new TilingSink(this, whole, this::isComplete, workload::complain);
        }

        private boolean isComplete() {
            return !(sweep instanceof ScatterSweep scatter) || scatter.isComplete();
        }

        @Override
        public void covered(Sweep.Part part, long count, byte[] records) {
            total += count;
            int before = entries.size();
            entries.addAll(SimSweeps.entries(records, asked.what(), values));
            boolean counts = asked.opcode() == Opcode.SIZE || asked.what() == RequestFrame.SCAN_COUNT;
            if (!counts && entries.size() - before != count) {
                workload.complain("a scan's block of " + (entries.size() - before) + " records says " + count);
            }
            if (abandoned && random.nextBoolean()) {
                abandon();
            } else if (random.nextInt(8) == 0) {
                env.schedule(random.nextLong(SLOW_READER_NANOS), () -> sweep.resume(part));
            } else {
                sweep.resume(part);
            }
        }

        /** Wants nothing more of it; what is under way of it comes back to nobody. */
        private void abandon() {
            cluster.scanAbandoned(node);
            sweep.stop();
            addPart();
            end();
        }

        private void addPart() {
            if (asked.opcode() != Opcode.SIZE && asked.what() != RequestFrame.SCAN_COUNT) {
                workload.history().add(scan(false));
            }
        }

        private RecordedScan scan(boolean complete) {
            RecordedScan scan = new RecordedScan(number, entries, complete, startNanos, env.localNanos());
            return table().isRange() ? scan.of(bounds, asked.parallel() == 1) : scan;
        }

        @Override
        public void done() {
            boolean complete = isComplete();
            if (asked.opcode() != Opcode.SIZE && asked.what() != RequestFrame.SCAN_COUNT) {
                workload.history().add(scan(complete));
            } else if (complete) {
                workload.sizes().add(new Workload.Size(total, startNanos, env.localNanos()));
            }
            end();
        }

        @Override
        public void failed(Failure failure, List<String> missing) {
            addPart();
            WorkloadLoops.this.failed(failure, ", missing " + missing);
            end();
        }

        private void end() {
            underWay--;
            then.run();
        }
    }
}
