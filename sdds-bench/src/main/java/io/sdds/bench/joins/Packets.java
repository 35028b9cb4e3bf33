package io.sdds.bench.joins;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * The outer loop of the distributed nested loop (AMOS-SDDS, section 5.2), at the client: persons in packets, and the
 * couples that they make with the persons that a scan has found.
 */
final class Packets {
    /** Finds the persons of some cities, and passes on the key and the city of each. */
    interface Scan {
        void run(List<String> cities, BiConsumer<Long, String> found);
    }

    private Packets() {}

    /**
     * Joins persons with those that scans find.
     *
     * @param packet persons of a packet
     * @param sorted whether the cities of a packet are sorted
     */
    static Couples join(List<Person> outer, int packet, boolean sorted, Scan scan) {
        long[] result = new long[2];
        for (int from = 0; from < outer.size(); from += packet) {
            join(outer.subList(from, Math.min(outer.size(), from + packet)), sorted, scan, result);
        }
        return new Couples(result[0], result[1]);
    }

    private static void join(List<Person> packet, boolean sorted, Scan scan, long[] result) {
        Map<String, List<Person>> byCity = new HashMap<>();
        LinkedHashSet<String> cities = new LinkedHashSet<>();
        for (Person person : packet) {
            cities.add(person.city());
            byCity.computeIfAbsent(person.city(), city -> new ArrayList<>()).add(person);
        }
        List<String> sent = sorted ? cities.stream().sorted().toList() : List.copyOf(cities);
        scan.run(sent, (key, city) -> {
            for (Person person : byCity.getOrDefault(city, List.of())) {
                result[0]++;
                result[1] += Couples.mixed(person.ssn(), key);
            }
        });
    }
}
