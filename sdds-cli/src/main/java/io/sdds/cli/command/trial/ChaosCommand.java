package io.sdds.cli.command.trial;

import io.sdds.cli.chaos.Chaos;
import io.sdds.cli.chaos.Chaos.Outcome;
import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.command.table.ParityName;
import io.sdds.cli.process.TemporaryDirectory;
import io.sdds.cli.terminal.ExitHook;
import io.sdds.cli.terminal.Json;
import io.sdds.cli.terminal.Numbers;
import io.sdds.cli.terminal.Progress;
import io.sdds.core.model.Parity;
import io.sdds.core.model.TableSpec;
import io.sdds.testkit.check.Operation;
import io.sdds.testkit.check.Violation;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        description = {
            "Run a checked load with faults on a new cluster.",
            "Kills, pauses and partitions coordinators, bricks and clients, one or several at once. A fault hits"
                + " bricks only if all acknowledged writes survive it. On a violation, prints the smallest history of"
                + " a key that no order of its operations explains, and exits with code 1."
        })
public final class ChaosCommand implements Callable<Integer> {
    private static final int SECONDS_MAX = 7 * 24 * 3600;
    private static final int BRICKS_MAX = 16;
    private static final int CLIENTS_MAX = 16;
    private static final int KEYS_MAX = 10_000;
    private static final int RATE_MAX = 20_000;
    private static final int CLIENTS = 3;
    private static final int KEYS = 64;
    private static final int RATE = 2_000;

    /** About half of what eight bricks with parity do on two cores. */
    private static final int PARITY_RATE = 500;

    private static final int BRICKS = 4;

