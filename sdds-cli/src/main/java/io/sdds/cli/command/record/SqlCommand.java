package io.sdds.cli.command.record;

import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.sql.SqlShell;
import io.sdds.cli.terminal.Hint;
import io.sdds.cli.terminal.Screen;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        description = "Run SQL: a statement, a script, or what you type at a prompt.",
        footer = {
            "",
            "Without a statement and a script it prompts on a terminal, and reads a script from stdin otherwise.",
            "  sdds sql \"SELECT COUNT(*) FROM names\"",
            "  sdds sql --csv --file report.sql > report.csv",
            "A statement ends with a semicolon. A script stops at the first statement that fails, with exit code 1.",
            "Rows come in columns with headings on a terminal, else with tabs between them, and \\N for NULL.",
            "--json prints an object for one statement as argument, else an array with an object for each statement.",
            "At the prompt, Ctrl-C cancels a statement, and \\? lists more commands."
        })
public final class SqlCommand implements Callable<Integer> {
    private static final String STDIN = "-";

    private final CommandContext context;

    @Parameters(arity = "0..*", paramLabel = "STATEMENT", description = "Run these statements.")
    private List<String> statements = List.of();

    @Option(
            names = {"-e", "--execute"},
            paramLabel = "STATEMENT",
            description = "Run this statement, like an argument.")
    private List<String> executed = List.of();

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description = "Run the statements of FILE; of stdin if it is -.")
    private @Nullable String file;

    @Option(names = "--csv", description = "Print rows as CSV with headings. NULL has no characters and no quotes.")
    private boolean csv;

    @Option(names = "--force", description = "Go on after a statement that fails. The exit code is 1 nevertheless.")
    private boolean force;

    public SqlCommand(CommandContext context) {
        this.context = context;
    }

    /** The command with one statement. */
    public static SqlCommand of(CommandContext context, String statement) {
        SqlCommand command = new SqlCommand(context);
        command.statements = List.of(statement);
        return command;
    }

    @Override
    public Integer call() throws IOException {
        List<String> arguments = new ArrayList<>(executed);
        arguments.addAll(statements);
        if (csv && context.json()) {
            throw CommandFailure.usage("--csv and --json are two formats: use only one of them");
        }
        if (file != null && !arguments.isEmpty()) {
            throw CommandFailure.usage("--file and a statement exclude each other: put the statement into the file");
        }
        Duration timeout = context.timeoutGiven();
        SqlShell shell = new SqlShell(
                this::connect,
                context.screen(),
                new SqlShell.Settings(context.json(), csv, force, timeout, context.text()));
        try {
            return run(shell, arguments);
        } catch (SQLException e) {
            throw failure(e);
        }
    }

    private int run(SqlShell shell, List<String> arguments) throws SQLException, IOException {
        Screen screen = context.screen();
        if (!arguments.isEmpty()) {
            return shell.run(arguments);
        }
        if (file != null && !file.equals(STDIN)) {
            try (InputStream script = Files.newInputStream(Path.of(file))) {
                return shell.run(script, file);
            }
        }
        boolean isPrompt = file == null && screen.inIsTerminal() && (screen.outIsTerminal() || screen.errIsTerminal());
        return isPrompt
                ? shell.prompt(String.join(",", context.addresses()), history())
                : shell.run(screen.in(), "stdin");
    }

    private java.sql.Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:sdds://" + String.join(",", context.addresses()), new Properties());
    }

    private static Path history() {
        return Path.of(System.getProperty("user.home", "."), ".sdds_history");
    }

    private static CommandFailure failure(SQLException failure) {
        String line = String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
        String state = String.valueOf(failure.getSQLState());
        return state.startsWith("08")
                ? CommandFailure.unreachable(line + "; is a cluster running? start one: " + Hint.sdds("up"), failure)
                : CommandFailure.failed(line, failure);
    }
}
