package io.sdds.bench.paper;

import io.sdds.bench.load.LoadException;
import io.sdds.bench.load.Median;
import io.sdds.bench.paper.Panel.Axis;
import io.sdds.bench.paper.Panel.Source;
import io.sdds.bench.paper.RangeFile.Way;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;

/** Table 6 of RP*: a parallel range query for the whole file, with deterministic termination. */
final class RangeTimes implements Experiment {
    /** Microseconds a record, by servers. */
    static final double[] PAPER = {35, 21, 17, 14, 10};

    @Override
    public String name() {
        return "rp-6";
    }

    @Override
    public String title() {
        return "RP*, Table 6: range query times by servers";
    }

    @Override
    public int steps(Scale scale) {
        return PAPER.length * 2;
    }

    @Override
    public Findings run(Testbed testbed) throws InterruptedException {
        double[] image = new double[PAPER.length];
        double[] multicast = new double[PAPER.length];
        for (int k = 0; k < PAPER.length; k++) {
            try (RangeFile file =
                    RangeFile.filled(testbed, k + 1, testbed.scale().keys())) {
                image[k] = micros(testbed, file, Way.C_CORRECT);
                multicast[k] = micros(testbed, file, Way.N);
            }
        }
        List<Comparison> all = new ArrayList<>();
        for (int k = 0; k < PAPER.length; k++) {
            all.add(Comparison.of("time of a record, RP*C, " + (k + 1) + " servers", "µs", PAPER[k], image[k]));
            all.add(Comparison.of("time of a record, RP*N, " + (k + 1) + " servers", "µs", PAPER[k], multicast[k]));
        }
        int last = PAPER.length - 1;
        all.add(Comparison.of("1 server over 5, RP*C", "×", PAPER[0] / PAPER[last], image[0] / image[last]));
        all.add(Comparison.of("1 server over 5, RP*N", "×", PAPER[0] / PAPER[last], multicast[0] / multicast[last]));
        return new Findings(
                name(),
                title(),
                testbed.setting(String.format(
                        Locale.ROOT,
                        "%,d records of %d bytes, all of them to one client, medians of %d",
                        testbed.scale().keys(),
                        RangeFile.VALUE_BYTES,
                        testbed.scale().repeats())),
                testbed.machine(),
                all,
                List.of(
                        new Panel(
                                "SDDS",
                                Axis.linear("servers"),
                                Axis.linear("time of a record, µs"),
                                List.of(
                                        RpNotes.curve("RP*C", Source.OURS, image),
                                        RpNotes.curve("RP*N", Source.OURS, multicast))),
                        new Panel(
                                "paper",
                                Axis.linear("servers"),
                                Axis.linear("time of a record, µs"),
                                List.of(RpNotes.curve("both", Source.PAPER, PAPER)))),
                List.of("RP*C: eight partitions at a time, as the image has them. RP*N: all bricks at once. The paper"
                        + " did the second for both. A server has several partitions."));
    }

    static double micros(Testbed testbed, RangeFile file, Way way) throws InterruptedException {
        double[] micros = new double[testbed.scale().repeats()];
        try (RangeFile.Client client = file.client(way)) {
            all(client, file); // warms the code up
            for (int k = 0; k < micros.length; k++) {
                micros[k] = all(client, file);
            }
        }
        testbed.stepDone();
        return Median.of(micros);
    }

    private static double all(RangeFile.Client client, RangeFile file) {
        LongAdder came = new LongAdder();
        long begin = System.nanoTime();
        client.table()
                .range()
                .forEachUnorderedAsync((key, value) -> came.increment())
                .join();
        double micros = (System.nanoTime() - begin) / 1e3 / file.records();
        if (came.sum() != file.records()) {
            throw new LoadException("a range query returned " + came.sum() + " of " + file.records() + " records");
        }
        return micros;
    }
}
