package io.sdds.cli.command.cluster;

import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.connection.CommandClient;
import io.sdds.cli.terminal.Json;
import io.sdds.cli.terminal.Numbers;
import io.sdds.cli.terminal.TextTable;
import io.sdds.client.ClusterStatus;
import io.sdds.client.ClusterStatus.BrickStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(description = "List the bricks, with counters of each brick.")
public final class BrickListCommand implements Callable<Integer> {
    private final CommandContext context;

    public BrickListCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        ClusterStatus status;
        try (CommandClient client = new CommandClient(context.addresses(), context.timeout())) {
            status = client.await(connected -> connected.statusAsync(false));
        }
        if (context.json()) {
            Json.print(
                    context.screen().out(),
                    Map.of(
                            "bricks",
                            ClusterText.sorted(status.bricks()).stream()
                                    .map(ClusterText::brick)
                                    .toList()));
            return CommandFailure.OK;
        }
        boolean hasWeights = ClusterText.hasWeights(status);
        List<String> headings = new ArrayList<>(
                List.of("BRICK", "STATE", "ADDRESS", "OPERATIONS", "FORWARDS", "ADJUSTMENTS", "REFUSED"));
        if (hasWeights) {
            headings.add("WEIGHT");
        }
        TextTable table = new TextTable(3, headings.toArray(new String[0]));
        for (BrickStatus brick : ClusterText.sorted(status.bricks())) {
            List<String> cells = new ArrayList<>(List.of(
                    brick.id(),
                    ClusterText.state(brick),
                    brick.address(),
                    Numbers.count(brick.operations()),
                    Numbers.count(brick.addressingForwards()),
                    Numbers.count(brick.adjustments()),
                    Numbers.count(brick.refused())));
            if (hasWeights) {
                cells.add(ClusterText.weight(brick));
            }
            table.row(cells.toArray(new String[0]));
        }
        table.lines().forEach(context.screen().out()::println);
        return CommandFailure.OK;
    }
}
