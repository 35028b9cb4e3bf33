package io.sdds.sim.load;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.client.internal.query.FilterProgram;
import io.sdds.client.internal.query.lang.FilterParser;
import io.sdds.client.internal.routing.CursorToken;
import io.sdds.client.internal.routing.Failure;
import io.sdds.client.internal.routing.HashSweep;
import io.sdds.client.internal.routing.KeyBounds;
import io.sdds.client.internal.routing.RangeSweep;
import io.sdds.client.internal.routing.ScanBlock;
import io.sdds.client.internal.routing.Sweep;
import io.sdds.core.addressing.PseudoKey;
import io.sdds.core.addressing.ScanOrder;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.sim.check.History;
import io.sdds.sim.check.RecordedScan;
import io.sdds.sim.check.TilingChecker.Stretch;
import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.world.RareEvent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a client does to a table as a whole in plans that say so: clears, scans with filters, and scans that another
 * client goes on with.
 */
final class SimSweeps {
    private static final int CLEAR_PERMILLE = 3;
    private static final int FILTERED_PERMILLE = 15;
    private static final int SITTINGS_PERMILLE = 30;
    private static final int SITTINGS_MAX = 4;
    private static final byte[] NO_FILTER = new byte[0];
    private static final List<String> PREFIXES = List.of("h", "g", "g1", "n", "ng", "nh");

    private final SimCluster cluster;
    private final WorkloadLoops client;
    private final Workload workload;
    private final Values values;
    private final SplittableRandom random;

    SimSweeps(SimCluster cluster, WorkloadLoops client, Workload workload, Values values, SplittableRandom random) {
        this.cluster = cluster;
        this.client = client;
        this.workload = workload;
        this.values = values;
        this.random = random;
    }

    /** The records of a scan's block. */
    static List<RecordedScan.Entry> entries(byte[] block, byte what, Values values) {
        List<RecordedScan.Entry> entries = new ArrayList<>();
        ByteBuf in = Unpooled.wrappedBuffer(block);
        while (in.isReadable()) {
            byte[] key = new byte[in.readUnsignedShortLE()];
            byte[] value = new byte[in.readIntLE()];
            in.readBytes(key).readBytes(value);
            entries.add(new RecordedScan.Entry(
                    new String(key, StandardCharsets.UTF_8),
                    what == RequestFrame.SCAN_KEYS ? null : values.name(value)));
        }
        return entries;
    }

    /** Whether a lane's next operation is one of these. */
    boolean areNext() {
        return workload.plan().sweeps() && random.nextInt(1000) < SITTINGS_PERMILLE;
    }

    void next(Runnable then) {
        int draw = random.nextInt(SITTINGS_PERMILLE);
        if (draw < CLEAR_PERMILLE) {
            byte opcode = client.table().isRange() ? Opcode.RANGE_CLEAR : Opcode.CLEAR;
            Sweep.Asked asked = new Sweep.Asked(opcode, (byte) 0, NO_FILTER, 0, random.nextInt(1, 9));
            startAll(asked, new Clear(then));
        } else if (draw < FILTERED_PERMILLE) {
            filtered(then);
        } else {
            KeyBounds bounds = random.nextBoolean() ? KeyBounds.ALL : KeyBounds.ALL.reversed();
            sit(new Journey(client.env().localNanos(), bounds, random.nextInt(SITTINGS_MAX)), then);
        }
    }

    private byte scanning() {
        return client.table().isRange() ? Opcode.RANGE : Opcode.SCAN;
    }

    private void startAll(Sweep.Asked asked, Sink sink) {
        start(sink, client.table().isRange() ? ofRange(asked, KeyBounds.ALL, sink) : ofHash(asked, null, sink));
    }

    private void start(Sink sink, Sweep sweep) {
        client.begins();
        sink.sweep = sweep;
        sweep.start();
    }

