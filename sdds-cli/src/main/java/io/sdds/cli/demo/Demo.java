package io.sdds.cli.demo;

import static io.sdds.client.Filters.value;
import static io.sdds.client.Filters.where;

import io.sdds.bench.load.ClosedLoop;
import io.sdds.bench.load.Latency;
import io.sdds.bench.load.LoadMode;
import io.sdds.bench.load.LoadResult;
import io.sdds.bench.load.LoadSettings;
import io.sdds.cli.format.Format;
import io.sdds.cli.format.RecordReader;
import io.sdds.cli.format.RecordReader.Entry;
import io.sdds.cli.format.Text;
import io.sdds.cli.load.Pipeline;
import io.sdds.cli.terminal.Hint;
import io.sdds.cli.terminal.Numbers;
import io.sdds.client.ClusterStatus;
import io.sdds.client.Codec;
import io.sdds.client.Cursor;
import io.sdds.client.HashTable;
import io.sdds.client.SddsClient;
import io.sdds.client.TableOptions;
import io.sdds.testkit.EmbeddedCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The demo, on a cluster in this JVM: loads real data into a table that grows over the bricks, looks records up,
 * queries a range table with the same data, has the bricks count rows of a table with typed columns, joins it with
 * another table by SQL, runs load, and checks at the end that the table holds every record exactly once.
 */
public final class Demo {
    private static final int BRICKS = 4;
    private static final long BRICK_MEMORY_BYTES = 256L << 20;
    private static final long CAPACITY_RECORDS = 5_000;
    private static final String TABLE = "names";
    private static final String WORD = "CAT";
    private static final int FOUND_SHOWN_MAX = 6;
    private static final List<Integer> LOOKED_UP = List.of(0x41, 0x3C0, 0x4E16, 0x1D11E, 0x1F418);
    private static final int TICK_MILLIS = 10;
    private static final int TICKS_PER_PICTURE = 10;
    private static final int PICTURE_MILLIS = TICK_MILLIS * TICKS_PER_PICTURE;
    private static final int SETTLED_PICTURES = 5;
    private static final int SETTLING_PICTURES_MAX = 100;

    private final Narrator narrator;
    private final Pace pace;
    private final Map<String, Object> summary = new LinkedHashMap<>();

    /**
     * Durations of the steps.
     *
     * @param loadPerSecond records loaded a second, so slow that the growth can be watched
     */
    public record Pace(long loadPerSecond, Duration warmup, Duration loop) {
        public static final Pace FULL = new Pace(25_000, Duration.ofSeconds(1), Duration.ofSeconds(10));
        public static final Pace QUICK = new Pace(75_000, Duration.ofMillis(500), Duration.ofMillis(2500));
    }

    /** On a busy machine the demo is slow, and does not fail. */
    static final Duration PATIENCE = Duration.ofMinutes(1);

    public Demo(Narrator narrator, Pace pace) {
        this.narrator = narrator;
        this.pace = pace;
    }

    /** The result, as a JSON document. */
    public Map<String, Object> summary() {
        return summary;
    }

    /** Runs the demo. Returns whether all checks succeeded. */
    public boolean run() throws IOException, InterruptedException {
        Map<String, String> names = UnicodeNames.all();
        Path file = export(names);
        BlockCounts blocks = new BlockCounts(narrator, names, summary);
        Path rows = file.resolveSibling("characters.csv");
        blocks.export(rows);
        long beganNanos = System.nanoTime();
        try (EmbeddedCluster cluster = EmbeddedCluster.start(BRICKS, BRICK_MEMORY_BYTES)) {
            narrator.step("A cluster in this JVM: a coordinator and " + BRICKS + " bricks, ready in "
                    + Numbers.duration(System.nanoTime() - beganNanos));
            SddsClient client = cluster.client().withTimeout(PATIENCE);
            HashTable<byte[], byte[]> bytes = client.createHashTable(
                    TABLE, TableOptions.capacity(CAPACITY_RECORDS), Codec.bytes(), Codec.bytes());
            HashTable<String, String> table = client.hashTable(TABLE, Codec.utf8(), Codec.utf8());
            load(client, bytes, file, names.size());
            lookUp(table);
            search(table);
            boolean rangeHolds =
                    new OrderedNames(narrator, names, summary).show(client, TableOptions.capacity(CAPACITY_RECORDS));
            boolean countsHold = blocks.show(client, cluster.address(), TableOptions.capacity(CAPACITY_RECORDS));
            boolean joinHolds = new BlockJoin(narrator, blocks.blocks(), summary).show(cluster.address());
            boolean loopHolds = loop(bytes, names);
            boolean holds = verify(table, names) && loopHolds && rangeHolds && countsHold && joinHolds;
            summary.put("ok", holds);
            tellWhereToGo(file, rows);
            return holds;
        }
    }

