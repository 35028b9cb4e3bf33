package io.sdds.cli.command.bench;

import io.sdds.bench.load.BenchResult;
import io.sdds.bench.load.GrowthSettings;
import io.sdds.bench.load.GrowthStalls;
import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.table.SplitOptions;
import io.sdds.client.SddsClient;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "growth",
        description = {
            "Measure how much the growth of a table slows requests to the table.",
            "Runs pairs of runs under paced load, half gets and half puts: one run on a table at rest, one run while"
                    + " the table splits. Reports the difference of the two p99.99 latencies."
        })
final class GrowthCommand extends Benchmark<GrowthSettings> {
    @Mixin
    private SplitOptions split = new SplitOptions();

    GrowthCommand(CommandContext context) {
        super(context, GrowthSettings.defaults());
    }

    @Override
    Map<String, Object> otherSettings() {
        return Map.of("split", split.policy());
    }

    @Override
    BenchResult run(GrowthSettings settings, ProgressLine progress) throws InterruptedException {
        try (SddsClient client = connect(0, settings.valueBytes())) {
            return GrowthStalls.run(cluster(client, "growth", progress), settings);
        }
    }
}
