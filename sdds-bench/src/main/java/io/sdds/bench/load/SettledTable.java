package io.sdds.bench.load;

import io.sdds.client.SddsClient;
import io.sdds.client.TableInfo;
import java.util.concurrent.TimeUnit;

/** Waits for the splits of a table. */
public final class SettledTable {
    private static final long POLL_MILLIS = 100;
    private static final int SETTLED_POLLS = 8;
    private static final int POLLS_MAX = 300;

    private SettledTable() {}

    /** Waits until a table has stopped to split, half a minute at most. Returns the number of its partitions. */
    public static int partitions(SddsClient client, String name) throws InterruptedException {
        int known = partitionsNow(client, name);
        int same = 0;
        for (int k = 0; k < POLLS_MAX && same < SETTLED_POLLS; k++) {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            int now = partitionsNow(client, name);
            same = now == known ? same + 1 : 0;
            known = now;
        }
        return known;
    }

    static int partitionsNow(SddsClient client, String name) {
        return client.tables().stream()
                .filter(table -> table.name().equals(name))
                .mapToInt(TableInfo::partitions)
                .findFirst()
                .orElse(0);
    }
}
