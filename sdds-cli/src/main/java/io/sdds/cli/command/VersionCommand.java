package io.sdds.cli.command;

import io.sdds.core.protocol.Limits;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(description = "Print the version.")
final class VersionCommand implements Callable<Integer> {
    private final SddsCommand sdds;

    VersionCommand(SddsCommand sdds) {
        this.sdds = sdds;
    }

    @Override
    public Integer call() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("version", version());
        document.put("protocol", Limits.PROTOCOL_VERSION);
        document.put("java", Runtime.version().toString());
        sdds.result(
                "sdds " + version() + " (protocol " + Limits.PROTOCOL_VERSION + ", Java " + Runtime.version() + ")",
                document);
        return CommandFailure.OK;
    }

    /** The version of the jar; classes outside a jar have no version. */
    static String version() {
        return Objects.requireNonNullElse(VersionCommand.class.getPackage().getImplementationVersion(), "development");
    }
}
