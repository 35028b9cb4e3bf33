package io.sdds.cli.config;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes and times as people write them: {@code 64m}, {@code 250ms}. */
public final class Quantities {
    private static final Pattern SIZE = Pattern.compile("(\\d{1,18})([kmgt]?)");
    private static final Pattern TIME = Pattern.compile("(\\d{1,15})(ms|s|m|h|d)");
    private static final String UNITS = "kmgt";

    private Quantities() {}

    /** Bytes: a number, or one with k, m, g or t, each 1024 times the one before. */
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

    /** Whether a number carries a unit, which makes it a size. */
    public static boolean hasUnit(String text) {
        return !text.isEmpty() && UNITS.indexOf(Character.toLowerCase(text.charAt(text.length() - 1))) >= 0;
    }

    /** A time: a number with ms, s, m, h or d. */
    public static Duration time(String text) {
        Matcher matcher = TIME.matcher(text.toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a time such as 250ms, 5s or 10m");
        }
        long number = Long.parseLong(matcher.group(1));
        try {
            return switch (matcher.group(2)) {
                case "ms" -> Duration.ofMillis(number);
                case "s" -> Duration.ofSeconds(number);
                case "m" -> Duration.ofMinutes(number);
                case "h" -> Duration.ofHours(number);
                default -> Duration.ofDays(number);
            };
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("time '" + text + "' is too long", e);
        }
    }

    /** A number of bytes the way it is written in files, in the largest unit that fits. */
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
