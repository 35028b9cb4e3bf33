package io.sdds.bench.joins;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** A nested loop in plain Java over arrays in memory, which compares each city with each. */
public final class NestedLoop {
    private final long[] keys;
    private final byte[][] cities;

    public NestedLoop(List<Person> persons) {
        keys = persons.stream().mapToLong(Person::ssn).toArray();
        cities = persons.stream()
                .map(person -> person.city().getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
    }

    /** Joins the persons with each other. */
    public Couples couples() {
        long count = 0;
        long sum = 0;
        for (int outer = 0; outer < keys.length; outer++) {
            byte[] city = cities[outer];
            for (int inner = 0; inner < keys.length; inner++) {
                if (Arrays.equals(city, cities[inner])) {
                    count++;
                    sum += Couples.mixed(keys[outer], keys[inner]);
                }
            }
        }
        return new Couples(count, sum);
    }
}
