package io.sdds.cli.command.trial;

import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.demo.Demo;
import io.sdds.cli.demo.Narrator;
import io.sdds.cli.terminal.Json;
import io.sdds.cli.terminal.Screen;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        description = "Show a cluster at work: a growing table, load, and a check.",
        footer = {
            "",
            "The cluster runs in this process and ends with the process. The demo's tables have one copy of each"
                    + " record. To see tables survive the loss of bricks, by copies or by parity, run: sdds chaos"
                    + " --seconds 60 --kill, or: sdds chaos --seconds 60 --kill --parity 4,2"
        })
public final class DemoCommand implements Callable<Integer> {
    private final CommandContext context;

    @Option(names = "--quick", description = "Run the demo in a few seconds.")
    private boolean quick;

    public DemoCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Screen screen = context.json()
                ? Screen.of(OutputStream.nullOutputStream(), OutputStream.nullOutputStream())
                : context.screen();
        Demo demo = new Demo(new Narrator(screen), quick ? Demo.Pace.QUICK : Demo.Pace.FULL);
        boolean holds = demo.run();
        if (context.json()) {
            Json.print(context.screen().out(), demo.summary());
        }
        return holds ? CommandFailure.OK : CommandFailure.FAILED;
    }
}
