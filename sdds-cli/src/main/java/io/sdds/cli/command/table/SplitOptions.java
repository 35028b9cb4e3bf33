package io.sdds.cli.command.table;

import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.config.Quantities;
import io.sdds.core.model.Shipping;
import io.sdds.core.model.SplitControl;
import io.sdds.core.model.SplitPolicy;
import io.sdds.core.model.Splitting;
import picocli.CommandLine.Option;

/** Options for the splits of a new table. Options that are not set have their default. */
public final class SplitOptions {
    @Option(
            names = "--split",
            paramLabel = "dynamic|static",
            description =
                    "Choose when the next partition splits: at a load that grows during a round of splits (dynamic), or"
                            + " at its capacity (static).")
    private SplitControl control = SplitPolicy.DEFAULT.control();

    @Option(
            names = "--splitting",
            paramLabel = "concurrent|atomic",
            description =
                    "Experimental: choose whether a splitting partition serves clients (concurrent) or lets clients"
                            + " wait (atomic). Default: concurrent.")
    private Splitting splitting = SplitPolicy.DEFAULT.splitting();

    @Option(
            names = "--shipping",
            paramLabel = "bulk|individual",
            description = "Experimental: ship the records of a split in slices or one by one. Default: bulk.")
    private Shipping shipping = SplitPolicy.DEFAULT.shipping();

    @Option(
            names = "--slice",
            paramLabel = "BYTES",
            description = "Experimental: set the bytes of a slice of bulk shipping, up to 256k. Default: 48k.")
    private String slice = Quantities.sizeText(SplitPolicy.SLICE_BYTES_DEFAULT);

    @Option(
            names = "--splits-at-once",
            paramLabel = "N",
            description =
                    "Experimental: limit the splits that ship at the same time, up to 16. Default: ${DEFAULT-VALUE}.")
    private int atOnce = SplitPolicy.AT_ONCE_DEFAULT;

    public SplitPolicy policy() {
        SplitPolicy policy = new SplitPolicy(control, splitting, shipping, sliceBytes(), atOnce);
        String fault = policy.fault();
        if (fault != null) {
            throw CommandFailure.usage("--slice, --splits-at-once: " + fault);
        }
        return policy;
    }

    private int sliceBytes() {
        try {
            return (int) Math.min(Integer.MAX_VALUE, Quantities.size(slice));
        } catch (IllegalArgumentException e) {
            throw CommandFailure.usage("--slice: " + e.getMessage(), e);
        }
    }
}