    private HashSweep ofHash(Sweep.Asked asked, byte @Nullable [] behind, Sink sink) {
        long from = behind == null ? 0 : ScanOrder.point(PseudoKey.of(behind));
        return new HashSweep(client.table(), asked, timeoutNanos(), tiled(sink, Stretch.ofPoints(from, 0)), behind);
    }

    private RangeSweep ofRange(Sweep.Asked asked, KeyBounds bounds, Sink sink) {
        Sweep.Sink tiled = tiled(sink, Stretch.ofKeys(bounds));
        return new RangeSweep(client.table(), asked, bounds, Long.MAX_VALUE, timeoutNanos(), tiled);
    }

    private long timeoutNanos() {
        return workload.plan().timeoutNanos();
    }

    private Sweep.Sink tiled(Sink sink, Stretch whole) {
        return new TilingSink(sink, whole, () -> true, workload::complain);
    }

    /** Counts what fails, and hears of its end. */
    private abstract class Sink implements Sweep.Sink {
        private final Runnable then;

        @SuppressWarnings("NullAway.Init") // set right after both are made
        Sweep sweep;

        Sink(Runnable then) {
            this.then = then;
        }

        @Override
        public void failed(Failure failure, List<String> missing) {
            workload.failed(failure, ", missing " + missing);
            ended(false);
            end();
        }

        @Override
        public void done() {
            ended(true);
            end();
        }

        abstract void ended(boolean complete);

        final void end() {
            client.ends();
            then.run();
        }
    }

    // ---- clears

    private final class Clear extends Sink {
        private final History.Clearing clearing =
                workload.history().beginClear(client.number(), client.env().localNanos());

        Clear(Runnable then) {
            super(then);
        }

        @Override
        public void covered(Sweep.Part part, long count, byte[] records) {
            sweep.resume(part);
        }

        @Override
        void ended(boolean complete) {
            if (complete) {
                cluster.simulation().coverage().hit(RareEvent.CLEARED);
                clearing.done(client.env().localNanos());
            }
        }
    }

    // ---- filters

    /** By keys, which says what must be given as well; or by values, which says only what may not. */
    private void filtered(Runnable then) {
        byte what = random.nextInt(3) == 0 ? RequestFrame.SCAN_KEYS : RequestFrame.SCAN_RECORDS;
        String prefix = PREFIXES.get(random.nextInt(PREFIXES.size()));
        String filter = "key prefix '" + prefix + "'";
        Predicate<String> keys = key -> key.startsWith(prefix);
        String value = null;
        switch (random.nextInt(4)) {
            case 0 -> {
                filter = "not " + filter;
                keys = keys.negate();
            }
            case 1 -> {
                String other = PREFIXES.get(random.nextInt(PREFIXES.size()));
                filter += " or key prefix '" + other + "'";
                keys = keys.or(key -> key.startsWith(other));
            }
            case 2 -> {
                value = "c" + random.nextInt(1, cluster.plan().clients() + 1) + "-";
                filter += " and value prefix '" + value + "'";
            }
            default -> {}
        }
        int blockBytes = random.nextInt(3) == 0 ? random.nextInt(1, 200) : 32 << 10;
        byte[] encoded = FilterProgram.encode(FilterParser.parse(filter));
        startAll(
                new Sweep.Asked(scanning(), what, encoded, blockBytes, random.nextInt(1, 5)),
                new Filtered(what, keys, value, then));
    }

    private final class Filtered extends Sink {
        private final byte what;
        private final Predicate<String> keys;
        private final @Nullable String value;
        private final long startNanos = client.env().localNanos();
        private final List<RecordedScan.Entry> found = new ArrayList<>();

        Filtered(byte what, Predicate<String> keys, @Nullable String value, Runnable then) {
            super(then);
            this.what = what;
            this.keys = keys;
            this.value = value;
        }

