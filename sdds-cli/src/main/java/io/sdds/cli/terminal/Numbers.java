package io.sdds.cli.terminal;

import java.util.Locale;

/** Formats numbers for people. */
public final class Numbers {
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};

    private Numbers() {}

    /** {@code 149,813} */
    public static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** {@code 3.4 MiB} */
    public static String bytes(long bytes) {
        int unit = 0;
        double amount = bytes;
        while (amount >= 1024 && unit < UNITS.length - 1) {
            amount /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, unit == 0 || amount >= 100 ? "%.0f %s" : "%.1f %s", amount, UNITS[unit]);
    }

    /** {@code 1 record}, {@code 2 records} */
    public static String plural(long number, String noun) {
        return count(number) + " " + noun + (number == 1 ? "" : "s");
    }

    /** {@code 85 µs}, {@code 1.2 ms}, {@code 3.4 s}, {@code 2 min 5 s} */
    public static String duration(long nanos) {
        if (nanos < 1_000_000) {
            return String.format(Locale.ROOT, "%.0f µs", nanos / 1e3);
        }
        if (nanos < 1_000_000_000) {
            return String.format(Locale.ROOT, nanos < 100_000_000 ? "%.1f ms" : "%.0f ms", nanos / 1e6);
        }
        long seconds = nanos / 1_000_000_000;
        return seconds < 120
                ? String.format(Locale.ROOT, "%.1f s", nanos / 1e9)
                : seconds / 60 + " min " + seconds % 60 + " s";
    }
}
