package io.sdds.cli.config;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses and formats sizes and times, such as {@code 64m} and {@code 250ms}. */
public final class Quantities {
    private static final Pattern SIZE = Pattern.compile("(\\d{1,18})([kmgt]?)");
    private static final Pattern TIME = Pattern.compile("(\\d{1,15})(ms|s|m|h|d)");
    private static final String UNITS = "kmgt";

    /** The longest time: a hundred years, which fit into nanoseconds and are the longest time to live. */
    private static final Duration TIME_MAX = Duration.ofDays(36_500);

    private Quantities() {}

    /** Parses a number of bytes, with an optional unit k, m, g or t, each 1024 times the previous unit. */
    public static long size(String text) {
        Matcher matcher = SIZE.matcher(text.toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a size such as 512k, 64m or 2g");
        }
        int shift = 10 * (UNITS.indexOf(matcher.group(2)) + (matcher.group(2).isEmpty() ? 0 : 1));
        long number = Long.parseLong(matcher.group(1));
        if (number > Long.MAX_VALUE >> shift) {
            throw new IllegalArgumentException("size '" + text + "' is too large");
        }
        return number << shift;
    }

    /** Whether a text is a number with a unit, and so a size. */
    public static boolean hasUnit(String text) {
        return !text.isEmpty() && UNITS.indexOf(Character.toLowerCase(text.charAt(text.length() - 1))) >= 0;
    }

    /** Parses a time, up to 36500 days: a number with the unit ms, s, m, h or d. */
    public static Duration time(String text) {
        Matcher matcher = TIME.matcher(text.toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a time such as 250ms, 5s or 10m");
        }
        ChronoUnit unit = switch (matcher.group(2)) {
            case "ms" -> ChronoUnit.MILLIS;
            case "s" -> ChronoUnit.SECONDS;
            case "m" -> ChronoUnit.MINUTES;
            case "h" -> ChronoUnit.HOURS;
            default -> ChronoUnit.DAYS;
        };
        long number = Long.parseLong(matcher.group(1));
        if (number > TIME_MAX.toMillis() / unit.getDuration().toMillis()) {
            throw new IllegalArgumentException("time '" + text + "' is too long: at most " + TIME_MAX.toDays() + "d");
        }
        return Duration.of(number, unit);
    }

    /** Formats a time in the largest unit that fits: ms, s or m. */
    static String timeText(Duration time) {
        long millis = time.toMillis();
        if (millis % 1000 != 0) {
            return millis + "ms";
        }
        return millis != 0 && millis % 60_000 == 0 ? time.toMinutes() + "m" : time.toSeconds() + "s";
    }

    /** Formats a number of bytes for a file, in the largest unit that fits. */
    public static String sizeText(long bytes) {
        int unit = 0;
        long number = bytes;
        while (number != 0 && number % 1024 == 0 && unit < UNITS.length()) {
            number /= 1024;
            unit++;
        }
        return unit == 0 ? Long.toString(number) : number + String.valueOf(UNITS.charAt(unit - 1));
    }
}
