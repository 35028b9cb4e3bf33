package io.sdds.cli.command.bench;

import io.sdds.bench.load.BenchResult;
import io.sdds.bench.load.ClosedLoop;
import io.sdds.bench.load.Echo;
import io.sdds.bench.load.LoadSettings;
import io.sdds.cli.command.base.CommandContext;
import java.io.IOException;
import picocli.CommandLine.Command;

@Command(
        name = "echo",
        description = {
            "Send frames of the same sizes to a thread of this process, which answers at once.",
            "Measures the lower bound for bench hash. Needs no cluster."
        })
final class EchoCommand extends Benchmark<LoadSettings> {
    EchoCommand(CommandContext context) {
        super(context, LoadSettings.defaults(), "--keys", "--rate", "--history");
    }

    @Override
    BenchResult run(LoadSettings settings, ProgressLine progress) throws IOException, InterruptedException {
        try (Echo echo = Echo.open(settings.valueBytes())) {
            return ClosedLoop.run(settings, echo, progress);
        }
    }
}
