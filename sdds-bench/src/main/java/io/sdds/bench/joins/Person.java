package io.sdds.bench.joins;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * A tuple of the paper, of about 25 bytes.
 *
 * @param ssn the key
 */
public record Person(long ssn, String name, String city) {
    /** Cities of the paper's experiment: a selectivity of 1.6 %. */
    public static final int CITIES = 62;

    /** Columns of a table of persons. */
    static final String SCHEMA = "ssn bigint key, name varchar not null, city varchar not null";

    private static final int NAME_LENGTH = 8;
    private static final long SEED = 19;

    /** Persons of random cities. Two calls return equal persons. */
    public static List<Person> some(int count, int cities) {
        SplittableRandom random = new SplittableRandom(SEED);
        List<Person> persons = new ArrayList<>(count);
        for (int k = 0; k < count; k++) {
            persons.add(new Person(k + 1, name(random), city(random.nextInt(cities))));
        }
        return persons;
    }

    /** No name of a person contains the name of a city, and no name of a city that of another. */
    static String city(int number) {
        return String.format(Locale.ROOT, "C%07d", number);
    }

    private static String name(SplittableRandom random) {
        StringBuilder name = new StringBuilder(NAME_LENGTH);
        for (int k = 0; k < NAME_LENGTH; k++) {
            name.append((char) ('a' + random.nextInt(26)));
        }
        return name.toString();
    }
}
