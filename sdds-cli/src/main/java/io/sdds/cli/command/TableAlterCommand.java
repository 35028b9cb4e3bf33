package io.sdds.cli.command;

import io.sdds.cli.quick.QuickClient;
import io.sdds.cli.terminal.Hint;
import io.sdds.cli.terminal.Numbers;
import io.sdds.cli.terminal.Progress;
import io.sdds.client.ClusterStatus;
import io.sdds.client.TableInfo;
import io.sdds.client.TableOptions;
import io.sdds.core.model.Parity;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "alter",
        description = {
            "Change how many bricks a table with parity survives, or convert a table from replicas to parity.",
            "The table serves clients meanwhile. The command waits until all parities are built, or until --timeout."
        })
final class TableAlterCommand implements Callable<Integer> {
    /** Pause between two requests for the progress. */
    private static final long LOOK_MILLIS = 200;

    private final SddsCommand sdds;

    @Parameters(index = "0", paramLabel = "NAME")
    private String name = "";

    @Option(
            names = "--parity",
            paramLabel = "M,K|M,auto",
            required = true,
            converter = ParityName.class,
            description =
                    "Keep K parity partitions (1 to 4) for each M partitions (2, 4, 8 or 16). M of a table with parity"
                            + " stays what it is. Needs M + K bricks. With M,auto K is raised as the table grows, and"
                            + " never lowered.")
    private Parity parity = Parity.NONE;

    @Option(names = "--no-wait", description = "Do not wait until the parities are built.")
    private boolean noWait;

    TableAlterCommand(SddsCommand sdds) {
        this.sdds = sdds;
    }

    @Override
    public Integer call() throws InterruptedException {
        long beganNanos = System.nanoTime();
        alter();
        TableInfo table = noWait ? look(sdds.timeout()) : await(beganNanos);
        if (!isAsAsked(table.options().parity())) {
            throw CommandFailure.failed("the parity of table " + name + " was changed to "
                    + table.options().parity().text() + " meanwhile");
        }
        sdds.result(
                "table " + name + " has " + TableText.protection(table) + " and can lose "
                        + TableText.canLose(table.health()) + building(table),
                TableText.document(table));
        return CommandFailure.OK;
    }

    private boolean isAsAsked(Parity found) {
        return found.equals(parity) || parity.auto() && found.auto();
    }

    private void alter() {
        try (QuickClient client = new QuickClient(sdds.addresses(), sdds.timeout())) {
            ClusterStatus status = client.await(connected -> connected.statusAsync(false));
            TableOptions options = TableText.named(name, status).options();
            Parity before = options.parity();
            long bricks = status.bricks().stream()
                    .filter(brick -> brick.up() && !brick.draining())
                    .count();
            if (before.isNone()) {
                TableText.requireBricksToConvert(parity, options.replicas(), bricks);
            } else if (parity.columns() == before.columns() && parity.parities() > before.parities()) {
                TableText.requireBricks(parity, bricks);
            }
            client.await(connected -> connected.alterParityAsync(name, parity));
        }
    }

    private TableInfo await(long beganNanos) throws InterruptedException {
        TableInfo table = look(sdds.timeout());
        long obstacleNanos = beganNanos;
        int first = table.health().missingParities();
        try (Progress progress = new Progress(sdds.screen(), name, 0, System::nanoTime)) {
            while (!isDone(table)) {
                long now = System.nanoTime();
                String obstacle = obstacle(table);
                obstacleNanos = obstacle.isEmpty() ? now : obstacleNanos;
                if (now - obstacleNanos > sdds.timeout().toNanos()) {
                    throw CommandFailure.failed(obstacle + "; " + nextSteps());
                }
                Duration left = left(beganNanos, table);
                first = Math.max(first, table.health().missingParities());
                progress.at(done(table, first), left(table));
                Thread.sleep(LOOK_MILLIS);
                table = look(left == null ? sdds.timeout() : left);
            }
        }
        return table;
    }

    private static boolean isDone(TableInfo table) {
        return table.health().missingParities() == 0 && !table.health().isConverting();
    }

    /** The fraction of the work that is done: of a conversion groups, else parities. */
    private static double done(TableInfo table, int parities) {
        TableInfo.Health health = table.health();
        return health.isConverting()
                ? (double) health.groupsConverted() / (health.groupsConverted() + health.groupsToConvert())
                : 1 - (double) health.missingParities() / parities;
    }

    /** The reason why the work makes no progress; empty if there is none. */
    private String obstacle(TableInfo table) {
        if (!table.health().conversionObstacle().isEmpty()) {
            return "table " + name + ": " + table.health().conversionObstacle();
        }
        return table.health().lacksSpare()
                ? "no brick is up that can take " + missing(table) + " of table " + name + ": start another brick"
                : "";
    }

    /** Returns the time left until the deadline; null if there is no deadline. */
    private @Nullable Duration left(long beganNanos, TableInfo table) {
        Duration given = sdds.timeoutGiven();
        if (given == null) {
            return null;
        }
        Duration left = given.minusNanos(System.nanoTime() - beganNanos);
        if (left.isNegative() || left.isZero()) {
            throw CommandFailure.unreachable("table " + name + ": " + left(table) + " after "
                    + Numbers.duration(given.toNanos()) + "; " + nextSteps());
        }
        return left;
    }

    private String nextSteps() {
        return "the parities are built as soon as possible; to see the progress, run "
                + Hint.sdds("table describe " + name);
    }

    private TableInfo look(Duration timeout) {
        try (QuickClient client = new QuickClient(sdds.addresses(), timeout)) {
            return TableText.named(name, client.await(connected -> connected.statusAsync(false)));
        }
    }

    private static String building(TableInfo table) {
        String waiting = TableText.waiting(table);
        return (isDone(table) ? "" : "; " + left(table)) + (waiting.isEmpty() ? "" : "; " + waiting);
    }

    /** {@code 1 parity is left to build}, or {@code 3 groups are left to convert} */
    private static String left(TableInfo table) {
        int groups = table.health().groupsToConvert();
        boolean isOne = groups == 0 ? table.health().missingParities() == 1 : groups == 1;
        return (groups == 0 ? missing(table) : Numbers.plural(groups, "group"))
                + (isOne ? " is" : " are")
                + (groups == 0 ? " left to build" : " left to convert");
    }

    /** {@code 3 parities} */
    private static String missing(TableInfo table) {
        int missing = table.health().missingParities();
        return Numbers.count(missing) + (missing == 1 ? " parity" : " parities");
    }
}
