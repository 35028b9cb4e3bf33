package io.sdds.cli.command;

import io.sdds.cli.config.Quantities;
import io.sdds.core.model.Shipping;
import io.sdds.core.model.SplitControl;
import io.sdds.core.model.SplitPolicy;
import io.sdds.core.model.Splitting;
import java.util.Locale;
import picocli.CommandLine.Option;

/** How a table that is created splits; whatever isn't said is the default. */
final class SplitOptions {
    @Option(
            names = "--split",
            paramLabel = "dynamic|static",
            description =
                    "When the next partition splits: at a load that grows through a round of splits (dynamic), or at"
                            + " its capacity.")
    private SplitControl control = SplitPolicy.DEFAULT.control();

    @Option(
            names = "--splitting",
            paramLabel = "concurrent|atomic",
            description = "Experimental: what a partition does for its clients while it splits: everything, or nothing"
                    + " (they wait). Default: concurrent.")
    private Splitting splitting = SplitPolicy.DEFAULT.splitting();

    @Option(
            names = "--shipping",
            paramLabel = "bulk|individual",
            description = "Experimental: how the records of a split travel: in slices, or one by one. Default: bulk.")
    private Shipping shipping = SplitPolicy.DEFAULT.shipping();

    @Option(
            names = "--slice",
            paramLabel = "BYTES",
            description = "Experimental: records in a slice of bulk shipping, up to 256k. Default: 48k.")
    private String slice = Quantities.sizeText(SplitPolicy.SLICE_BYTES_DEFAULT);

    @Option(
            names = "--splits-at-once",
            paramLabel = "N",
            description =
                    "Experimental: how many splits may ship at the same time, up to 16. Default: ${DEFAULT-VALUE}.")
    private int atOnce = SplitPolicy.AT_ONCE_DEFAULT;

    SplitPolicy policy() {
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

    /** As arguments, for a report to repeat. */
    static String asTyped(SplitPolicy policy) {
        return String.format(
                Locale.ROOT,
                "--split %s --splitting %s --shipping %s --slice %s --splits-at-once %d",
                EnumNames.name(policy.control()),
                EnumNames.name(policy.splitting()),
                EnumNames.name(policy.shipping()),
                Quantities.sizeText(policy.sliceBytes()),
                policy.atOnce());
    }
}
