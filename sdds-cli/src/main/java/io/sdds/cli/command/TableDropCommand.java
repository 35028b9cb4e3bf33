package io.sdds.cli.command;

import io.sdds.cli.quick.QuickClient;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "drop", description = "Drop a table with all its records.")
final class TableDropCommand implements Callable<Integer> {
    private final SddsCommand sdds;

    @Parameters(index = "0", paramLabel = "NAME")
    private String name = "";

    TableDropCommand(SddsCommand sdds) {
        this.sdds = sdds;
    }

    @Override
    public Integer call() {
        try (QuickClient client = new QuickClient(sdds.addresses(), sdds.timeout())) {
            client.await(connected -> connected.dropTableAsync(name));
        }
        sdds.result("dropped table " + name, Map.of("dropped", name));
        return CommandFailure.OK;
    }
}
