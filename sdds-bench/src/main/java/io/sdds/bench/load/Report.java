package io.sdds.bench.load;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The result of a benchmark for people: the command and the machine, then lines and tables. */
public final class Report {
    private final StringBuilder text = new StringBuilder();

    /** Begins a report with the command and the machine of a run. */
    public Report(String command, Machine machine) {
        line("command", "%s", command);
        line(
                "machine",
                "%d cores, %s, %s, load %.2f before the run",
                machine.cores(),
                machine.processor(),
                machine.operatingSystem(),
                machine.loadAverage());
        line(
                "client JVM",
                "%s, heap %,d MiB, %s",
                machine.jvm(),
                machine.heapBytesMax() >> 20,
                String.join(" ", machine.jvmOptions()));
    }

    /** Adds a line that begins with a name. */
    public void line(String name, String form, @Nullable Object... values) {
        add("%-12s %s%n", name, format(form, values));
    }

    /** Adds text. */
    public void add(String form, @Nullable Object... values) {
        text.append(format(form, values));
    }

    /** Formats values in the same way in all countries. */
    public static String format(String form, @Nullable Object... values) {
        return String.format(Locale.ROOT, form, values);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
