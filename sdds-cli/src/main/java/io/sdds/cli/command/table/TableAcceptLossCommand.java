package io.sdds.cli.command.table;

import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.connection.CommandClient;
import io.sdds.client.ClusterStatus;
import io.sdds.client.ProtocolException;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "accept-loss",
        description = "Give up the records of lost partitions. The partitions are empty afterwards.")
final class TableAcceptLossCommand implements Callable<Integer> {
    private final CommandContext context;

    @Parameters(index = "0", paramLabel = "NAME")
    private String name = "";

    @Option(
            names = "--yes-they-are-gone",
            description = "Confirm that the processes that held the lost partitions have ended.")
    private boolean gone;

    @Mixin
    private ConfirmationPrompt confirmation = new ConfirmationPrompt();

    TableAcceptLossCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        confirmation.require(
                context,
                "Give up the records of the lost partitions of table " + name + "?",
                "no records were given up");
        try (CommandClient client = new CommandClient(context.addresses(), context.timeout())) {
            requireLoss(client.await(connected -> connected.statusAsync(false)));
            client.await(connected -> connected.acceptLossAsync(name, gone));
        } catch (ProtocolException e) {
            throw gone ? e : CommandFailure.failed(e.getMessage() + ": --yes-they-are-gone", e);
        }
        context.result("lost partitions of table " + name + " are empty now", Map.of("accepted", name));
        return CommandFailure.OK;
    }

    private void requireLoss(ClusterStatus status) {
        boolean nothingLost =
                status.tables().stream().anyMatch(table -> table.name().equals(name) && table.lostPartitions() == 0);
        if (nothingLost) {
            throw CommandFailure.failed("table " + name + " has no lost partition, so nothing was given up; "
                    + "a partition counts as lost once a new process of its brick has registered");
        }
    }
}
