package io.sdds.sim.load;

import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Keys of a long IN list. Its program has more than 4 KiB, so that it goes to a brick once, and the brick keeps it. The
 * lists are few, so that clients ask for programs that bricks have, that others have sent, or that were lost with their
 * processes.
 */
record KeptKeys(Set<String> keys) implements Predicate<String> {
    private static final int LISTS = 4;
    private static final int KEYS_EACH = 450;

    /** One of a few lists. */
    static KeptKeys drawn(SplittableRandom random) {
        int list = random.nextInt(LISTS);
        Set<String> keys = new TreeSet<>();
        for (int k = 0; k < KEYS_EACH; k++) {
            int number = k * LISTS + list;
            keys.add((k % 4 == 0 ? "ng" : "g") + number);
            keys.add("h" + number);
        }
        return new KeptKeys(keys);
    }

    /** The condition that a column is one of the keys. */
    String condition(String column) {
        return column + keys.stream().map(key -> "'" + key + "'").collect(Collectors.joining(", ", " in (", ")"));
    }

    @Override
    public boolean test(String key) {
        return keys.contains(key);
    }
}
