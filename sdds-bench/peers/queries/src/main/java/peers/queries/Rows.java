package peers.queries;

import java.util.SplittableRandom;

/** The rows of all stores: about 100 bytes each, in no order of their keys, the same in each run. */
final class Rows {
    private static final long SCATTER = 0x9E3779B97F4A7C15L;
    private static final int NOTE_LENGTH = 65;

    private Rows() {}

    /** A row. One percent of the rows have n below 100; part has 1,000 values. */
    record Row(long id, int n, long amount, int part, String note) {}

    interface Consumer {
        void accept(Row row) throws Exception;
    }

    static void each(int count, Consumer consumer) throws Exception {
        SplittableRandom random = new SplittableRandom(42);
        for (int k = 0; k < count; k++) {
            StringBuilder note = new StringBuilder(NOTE_LENGTH);
            for (int i = 0; i < NOTE_LENGTH; i++) {
                note.append((char) ('a' + random.nextInt(26)));
            }
            consumer.accept(new Row(
                    k * SCATTER,
                    random.nextInt(10_000),
                    random.nextLong(1_000_000_000),
                    random.nextInt(1_000),
                    note.toString()));
        }
    }
}