    private final CommandContext context;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            required = true,
            description = "Set the duration of the run in seconds.")
    private int seconds;

    @Option(names = "--kill", description = "Kill processes as kill -9 does, and start them again.")
    private boolean kill;

    @Option(names = "--pause", description = "Pause processes for a time as kill -STOP does.")
    private boolean pause;

    @Option(
            names = "--partition",
            description = "Separate processes from the rest of the cluster, or bricks from each other, for a time.")
    private boolean partition;

    @Option(names = "--coordinators", paramLabel = "N", description = "1 or 3; ${DEFAULT-VALUE}.")
    private int coordinators = 3;

    @Option(
            names = "--bricks",
            paramLabel = "N",
            description = "Set the number of bricks. Default: 4, or with --parity M,K a brick for each of the M + K"
                    + " members of a group and K spares.")
    private @Nullable Integer bricks;

    @Option(
            names = "--clients",
            paramLabel = "N",
            description = "Set the number of client processes. Default: ${DEFAULT-VALUE}.")
    private int clients = CLIENTS;

    @Option(
            names = "--replicas",
            paramLabel = "N",
            description = "Set the copies of each partition. With one copy, no brick is killed. Default: 2, or 1 on one"
                    + " brick.")
    private @Nullable Integer replicas;

    @Option(
            names = "--parity",
            paramLabel = "M,K",
            converter = ParityName.class,
            description =
                    "Use tables with parity instead of copies; see: sdds table create --help. A fault hits at most as"
                        + " many bricks as each table can lose at that time, so up to K at once. Default: no parity.")
    private Parity parity = Parity.NONE;

    @Option(
            names = "--keys",
            paramLabel = "N",
            description = "Set the number of keys in use at a time. Default: ${DEFAULT-VALUE}.")
    private int keys = KEYS;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Limit the operations a second. Default: " + RATE + ", or " + PARITY_RATE + " with --parity,"
                    + " because more bricks share the processors.")
    private @Nullable Integer rate;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Set the seed for the choice of faults. Default: a random seed.")
    private @Nullable Long seed;

    @Option(names = "--history", paramLabel = "FILE", description = "Write each operation to FILE as a line of JSON.")
    private @Nullable Path history;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Set the directory of the processes, and keep it. Default: a temporary directory.")
    private @Nullable Path dir;

    public ChaosCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        check();
        TemporaryDirectory temporary = dir == null ? TemporaryDirectory.create("chaos") : null;
        Path directory = temporary == null ? emptyDirectory(Objects.requireNonNull(dir)) : temporary.path();
        long drawn = seed == null ? ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE) : seed;
        Outcome outcome;
        try (BufferedWriter file = history == null ? null : Files.newBufferedWriter(history);
                Chaos chaos = new Chaos(plan(directory.toAbsolutePath(), drawn, file));
                ExitHook atExit = new ExitHook(() -> end(chaos, temporary))) {
            outcome = run(chaos);
        }
        tell(outcome, drawn);
        if (outcome.isGood() && temporary != null) {
            temporary.close();
        } else {
            if (temporary != null) {
                temporary.keep();
            }
            context.notice("the logs are in " + directory + "/<id>/log");
        }
        return outcome.isGood() ? CommandFailure.OK : CommandFailure.FAILED;
    }

    /** Exit code of an interrupted run. */
    private static void end(Chaos chaos, @Nullable TemporaryDirectory temporary) {
        chaos.close();
        try {
            if (temporary != null) {
                temporary.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void check() {
        require("--seconds", seconds, 1, SECONDS_MAX);
        require("--bricks", bricks(), 1, BRICKS_MAX);
        require("--clients", clients, 1, CLIENTS_MAX);
        require("--replicas", replicas(), 1, Math.min(bricks(), TableSpec.REPLICAS_MAX));
        if (!parity.isNone() && replicas != null) {
            throw CommandFailure.usage("--parity: a table has parity or copies; leave out --replicas");
        }
        checkParity();
        require("--keys", keys, 1, KEYS_MAX);
        require("--rate", rate(), 1, RATE_MAX);
        if (coordinators != 1 && coordinators != 3) {
            throw CommandFailure.usage("--coordinators: '" + coordinators + "' is not 1 or 3");
        }
    }

    private void checkParity() {
        if (parity.auto()) {
            throw CommandFailure.usage("--parity: " + parity.asked() + " does not say how many bricks a table can lose;"
                    + " name K, such as " + parity.text());
        }
        if (parity.bricks() > BRICKS_MAX) {
            throw CommandFailure.usage("--parity: " + parity.text() + " needs " + parity.bricks() + " bricks, and a run"
                    + " has " + BRICKS_MAX + " at most");
        }
        if (bricks() < parity.bricks()) {
            throw CommandFailure.usage("--parity: " + parity.text() + " needs " + parity.bricks() + " bricks, and there"
                    + " are " + bricks() + "; add --bricks " + parity.bricks());
        }
    }

    private int bricks() {
        if (bricks != null) {
            return bricks;
        }
        return parity.isNone() ? BRICKS : Math.min(BRICKS_MAX, parity.bricks() + parity.parities());
    }

    private int rate() {
        if (rate != null) {
            return rate;
        }
        return parity.isNone() ? RATE : PARITY_RATE;
    }

    private int replicas() {
        if (replicas != null) {
            return replicas;
        }
        return parity.isNone() ? Math.min(2, bricks()) : 1;
    }

    private static Path emptyDirectory(Path wanted) throws IOException {
        Path made = Files.createDirectories(wanted);
        try (Stream<Path> inside = Files.list(made)) {
            if (inside.findAny().isPresent()) {
                throw CommandFailure.usage("--dir: " + wanted + " is not empty; each run begins a new cluster");
            }
        }
        return made;
    }

    private static void require(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw CommandFailure.usage(option + ": '" + value + "' is not " + least + " to " + most);
        }
    }

    private Chaos.Plan plan(Path directory, long drawn, @Nullable Appendable file) {
        return new Chaos.Plan(
                directory,
                coordinators,
                bricks(),
                clients,
                replicas(),
                parity,
                keys,
                rate(),
                seconds,
                kill,
                pause,
                partition,
                drawn,
                file);
    }

    private Outcome run(Chaos chaos) throws IOException, InterruptedException {
        try (Progress progress = new Progress(context.screen(), "chaos", 1, System::nanoTime)) {
            return chaos.run((done, operations) -> progress.at(done, Numbers.count(operations) + " operations"));
        }
    }

    // ---- output

    private void tell(Outcome outcome, long drawn) {
        if (context.json()) {
            Json.print(context.screen().out(), document(outcome, drawn));
            return;
        }
        PrintStream out = context.screen().out();
        outcome.faults().forEach(fault -> out.println("fault: " + fault));
        out.println(Numbers.count(outcome.operations()) + " operations by " + clients + " clients on " + coordinators
                + " coordinators and " + bricks() + " bricks, " + Numbers.count(outcome.refused()) + " refused, "
                + Numbers.count(outcome.unknown()) + " of unknown outcome");
        out.println(Numbers.plural(outcome.faults().size(), "fault") + ", seed " + drawn);
        out.println(Numbers.count(outcome.queries()) + " scans and ranges, " + Numbers.count(outcome.additions())
                + " additions to counters and " + Numbers.count(outcome.expiries()) + " expiries checked");
        out.println(Numbers.count(outcome.keysChecked()) + " keys checked in "
                + Numbers.duration(outcome.checkNanos()) + ": "
                + Numbers.plural(outcome.violations().size(), "violation") + ", " + outcome.writesLost()
                + " acknowledged writes lost");
        outcome.troubles().forEach(trouble -> out.println("wrong: " + trouble));
        outcome.violations().stream()
                .min(Comparator.comparingInt(violation -> violation.operations().size()))
                .ifPresent(out::println);
    }

    private Map<String, Object> document(Outcome outcome, long drawn) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("seconds", seconds);
        document.put("coordinators", coordinators);
        document.put("bricks", bricks());
        document.put("clients", clients);
        document.put("seed", drawn);
        document.put("operations", outcome.operations());
        document.put("refused", outcome.refused());
        document.put("unknown", outcome.unknown());
        document.put("queries_checked", outcome.queries());
        document.put("additions", outcome.additions());
        document.put("expiries_checked", outcome.expiries());
        document.put("keys_checked", outcome.keysChecked());
        document.put("check_ms", outcome.checkNanos() / 1_000_000);
        document.put("faults", outcome.faults());
        document.put("troubles", outcome.troubles());
        document.put("lost_writes", outcome.writesLost());
        document.put(
                "violations",
                outcome.violations().stream().map(ChaosCommand::document).toList());
        return document;
    }

    private static Map<String, Object> document(Violation violation) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("text", violation.text());
        document.put(
                "operations",
                violation.operations().stream().map(Operation::toString).toList());
        return document;
    }
}
