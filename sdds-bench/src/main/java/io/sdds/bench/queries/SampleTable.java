package io.sdds.bench.queries;

import io.sdds.bench.load.LoadCluster;
import io.sdds.bench.load.LoadProgress;
import io.sdds.bench.load.LoadProgress.Step;
import io.sdds.bench.load.SettledTable;
import io.sdds.client.Codec;
import io.sdds.client.SddsClient;
import io.sdds.client.Table;
import io.sdds.client.TableOptions;
import io.sdds.core.model.TableKind;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A table of rows of about 100 bytes, written in no order of keys.
 *
 * @param partitions number of partitions after the table has stopped to split
 */
record SampleTable(String name, TableKind kind, int rows, int partitions) {
    /** Number of different values of {@code part}. */
    static final int GROUPS = 1_000;

    /** A condition that one percent of the rows meet. */
    static final String ONE_PERCENT = "n < 100";

    private static final int N_MAX = 10_000;
    private static final long AMOUNT_MAX = 1_000_000_000;
    private static final String SCHEMA = "id bigint key, n integer not null, amount bigint not null,"
            + " part integer not null, note varchar not null";
    /** Key, header of the row and numbers take 35 bytes. */
    private static final int NOTE_LENGTH = 65;

    private static final int PARTITIONS = 8;
    private static final int PUT_AT_ONCE = 10_000;
    private static final long SEED = 42;
    /** An odd factor, so that no two rows have one key. */
    private static final long SCATTER = 0x9E3779B97F4A7C15L;

    /** The columns that are not in the key. */
    record Columns(int n, long amount, int part, String note) {}

    /** Creates a table and writes its rows. */
    static SampleTable create(LoadCluster cluster, String name, TableKind kind, int rows) throws InterruptedException {
        TableOptions options =
                TableOptions.capacity(Math.max(1, rows / PARTITIONS)).withSchema(SCHEMA);
        SddsClient client = cluster.client();
        Codec<Columns> columns = Codec.ofRecord(Columns.class);
        Table<Long, Columns> table = kind == TableKind.RANGE
                ? client.createRangeTable(name, options, Codec.int64(), columns)
                : client.createHashTable(name, options, Codec.int64(), columns);
        SplittableRandom random = new SplittableRandom(SEED);
        Map<Long, Columns> some = new HashMap<>();
        long began = System.nanoTime();
        for (int k = 0; k < rows; k++) {
            some.put(key(k), any(random));
            if (some.size() == PUT_AT_ONCE || k + 1 == rows) {
                table.putAll(some);
                some.clear();
                double seconds = (System.nanoTime() - began) / 1e9;
                cluster.listener().progressed(new LoadProgress(Step.PRELOAD, (k + 1.0) / rows, (k + 1) / seconds));
            }
        }
        return new SampleTable(name, kind, rows, SettledTable.partitions(client, name));
    }

    /** The key of a row, from 0 on. */
    static long key(int row) {
        return row * SCATTER;
    }

    private static Columns any(SplittableRandom random) {
        StringBuilder note = new StringBuilder(NOTE_LENGTH);
        for (int k = 0; k < NOTE_LENGTH; k++) {
            note.append((char) ('a' + random.nextInt(26)));
        }
        return new Columns(random.nextInt(N_MAX), random.nextLong(AMOUNT_MAX), random.nextInt(GROUPS), note.toString());
    }
}
