package io.sdds.bench.load;

import java.time.Duration;

/** Checks of settings. A failure is an {@link IllegalArgumentException} that names setting, value and range. */
public final class Settings {
    private Settings() {}

    public static void requireWithin(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " of " + value + " is not within " + least + " to " + most);
        }
    }

    /** Requires a warm-up that is not negative, and a positive duration. */
    public static void requireTimes(Duration warmup, Duration duration) {
        if (warmup.isNegative()) {
            throw new IllegalArgumentException("warmup of " + warmup.toMillis() + " ms is negative");
        }
        if (!duration.isPositive()) {
            throw new IllegalArgumentException("duration of " + duration.toMillis() + " ms is not positive");
        }
    }
}
