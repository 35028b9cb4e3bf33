package io.sdds.cli.command;

import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.core.protocol.Build;
import io.sdds.core.protocol.Limits;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(description = "Print the version.")
final class VersionCommand implements Callable<Integer> {
    private final CommandContext context;

    VersionCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("version", Build.version());
        document.put("build", Build.name());
        document.put("protocol", Limits.PROTOCOL_VERSION);
        document.put("java", Runtime.version().toString());
        context.result(
                "sdds " + Build.text() + " (protocol " + Limits.PROTOCOL_VERSION + ", Java " + Runtime.version() + ")",
                document);
        return CommandFailure.OK;
    }
}
