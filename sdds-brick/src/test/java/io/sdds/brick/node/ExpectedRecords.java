package io.sdds.brick.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;

/** The records that clients have written to a table, which the bricks must answer. The key of number k is "k" and k. */
final class ExpectedRecords {
    private final GrowthFixture cluster;
    private final Map<String, String> records = new TreeMap<>();

    ExpectedRecords(GrowthFixture cluster) {
        this.cluster = cluster;
    }

    /** Puts the keys of some numbers, each with a value that begins with a word. */
    void putAll(int from, int to, String value) {
        for (int k = from; k < to; k++) {
            cluster.put("k" + k, value + k);
            records.put("k" + k, value + k);
        }
    }

    void remove(int key) {
        cluster.remove("k" + key);
        records.remove("k" + key);
    }

    void checkAll() {
        records.forEach((key, value) -> assertThat(cluster.get(key)).as(key).isEqualTo(value));
    }
}
