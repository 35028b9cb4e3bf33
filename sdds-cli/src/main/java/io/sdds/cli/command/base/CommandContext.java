package io.sdds.cli.command.base;

import static picocli.CommandLine.ScopeType.INHERIT;

import io.sdds.cli.format.Text;
import io.sdds.cli.terminal.Json;
import io.sdds.cli.terminal.Screen;
import io.sdds.cli.terminal.Style;
import io.sdds.core.node.NodeAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * {@code sdds} gives each command this context: the options that all commands share, the screen, and the report of
 * results and failures.
 */
public abstract class CommandContext {
    private static final String ADDRESSES_DEFAULT = "127.0.0.1:7400";
    private static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(5);

    private final Screen screen;

    @Option(
            names = "--connect",
            scope = INHERIT,
            paramLabel = "H:P[,H:P...]",
            description = "Name coordinators or bricks of the cluster. Default: SDDS_CONNECT, else " + ADDRESSES_DEFAULT
                    + ".")
    private @Nullable String connect;

    @Option(
            names = "--timeout",
            scope = INHERIT,
            paramLabel = "TIME",
            description = "Limit the wait for the cluster. Default: 5s.")
    private @Nullable Duration timeout;

    @Option(names = "--json", scope = INHERIT, description = "Print only one JSON document on stdout.")
    private boolean json;

    @Option(
            names = "--hex",
            scope = INHERIT,
            description = "Read and print keys and values as hexadecimal digits, not as UTF-8 text.")
    private boolean hex;

    @Option(names = "--verbose", scope = INHERIT, description = "Print the stack trace of errors.")
    private boolean verbose;

    @Option(
            names = {"-h", "--help"},
            scope = INHERIT,
            usageHelp = true,
            description = "Print the usage of the command.")
    @SuppressWarnings("UnusedVariable") // the parser reads the option
    private boolean help;

    private boolean documentBegun;

    protected CommandContext(Screen screen) {
        this.screen = screen;
    }

    // ---- the shared options

    public Screen screen() {
        return screen;
    }

    /** Addresses of coordinators or bricks of the cluster. */
    public List<String> addresses() {
        String environment = System.getenv("SDDS_CONNECT");
        String chosen = connect != null
                ? connect
                : environment != null && !environment.isBlank() ? environment : ADDRESSES_DEFAULT;
        return Stream.of(chosen.split(","))
                .map(String::trim)
                .map(CommandContext::checkedAddress)
                .toList();
    }

    /** Whether an option or the environment names the cluster. */
    public boolean addressGiven() {
        return connect != null || System.getenv("SDDS_CONNECT") != null;
    }

    public Duration timeout() {
        Duration chosen = timeoutGiven();
        return chosen == null ? TIMEOUT_DEFAULT : chosen;
    }

    /** The timeout that the user has set; null if there is none, so that a command without a time limit waits. */
    public @Nullable Duration timeoutGiven() {
        if (timeout != null && timeout.isZero()) {
            throw CommandFailure.usage("--timeout must be longer than 0");
        }
        return timeout;
    }

    public boolean json() {
        return json;
    }

    /** The notation of keys and values. */
    public Text text() {
        return new Text(hex);
    }

    /** Formats a key or value for output: as text, with escapes for other bytes, or as hexadecimal digits. */
    public String shown(byte[] bytes) {
        return text().print(bytes);
    }

    /** Prints a result: a line, or a JSON document. */
    public void result(String line, Map<String, ?> document) {
        if (json) {
            Json.print(screen.out(), document);
        } else {
            screen.out().println(line);
        }
    }

    /** The JSON document is being written. From now on its writer reports failures inside the document. */
    public void documentBegun() {
        documentBegun = true;
    }

    /** Prints a line about progress on stderr. */
    public void notice(String line) {
        screen.err().println(line);
    }

    private static String checkedAddress(String address) {
        try {
            return NodeAddress.parse(address).toString();
        } catch (IllegalArgumentException e) {
            throw CommandFailure.usage(e.getMessage() + "; name a coordinator or brick, such as " + ADDRESSES_DEFAULT);
        }
    }

    // ---- errors

    /** Reports the failure of a command, and returns the exit code. */
    public int onFailure(String command, Exception failure) {
        CommandFailure known = Errors.known(failure);
        if (known == null) {
            String line = "internal error: " + Objects.requireNonNullElse(failure.getMessage(), "no message")
                    + (verbose ? "" : "; --verbose prints the stack trace");
            return report(command, line, CommandFailure.FAILED, failure, json, verbose);
        }
        return known.line().isEmpty()
                ? known.exitCode()
                : report(command, known.line(), known.exitCode(), failure, json, verbose);
    }

    /** Prints the line of a failure, as a JSON document too when that is wanted, and returns the exit code. */
    public int report(String command, String what, int exitCode, Exception failure, boolean asJson, boolean withTrace) {
        screen.out().flush();
        String line = what.lines().findFirst().orElse(what);
        screen.err().println(command + ": " + Style.RED.on(line, screen.errIsTerminal() && screen.colour()));
        if (withTrace) {
            failure.printStackTrace(screen.err());
        }
        if (asJson && !documentBegun) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("error", line);
            document.put("exit_code", exitCode);
            Json.print(screen.out(), document);
        }
        return exitCode;
    }

    /** Sets the shared options in place of the parser. */
    public void share(
            @Nullable String addresses, @Nullable Duration time, boolean asJson, boolean asHex, boolean withTrace) {
        connect = addresses;
        timeout = time;
        json = asJson;
        hex = asHex;
        verbose = withTrace;
    }
}
