package io.sdds.cli.command;

import io.sdds.cli.quick.QuickClient;
import io.sdds.cli.terminal.Hint;
import io.sdds.cli.terminal.Numbers;
import io.sdds.cli.terminal.Progress;
import io.sdds.client.ClusterStatus;
import io.sdds.client.TableInfo;
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
            "Change how many bricks a table with parity survives.",
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
            description = "Keep K parity partitions (1 to 4) for each M partitions. M stays what it is. Needs M + K"
                    + " bricks. With M,auto K is raised as the table grows, and never lowered.")
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
                "table " + name + " has " + TableText.protection(table.options()) + " and can lose "
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
            Parity before = TableText.named(name, status).options().parity();
            if (parity.columns() == before.columns() && parity.parities() > before.parities()) {
                TableText.requireBricks(
                        parity,
                        status.bricks().stream()
                                .filter(brick -> brick.up() && !brick.draining())
                                .count());
            }
            client.await(connected -> connected.alterParityAsync(name, parity));
        }
    }

    private TableInfo await(long beganNanos) throws InterruptedException {
        TableInfo table = look(sdds.timeout());
        long obstacleNanos = beganNanos;
        int first = table.health().missingParities();
        try (Progress progress = new Progress(sdds.screen(), name, 0, System::nanoTime)) {
            while (table.health().missingParities() > 0) {
                long now = System.nanoTime();
                obstacleNanos = table.health().lacksSpare() ? obstacleNanos : now;
                if (now - obstacleNanos > sdds.timeout().toNanos()) {
                    throw CommandFailure.failed("no brick is up that can take " + left(table) + " of table " + name
                            + ": start another brick; " + nextSteps());
                }
                Duration left = left(beganNanos, table);
                first = Math.max(first, table.health().missingParities());
                progress.at(
                        1 - (double) table.health().missingParities() / first,
                        left(table) + (table.health().missingParities() == 1 ? " is" : " are") + " left to build");
                Thread.sleep(LOOK_MILLIS);
                table = look(left == null ? sdds.timeout() : left);
            }
        }
        return table;
    }

    /** Returns the time left until the deadline; null if there is no deadline. */
    private @Nullable Duration left(long beganNanos, TableInfo table) {
        Duration given = sdds.timeoutGiven();
        if (given == null) {
            return null;
        }
        Duration left = given.minusNanos(System.nanoTime() - beganNanos);
        if (left.isNegative() || left.isZero()) {
            throw CommandFailure.unreachable("table " + name + " still lacks " + left(table) + " after "
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
        int missing = table.health().missingParities();
        return (missing == 0 ? "" : "; " + left(table) + (missing == 1 ? " is" : " are") + " to be built")
                + (waiting.isEmpty() ? "" : "; " + waiting);
    }

    /** {@code 3 parities} */
    private static String left(TableInfo table) {
        int missing = table.health().missingParities();
        return Numbers.count(missing) + (missing == 1 ? " parity" : " parities");
    }
}
