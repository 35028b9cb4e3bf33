package io.sdds.sim.load;

import io.sdds.client.Row;
import io.sdds.client.SddsException;
import io.sdds.client.internal.query.RowCollector;
import io.sdds.client.internal.query.RowSpec;
import io.sdds.client.internal.routing.Failure;
import io.sdds.client.internal.routing.HashSweep;
import io.sdds.client.internal.routing.KeyBounds;
import io.sdds.client.internal.routing.RangeSweep;
import io.sdds.client.internal.routing.Sweep;
import io.sdds.core.model.KeySpan;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.row.Schema;
import io.sdds.sim.check.RecordedScan;
import io.sdds.sim.check.TilingChecker.Stretch;
import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.world.RareEvent;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A query of a client, whose rows are checked at its end. */
abstract class ShippedQuery implements Sweep.Sink {
    private static final int QUERIES_WITHOUT_PUSHDOWN = 6;

    private final Setting setting;
    private final Runnable then;
    private final RowCollector rows;
    private final Sweep sweep;
    private final boolean keepsOrder;

    /** The key up to which a sweep that keeps the order has answered. */
    private byte[] reached;

    final long startNanos;

    /** The client that asks, on one table. */
    record Setting(SimCluster cluster, WorkloadLoops client, Workload workload, SplittableRandom random) {
        long now() {
            return client.env().localNanos();
        }
    }

    /** @param schema by which the client reads the rows */
    @SuppressWarnings("this-escape") // the sweep uses it after begin()
    ShippedQuery(Setting setting, Schema schema, RowSpec text, Runnable then) {
        this.setting = setting;
        this.then = then;
        this.startNanos = setting.now();
        this.rows = new RowCollector(schema, text);
        WorkloadLoops client = setting.client();
        SplittableRandom random = setting.random();
        int blockBytes = random.nextInt(3) == 0 ? random.nextInt(1, 200) : 32 << 10;
        boolean isRange = client.table().isRange();
        Sweep.Asked asked = rows.asked(isRange ? Opcode.RANGE : Opcode.SCAN, blockBytes, random.nextInt(1, 5));
        long timeoutNanos = setting.workload().plan().timeoutNanos();
        KeyBounds keys = random.nextBoolean() ? rows.keys() : KeyBounds.ALL;
        Stretch whole = isRange ? Stretch.ofKeys(keys) : Stretch.ofPoints(0, 0);
        Sweep.Sink sink = new TilingSink(this, whole, () -> true, setting.workload()::complain);
        this.sweep = isRange
                ? new RangeSweep(client.table(), asked, keys, Long.MAX_VALUE, timeoutNanos, sink)
                : new HashSweep(client.table(), asked, timeoutNanos, sink);
        this.reached = keys.from();
        this.keepsOrder = isRange && asked.parallel() > 2;
        if (keepsOrder) {
            sweep.keepOrder();
        }
        if (random.nextInt(QUERIES_WITHOUT_PUSHDOWN) == 0) {
            sweep.fetchRecords();
        }
    }

    final void begin() {
        setting.client().begins();
        sweep.start();
    }

    @Override
    public void covered(Sweep.Part part, long count, byte[] block) {
        if (keepsOrder) {
            checkOrder(((RangeSweep.Range) part).step());
        }
        try {
            rows.add(part, block);
            byte[] bound = rows.bound();
            if (bound != null) {
                sweep.bound(bound);
            }
            sweep.resume(part);
        } catch (SddsException e) {
            setting.workload().complain("a query failed: " + e.getMessage());
            sweep.stop();
            end();
        }
    }

    /** Each step of a sweep that keeps the order begins where the step before ended. */
    private void checkOrder(@Nullable KeyBounds step) {
        if (step != null) {
            if (!Arrays.equals(step.from(), reached)) {
                complain("a query has reached " + KeySpan.text(reached) + ", and goes on with " + step);
            }
            reached = step.to();
        }
    }

    @Override
    public void done() {
        setting.cluster().simulation().coverage().hit(RareEvent.QUERIED);
        check(rows.rows());
        end();
    }

    @Override
    public void failed(Failure failure, List<String> missing) {
        setting.workload().failed(failure, ", missing " + missing);
        end();
    }

    private void end() {
        setting.client().ends();
        then.run();
    }

    /** Looks at the rows of a query that has ended. */
    abstract void check(List<Row> result);

    final void complain(String what) {
        setting.workload().complain(what);
    }

    /** The result has the records of all keys that are wanted. */
    final void record(List<RecordedScan.Entry> found, Predicate<String> wanted) {
        setting.workload()
                .history()
                .add(new RecordedScan(setting.client().number(), found, true, startNanos, setting.now(), wanted));
    }

    /** The result has the records whose values pass. */
    final void recordRows(List<RecordedScan.Entry> found, BiPredicate<String, String> passes) {
        setting.workload()
                .history()
                .add(RecordedScan.ofRows(setting.client().number(), found, passes, startNanos, setting.now()));
    }

    /** The result has so many records, which are all. */
    final void recordSize(long count) {
        setting.workload().sizes().add(new Workload.Size(count, startNanos, setting.now()));
    }

    static byte[] bytes(Row row, int column) {
        return row.get(column) instanceof byte[] bytes ? bytes : new byte[0];
    }

    static String text(Row row, int column) {
        return row.get(column) instanceof String text ? text : new String(bytes(row, column), StandardCharsets.UTF_8);
    }
}