    private Path export(Map<String, String> names) throws IOException {
        String user = System.getProperty("user.name", "").replaceAll("\\W", "_");
        Path directory = Files.createDirectories(Path.of(System.getProperty("java.io.tmpdir"), "sdds-demo-" + user));
        Path file = directory.resolve("names.tsv");
        UnicodeNames.export(names, file);
        narrator.step("Real data: the names of " + Numbers.count(names.size()) + " Unicode characters, from this JDK");
        narrator.tell(file + ", " + Numbers.bytes(Files.size(file)));
        summary.put("file", file.toString());
        summary.put("records", names.size());
        return file;
    }

    // ---- growing

    private void load(SddsClient client, HashTable<byte[], byte[]> table, Path file, long total)
            throws IOException, InterruptedException {
        narrator.step("Load: the table grows from one partition over all bricks");
        narrator.tell("at " + Numbers.count(pace.loadPerSecond()) + " records/s, slow enough to be watched; "
                + Numbers.count(CAPACITY_RECORDS) + " records a partition");
        long beganNanos = System.nanoTime();
        Pipeline pipeline = new Pipeline(table);
        GrowthPicture.Moment last;
        try (Narrator.Picture picture = narrator.picture(total);
                RecordReader records = Format.TSV.reader(Files.newInputStream(file), new Text(false), null)) {
            long began = 0;
            for (long tick = 1; began < total; tick++) {
                long due = Math.min(total, pace.loadPerSecond() * tick * TICK_MILLIS / 1000);
                for (; began < due && records.next() instanceof Entry entry; began++) {
                    pipeline.put(entry);
                }
                sleepUntil(beganNanos + TimeUnit.MILLISECONDS.toNanos(tick * TICK_MILLIS));
                if (tick % TICKS_PER_PICTURE == 0) {
                    picture.show(moment(client, beganNanos, pipeline.loaded()));
                }
            }
            pipeline.awaitAll();
            last = settle(client, beganNanos, pipeline, picture);
        }
        Pipeline.Broken broken = pipeline.broken();
        if (broken != null) {
            throw broken.failure();
        }
        narrator.tell(Numbers.plural(last.partitions(), "partition") + " on " + BRICKS + " bricks after "
                + Numbers.duration(last.nanos()) + "; the client learned of the growth by");
        narrator.tell(
                Numbers.plural(last.client().imageChanges(), "image change") + " in replies to forwarded requests");
        summary.put("partitions", last.partitions());
        summary.put("load_seconds", seconds(last.nanos()));
        summary.put("forwards", last.client().addressingForwards());
        summary.put("image_changes", last.client().imageChanges());
    }

    /** Shows the growth until the last splits have ended. */
    private static GrowthPicture.Moment settle(
            SddsClient client, long beganNanos, Pipeline pipeline, Narrator.Picture picture)
            throws InterruptedException {
        GrowthPicture.Moment now = moment(client, beganNanos, pipeline.loaded());
        int quiet = 0;
        for (int k = 0; k < SETTLING_PICTURES_MAX && quiet < SETTLED_PICTURES; k++) {
            TimeUnit.MILLISECONDS.sleep(PICTURE_MILLIS);
            GrowthPicture.Moment before = now;
            now = moment(client, beganNanos, pipeline.loaded());
            boolean still = now.cluster().splits().isEmpty() && now.partitions() == before.partitions();
            quiet = still ? quiet + 1 : 0;
            picture.show(now);
        }
        picture.showLast(now);
        return now;
    }

    private static GrowthPicture.Moment moment(SddsClient client, long beganNanos, long loaded) {
        ClusterStatus status = client.status(false);
        return new GrowthPicture.Moment(System.nanoTime() - beganNanos, status, client.statistics(), loaded);
    }

    private static void sleepUntil(long nanos) throws InterruptedException {
        long left = nanos - System.nanoTime();
        if (left > 0) {
            TimeUnit.NANOSECONDS.sleep(left);
        }
    }

    // ---- asking

    private void lookUp(HashTable<String, String> table) {
        narrator.step("Look-up of some records");
        for (int codePoint : LOOKED_UP) {
            String key = UnicodeNames.key(codePoint);
            long beganNanos = System.nanoTime();
            String name = table.get(key);
            narrator.tell(key + "  " + name + "  (" + Numbers.duration(System.nanoTime() - beganNanos) + ")");
        }
    }

