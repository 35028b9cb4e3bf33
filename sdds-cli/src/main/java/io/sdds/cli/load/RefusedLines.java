package io.sdds.cli.load;

import io.sdds.cli.format.RecordReader.Refused;
import io.sdds.cli.terminal.Numbers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Refused lines of a file. The first lines are reported one by one, the other lines are counted by reason. */
public final class RefusedLines {
    static final int REPORTED_MAX = 20;
    private static final int REASONS_MAX = 10;
    private static final String OTHER = "other reasons";

    private final Map<String, Long> more = new LinkedHashMap<>();
    private long count;

    /** Counts a line. Returns whether the line is one of the first, to be reported. */
    public boolean add(Refused line) {
        if (++count <= REPORTED_MAX) {
            return true;
        }
        boolean known = more.size() < REASONS_MAX || more.containsKey(line.reason());
        more.merge(known ? line.reason() : OTHER, 1L, Long::sum);
        return false;
    }

    public long count() {
        return count;
    }

    /** One text line for each reason of the lines that were only counted. */
    public List<String> summary() {
        List<String> lines = new ArrayList<>();
        more.forEach((reason, times) -> lines.add(Numbers.plural(times, "more line") + " refused: " + reason));
        return lines;
    }
}
