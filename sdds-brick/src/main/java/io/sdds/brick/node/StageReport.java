package io.sdds.brick.node;

import io.sdds.core.control.ControlMessage.BrickCounters;
import io.sdds.core.control.ControlMessage.MigrationReport;
import io.sdds.core.control.ControlMessage.Ranked;
import io.sdds.core.control.ControlMessage.SplitWanted;
import java.util.List;
import java.util.stream.Stream;

/** The part of a heartbeat that one stage provides, without the loads ({@link LoadList}). */
record StageReport(
        BrickCounters counters,
        List<SplitWanted> wanted,
        List<MigrationReport> migrations,
        List<Integer> missed,
        List<Ranked> ranked) {
    static final StageReport NOTHING = new StageReport(BrickCounters.NONE, List.of(), List.of(), List.of(), List.of());

    StageReport plus(StageReport other) {
        return new StageReport(
                counters.plus(other.counters),
                both(wanted, other.wanted),
                both(migrations, other.migrations),
                both(missed, other.missed),
                both(ranked, other.ranked));
    }

    private static <T> List<T> both(List<T> a, List<T> b) {
        return Stream.concat(a.stream(), b.stream()).toList();
    }
}
