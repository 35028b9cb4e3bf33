package io.sdds.cli.command.bench;

import io.sdds.core.model.TableKind;
import java.util.Locale;
import picocli.CommandLine.Option;

/** The option for the kind of the table that a load creates. */
final class KindOption {
    @Option(names = "--kind", paramLabel = "hash|range", description = "Set the kind of the table. Default: hash.")
    private TableKind kind = TableKind.HASH;

    TableKind kind() {
        return kind;
    }

    /** A kind as it is typed. */
    static String text(TableKind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }
}
