package io.sdds.bench.paper;

/** Remarks that the experiments of LH*RS (Moussa and Litwin 2002) share. */
final class RsNotes {
    /** Why times of the paper and ours do not compare. */
    static final String HARDWARE = "The paper had a machine for each partition, on Ethernet of 100 Mbit/s, and records"
            + " of 100 bytes. Compare ratios and shapes, not times.";

    private RsNotes() {}
}