        @Override
        public void covered(Sweep.Part part, long count, byte[] records) {
            List<RecordedScan.Entry> block = entries(records, what, values);
            for (RecordedScan.Entry entry : block) {
                String given = entry.value();
                if (value != null && given != null && !given.startsWith(value)) {
                    workload.complain("a scan for values that begin with " + value + " gave " + entry);
                }
            }
            found.addAll(block);
            sweep.resume(part);
        }

        @Override
        void ended(boolean complete) {
            boolean isAll = complete && value == null;
            workload.history()
                    .add(new RecordedScan(
                            client.number(),
                            found,
                            isAll,
                            startNanos,
                            client.env().localNanos(),
                            keys));
        }
    }

    // ---- several sittings

    /**
     * A scan that clients go on with, one after the other, in its order: what it has given, and the token of where it
     * stands.
     */
    private static final class Journey {
        private final long startNanos;
        private final KeyBounds bounds;
        private final List<RecordedScan.Entry> given = new ArrayList<>();
        private String token = new CursorToken(0, 0, false, null).text();
        private int sittingsLeft;

        Journey(long startNanos, KeyBounds bounds, int sittingsLeft) {
            this.startNanos = startNanos;
            this.bounds = bounds;
            this.sittingsLeft = sittingsLeft;
        }

        byte @Nullable [] key() {
            return CursorToken.parse(token).key();
        }

        void give(List<RecordedScan.Entry> entries) {
            given.addAll(entries);
            if (!entries.isEmpty()) {
                byte[] key = SimOperation.bytes(entries.getLast().key());
                token = new CursorToken(0, 0, false, key).text();
            }
        }
    }

    private void sit(Journey journey, Runnable then) {
        int blockBytes = random.nextInt(3) == 0 ? random.nextInt(1, 2000) : 32 << 10;
        Sweep.Asked asked = new Sweep.Asked(scanning(), RequestFrame.SCAN_RECORDS, NO_FILTER, blockBytes, 1);
        byte[] key = journey.key();
        Sitting sitting = new Sitting(journey, then);
        KeyBounds left = key == null ? journey.bounds : journey.bounds.behind(key);
        start(sitting, client.table().isRange() ? ofRange(asked, left, sitting) : ofHash(asked, key, sitting));
    }

    /** Takes records as a resumable cursor does, and leaves at any of them. */
    private final class Sitting extends Sink {
        private final Journey journey;

        Sitting(Journey journey, Runnable then) {
            super(then);
            this.journey = journey;
        }

        @Override
        public void covered(Sweep.Part part, long count, byte[] records) {
            byte[] inOrder = client.table().isRange()
                    ? records
                    : ScanBlock.inOrder(records, ReplyFrame.SCAN_RECORD_HEADER, journey.key());
            List<RecordedScan.Entry> block = entries(inOrder, RequestFrame.SCAN_RECORDS, values);
            boolean leaves = journey.sittingsLeft > 0 && random.nextInt(3) == 0;
            journey.give(leaves ? block.subList(0, random.nextInt(block.size() + 1)) : block);
            if (leaves) {
                leave();
            } else {
                sweep.resume(part);
            }
        }

        private void leave() {
            journey.sittingsLeft--;
            sweep.stop();
            List<WorkloadLoops> ready =
                    workload.clients().stream().filter(WorkloadLoops::isReady).toList();
            WorkloadLoops next = ready.get(random.nextInt(ready.size()));
            cluster.simulation().coverage().hit(RareEvent.SCAN_RESUMED);
            next.begins(); // until it has begun, so that nobody takes it for idle
            next.env().execute(() -> {
                next.sweeps().sit(journey, () -> {});
                next.ends();
            });
            end();
        }

        @Override
        void ended(boolean complete) {
            long endNanos = client.env().localNanos();
            RecordedScan scan =
                    new RecordedScan(client.number(), journey.given, complete, journey.startNanos, endNanos);
            workload.history().add(client.table().isRange() ? scan.of(journey.bounds, true) : scan);
        }
    }
}