    private void search(HashTable<String, String> table) {
        narrator.step("Scan on the bricks: names with the word " + WORD);
        long beganNanos = System.nanoTime();
        long count = 0;
        try (Cursor<String, String> found = table.scan(
                        where(value().contains(" " + WORD + " ").or(value().startsWith(WORD + " "))))
                .open()) {
            for (; found.hasNext(); count++) {
                Map.Entry<String, String> name = found.next();
                if (count < FOUND_SHOWN_MAX) {
                    narrator.tell(name.getKey() + "  " + name.getValue());
                }
            }
        }
        narrator.tell(count + " found in " + Numbers.duration(System.nanoTime() - beganNanos));
        summary.put("found", count);
    }

    // ---- load

    private boolean loop(HashTable<byte[], byte[]> table, Map<String, String> names) throws InterruptedException {
        LoadSettings settings = LoadSettings.defaults().withMode(LoadMode.MIXED).withTimes(pace.warmup(), pace.loop());
        narrator.step("A closed loop for " + Numbers.duration(pace.loop().toNanos()) + ": half gets, half puts, "
                + settings.services() * settings.pipeline() + " at a time");
        NamesTarget target = new NamesTarget(table, names);
        LoadResult result;
        try (Narrator.Rates rates = narrator.rates()) {
            result = ClosedLoop.run(settings, target, rates);
        }
        Latency latency = result.latency();
        narrator.tell(Numbers.count(Math.round(result.operationsPerSecond()))
                + " operations/s; client, coordinator and bricks share this JVM's cores");
        narrator.tell(String.format(
                Locale.ROOT,
                "latency p50 %s, p99 %s, p99.9 %s, max %s",
                micros(latency.p50Micros()),
                micros(latency.p99Micros()),
                micros(latency.p999Micros()),
                micros(latency.maxMicros())));
        boolean holds = result.isSound() && target.wrong() == 0;
        if (!holds) {
            narrator.complain(target.wrong() + " gets returned a wrong name; "
                    + (result.firstTrouble() == null ? "no operation failed" : result.firstTrouble()));
        }
        summary.put("operations_per_second", Math.round(result.operationsPerSecond()));
        summary.put("p50_micros", latency.p50Micros());
        summary.put("p99_micros", latency.p99Micros());
        summary.put("p999_micros", latency.p999Micros());
        summary.put("max_micros", latency.maxMicros());
        summary.put("wrong_reads", target.wrong());
        return holds;
    }

    private static String micros(double micros) {
        return Numbers.duration(Math.round(micros * 1000));
    }

    // ---- the end

    private boolean verify(HashTable<String, String> table, Map<String, String> names) {
        narrator.step("Check: is every record stored exactly once?");
        Verification found = Verification.of(table, names);
        summary.put("right", found.right());
        summary.put("wrong", found.wrong());
        summary.put("doubled", found.doubled());
        summary.put("missing", found.missing());
        String told = Numbers.count(found.right()) + " right, " + found.wrong() + " wrong, " + found.doubled()
                + " twice, " + found.missing() + " missing";
        if (found.holds()) {
            narrator.praise("yes: " + told);
        } else {
            narrator.complain("no: " + told);
        }
        return found.holds();
    }

    private void tellWhereToGo(Path file, Path rows) {
        narrator.step("Next steps");
        narrator.tell("A cluster of processes, in one terminal:");
        narrator.tell("  " + Hint.sdds("up"));
        narrator.tell("In another terminal:");
        narrator.tell("  " + Hint.sdds("table create names --kind hash --capacity 5000"));
        narrator.tell("  " + Hint.sdds("load names " + file));
        narrator.tell("  " + Hint.sdds("get names U+01F418"));
        narrator.tell("  " + Hint.sdds("scan names --where \"value contains 'ELEPHANT'\""));
        narrator.tell("  " + Hint.sdds("table create ordered --kind range"));
        narrator.tell("  " + Hint.sdds("load ordered " + file));
        narrator.tell("  " + Hint.sdds("range ordered U+01F600 U+01F64F --reverse"));
        narrator.tell("  " + Hint.sdds("load characters " + rows + " --infer --yes"));
        narrator.tell("  "
                + Hint.sdds("scan characters --group-by block --select \"block, count(*) as n\" --order-by \"n desc\""
                        + " --limit 5"));
        narrator.tell("  "
                + Hint.sdds("sql \"SELECT script, COUNT(*) FROM characters GROUP BY script ORDER BY 2 DESC LIMIT 5\""));
        narrator.tell("  " + Hint.sdds("status --watch"));
        narrator.tell("  " + Hint.sdds("bench hash"));
        narrator.tell("All commands: " + Hint.sdds("help"));
    }

    private static double seconds(long nanos) {
        return Math.round(nanos / 1e6) / 1e3;
    }
}
