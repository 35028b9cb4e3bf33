package io.sdds.bench.paper;

import static io.sdds.bench.load.Report.format;

import io.sdds.bench.load.BuildResult;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The builds of the example table with different numbers of clients, for Figures 6, 7, 10 and 11 of LH*LH. */
record ExampleBuilds(Map<Integer, BuildResult> byClients) {
    /** Builds the tables that were not built before. */
    static ExampleBuilds by(List<Integer> clients, Testbed testbed) throws InterruptedException {
        Map<Integer, BuildResult> builds = new TreeMap<>();
        for (int each : clients) {
            builds.put(each, testbed.example(each));
        }
        return new ExampleBuilds(builds);
    }

    Map<Integer, Timeline> timelines() {
        Map<Integer, Timeline> lines = new TreeMap<>();
        byClients.forEach((clients, build) -> lines.put(clients, new Timeline(build)));
        return lines;
    }

    /** Description of the builds. */
    String load() {
        BuildResult any = byClients.values().iterator().next();
        int least = byClients.values().stream()
                .mapToInt(BuildResult::partitions)
                .min()
                .orElse(0);
        return load(any, least);
    }

    /** Description of a build. */
    static String load(BuildResult build, int partitions) {
        return format(
                "%,d inserts of %d bytes, one outstanding a client, %d partitions at the end",
                build.settings().records(), build.settings().valueBytes(), partitions);
    }

    /** The value of a key that must exist. */
    static <K, V> V known(Map<K, V> map, K key) {
        return Objects.requireNonNull(map.get(key));
    }

    /** {@code 1 client}, {@code 2 clients} */
    static String clients(int number) {
        return number + (number == 1 ? " client" : " clients");
    }
}
