package io.sdds.bench.paper;

import static io.sdds.bench.load.Report.format;
import static io.sdds.bench.paper.ExampleBuilds.known;
import static io.sdds.bench.paper.Panel.Axis.linear;

import io.sdds.bench.load.LoadException;
import io.sdds.bench.paper.Panel.Source;
import io.sdds.bench.paper.RangeFile.Way;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** Table 6 of RP*: a parallel range query for the whole file, with deterministic termination. */
final class RangeTimes extends Experiment {
    /** Microseconds a record, by servers. */
    static final double[] PAPER = {35, 21, 17, 14, 10};

    RangeTimes() {
        super("rp-6", "RP*, Table 6: range query times by servers");
    }

    @Override
    int steps(Scale scale) {
        return PAPER.length * 2;
    }

    @Override
    Findings run(Testbed testbed) throws InterruptedException {
        double[] image = new double[PAPER.length];
        double[] multicast = new double[PAPER.length];
        for (int k = 0; k < PAPER.length; k++) {
            try (RangeFile file =
                    RangeFile.filled(testbed, k + 1, testbed.scale().keys())) {
                image[k] = micros(testbed, file, Way.C_CORRECT);
                multicast[k] = micros(testbed, file, Way.N);
            }
        }
        Rows all = new Rows();
        for (int k = 0; k < PAPER.length; k++) {
            all.add("time of a record, RP*C, " + (k + 1) + " servers", "µs", PAPER[k], image[k]);
            all.add("time of a record, RP*N, " + (k + 1) + " servers", "µs", PAPER[k], multicast[k]);
        }
        int last = PAPER.length - 1;
        all.add("1 server over 5, RP*C", "×", PAPER[0] / PAPER[last], image[0] / image[last]);
        all.add("1 server over 5, RP*N", "×", PAPER[0] / PAPER[last], multicast[0] / multicast[last]);
        return findings(
                testbed,
                format(
                        "%,d records of %d bytes, all of them to one client, medians of %d",
                        testbed.scale().keys(),
                        RangeFile.VALUE_BYTES,
                        testbed.scale().repeats()),
                all,
                List.of(
                        Panel.of(
                                "SDDS",
                                linear("servers"),
                                linear("time of a record, µs"),
                                RpNotes.curve("RP*C", Source.OURS, image),
                                RpNotes.curve("RP*N", Source.OURS, multicast)),
                        Panel.of(
                                "paper",
                                linear("servers"),
                                linear("time of a record, µs"),
                                RpNotes.curve("both", Source.PAPER, PAPER))),
                List.of("RP*C: eight partitions at a time, as the image has them. RP*N: all bricks at once. The paper"
                        + " did the second for both. A server has several partitions."));
    }

    static double micros(Testbed testbed, RangeFile file, Way way) throws InterruptedException {
        try (RangeFile.Client client = file.client(way)) {
            all(client, file); // warms the code up
            double micros = known(testbed.medians(List.of(way), any -> all(client, file)), way);
            testbed.stepDone();
            return micros;
        }
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
