package io.sdds.cli.command.bench;

import io.sdds.bench.load.GrowthSettings;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.command.table.SplitOptions;
import io.sdds.cli.config.Quantities;
import io.sdds.core.model.TableSpec;
import java.util.Locale;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of {@code sdds bench growth}. */
final class GrowthOptions {
    @Mixin
    private KindOption kind = new KindOption();

    @Option(
            names = "--keys",
            paramLabel = "N",
            description = "Set the number of records before the growth. Default: ${DEFAULT-VALUE}.")
    private int keys = GrowthSettings.defaults().keys();

    @Option(
            names = "--factor",
            paramLabel = "N",
            description = "Set the factor by which the records grow. Default: ${DEFAULT-VALUE}.")
    private int factor = GrowthSettings.defaults().growth();

    @Option(
            names = "--capacity",
            paramLabel = "RECORDS",
            description =
                    "Set the capacity of a partition. A lower capacity causes more splits. Default: ${DEFAULT-VALUE}.")
    private long capacity = GrowthSettings.defaults().capacityRecords();

    @Mixin
    private ValueOption value = new ValueOption();

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Set the operations started a second. Default: half the rate of a closed loop.")
    private long rate;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            description = "Set the duration of each run. Default: ${DEFAULT-VALUE}.")
    private String duration = "10s";

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            description = "Set the warm-up time before the first run. Default: ${DEFAULT-VALUE}.")
    private String warmup = "10s";

    @Option(
            names = "--pairs",
            paramLabel = "N",
            description = "Set the number of pairs of runs. Default: ${DEFAULT-VALUE}.")
    private int pairs = GrowthSettings.defaults().pairs();

    @Option(
            names = "--table",
            paramLabel = "PREFIX",
            description = "Set the prefix of the table names. The command drops the tables. Default: ${DEFAULT-VALUE}.")
    private String table = GrowthSettings.defaults().table();

    @Option(
            names = "--replicas",
            paramLabel = "N",
            description = "Set the copies of each partition, 1 to 5. Default: ${DEFAULT-VALUE}.")
    private int replicas = GrowthSettings.defaults().replicas();

    @Mixin
    private SplitOptions split = new SplitOptions();

    GrowthSettings settings() {
        return new GrowthSettings(
                table,
                kind.kind(),
                keys,
                factor,
                capacity,
                split.policy(),
                value.bytes(),
                rate,
                Quantities.time(warmup),
                Quantities.time(duration),
                pairs,
                replicas());
    }

    private int replicas() {
        if (replicas < 1 || replicas > TableSpec.REPLICAS_MAX) {
            throw CommandFailure.usage("--replicas: '" + replicas + "' is not 1 to " + TableSpec.REPLICAS_MAX);
        }
        return replicas;
    }

    static String asTyped(GrowthSettings settings) {
        return String.format(
                Locale.ROOT,
                "--kind %s --keys %d --factor %d --capacity %d %s --value %d --rate %d --warmup %s --duration %s"
                        + " --pairs %d --table %s%s",
                KindOption.text(settings.kind()),
                settings.keys(),
                settings.growth(),
                settings.capacityRecords(),
                SplitOptions.asTyped(settings.split()),
                settings.valueBytes(),
                settings.ratePerSecond(),
                BenchCommand.time(settings.warmup()),
                BenchCommand.time(settings.duration()),
                settings.pairs(),
                settings.table(),
                settings.replicas() > 1 ? " --replicas " + settings.replicas() : "");
    }
}
