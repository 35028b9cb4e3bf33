package io.sdds.cli.command.bench;

import picocli.CommandLine.Option;

/** The option for the length of the values that a load writes. */
final class ValueOption {
    @Option(
            names = "--value",
            paramLabel = "BYTES",
            description = "Set the length of a value. Default: ${DEFAULT-VALUE}.")
    private String value = "150";

    int bytes() {
        return BenchCommand.bytes(value);
    }
}
