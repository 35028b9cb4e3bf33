package io.sdds.cli.command.table;

import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.connection.CommandClient;
import io.sdds.cli.terminal.Hint;
import io.sdds.cli.terminal.Numbers;
import io.sdds.cli.terminal.Progress;
import io.sdds.client.ClusterStatus;
import io.sdds.client.SddsClient;
import io.sdds.client.TableInfo;
import io.sdds.client.TableOptions;
import io.sdds.core.model.Parity;
import io.sdds.core.model.TableSpec;
import io.sdds.core.row.SchemaText;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "alter",
        description = {
            "Change how many bricks a table survives: the parities of a table with parity, or the copies of a table"
                    + " with replicas. Or convert a table from replicas to parity, or back. Or add a column to its"
                    + " schema, or drop one.",
            "The table serves clients meanwhile. The command waits until all parities or copies are there, or until"
                    + " --timeout."
        })
final class TableAlterCommand implements Callable<Integer> {
    /** Pause between two requests for the progress. */
    private static final long LOOK_MILLIS = 200;

    private final CommandContext context;

    @Parameters(index = "0", paramLabel = "NAME")
    private String name = "";

    @Option(
            names = "--parity",
            paramLabel = "M,K|M,auto",
            converter = ParityName.class,
            description =
                    "Keep K parity partitions (1 to 4) for each M partitions (2, 4, 8 or 16). M of a table with parity"
                            + " stays what it is. Needs M + K bricks. With M,auto K is raised as the table grows, and"
                            + " never lowered.")
    private Parity parity = Parity.NONE;

    @Option(
            names = "--min-parities",
            paramLabel = "N",
            description = "Refuse writes while a group of partitions has fewer parities, 0 to K. Alone or with"
                    + " --parity, which otherwise keeps the number.")
    private @Nullable Integer minParities;

    @Option(
            names = "--replicas",
            paramLabel = "N",
            description = "Keep N copies of each partition, 1 to 5, and no parity. A table with parity M,K needs N + K"
                    + " bricks for that.")
    private @Nullable Integer replicas;

    @Option(names = "--no-wait", description = "Do not wait until the parities or copies are there.")
    private boolean noWait;

    @Mixin
    private ColumnOptions columns = new ColumnOptions();

    TableAlterCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        checkUsage();
        if (columns.given() == 1) {
            return alterColumns();
        }
        long beganNanos = System.nanoTime();
        alter();
        TableInfo table = noWait || isAboutWritesAlone() ? look(context.timeout()) : await(beganNanos);
        if (!isAsAsked(table)) {
            throw CommandFailure.failed("table " + name + " was changed to " + protection(table) + " meanwhile");
        }
        context.result(
                "table " + name + " has " + protection(table) + " and can lose " + TableText.canLose(table.health())
                        + writes() + building(table),
                TableText.document(table));
        return CommandFailure.OK;
    }

    /** {@code ; it takes writes with at least 1 parity}, if that was asked for. */
    private String writes() {
        return minParities == null ? "" : "; it takes writes with at least " + TableText.parities(minParities);
    }

    private int alterColumns() {
        TableInfo table = columns.alter(context, name);
        context.result(
                "table " + name + " has version " + table.schema().version() + " of its schema: "
                        + SchemaText.print(table.schema()),
                TableText.document(table));
        return CommandFailure.OK;
    }

    private void checkUsage() {
        int given = (parity.isNone() ? 0 : 1) + (replicas == null ? 0 : 1) + columns.given();
        if (given != 1 && !isAboutWritesAlone()) {
            throw CommandFailure.usage("give one of --parity, --replicas, --add-column and --drop-column");
        }
        if (minParities != null && parity.isNone() && given > 0) {
            throw CommandFailure.usage("--min-parities: give it alone or with --parity");
        }
        String fault = replicas == null ? null : TableSpec.replicasFault(replicas, 1);
        if (fault != null) {
            throw CommandFailure.usage("--replicas: " + fault);
        }
    }

    /** Whether only the number of parities without which the table takes no writes is to change. */
    private boolean isAboutWritesAlone() {
        return minParities != null && parity.isNone() && replicas == null && columns.given() == 0;
    }

    /** {@code 3 replicas} or {@code parity 4,2}; as {@link TableText#protection} while the table is converted. */
    private static String protection(TableInfo table) {
        boolean hasCopies = table.options().parity().isNone() && !table.health().isConverting();
        return hasCopies ? Numbers.plural(table.options().replicas(), "replica") : TableText.protection(table);
    }

    private boolean isAsAsked(TableInfo table) {
        Parity found = table.options().parity();
        if (minParities != null && found.minParities() != minParities) {
            return false;
        }
        if (isAboutWritesAlone()) {
            return true;
        }
        if (replicas != null) {
            return table.options().replicas() == replicas
                    && (found.isNone() || table.health().convertsToReplicas());
        }
        return (found.withMinParities(parity.minAsked()).equals(parity) || parity.auto() && found.auto())
                && !table.health().convertsToReplicas();
    }

    private void alter() {
        try (CommandClient client = new CommandClient(context.addresses(), context.timeout())) {
            ClusterStatus status = client.await(connected -> connected.statusAsync(false));
            TableOptions options = TableText.named(name, status).options();
            long bricks = status.bricks().stream()
                    .filter(brick -> brick.up() && !brick.draining())
                    .count();
            requireBricks(options, bricks);
            client.await(this::alter);
        }
    }

    private CompletableFuture<Void> alter(SddsClient client) {
        Integer copies = replicas;
        Integer min = minParities;
        if (copies != null) {
            return client.alterReplicasAsync(name, copies);
        }
        if (parity.isNone()) {
            return client.alterMinParitiesAsync(name, min == null ? 0 : min);
        }
        return client.alterParityAsync(name, min == null ? parity : parity.withMinParities(min));
    }

    private void requireBricks(TableOptions options, long bricks) {
        Parity before = options.parity();
        if (isAboutWritesAlone()) {
            return;
        }
        if (replicas != null) {
            if (!before.isNone() || replicas > options.replicas()) {
                TableText.requireBricksForReplicas(options, replicas, bricks);
            }
        } else if (before.isNone()) {
            TableText.requireBricksToConvert(parity, options.replicas(), bricks);
        } else if (parity.columns() == before.columns() && parity.parities() > before.parities()) {
            TableText.requireBricks(parity, bricks);
        }
    }

    private TableInfo await(long beganNanos) throws InterruptedException {
        TableInfo table = look(context.timeout());
        long obstacleNanos = beganNanos;
        int first = toDo(table);
        try (Progress progress = new Progress(context.screen(), name, 0, System::nanoTime)) {
            while (!isDone(table)) {
                long now = System.nanoTime();
                String obstacle = obstacle(table);
                obstacleNanos = obstacle.isEmpty() ? now : obstacleNanos;
                if (now - obstacleNanos > context.timeout().toNanos()) {
                    throw CommandFailure.failed(obstacle + "; " + nextSteps());
                }
                Duration left = left(beganNanos, table);
                first = Math.max(first, toDo(table));
                progress.at(done(table, first), left(table));
                Thread.sleep(LOOK_MILLIS);
                table = look(left == null ? context.timeout() : left);
            }
        }
        return table;
    }

    private boolean isDone(TableInfo table) {
        return toDo(table) == 0 && !table.health().isConverting();
    }

    /** The number of parities to build, or of copies to make and to give up. */
    private int toDo(TableInfo table) {
        TableInfo.Health health = table.health();
        return replicas == null ? health.missingParities() : health.missingCopies() + health.extraCopies();
    }

    /** The fraction of the work that is done: of a conversion to parity groups, else parities or copies. */
    private double done(TableInfo table, int first) {
        TableInfo.Health health = table.health();
        if (health.isConverting() && (replicas == null || first == 0)) {
            return (double) health.groupsConverted() / (health.groupsConverted() + health.groupsToConvert());
        }
        return 1 - (double) toDo(table) / first;
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
        Duration given = context.timeoutGiven();
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
        return (replicas == null ? "the parities are built" : "the copies are made")
                + " as soon as possible; to see the progress, run "
                + Hint.sdds("table describe " + name);
    }

    private TableInfo look(Duration timeout) {
        try (CommandClient client = new CommandClient(context.addresses(), timeout)) {
            return TableText.named(name, client.await(connected -> connected.statusAsync(false)));
        }
    }

    private String building(TableInfo table) {
        String waiting = TableText.waiting(table);
        return (isDone(table) ? "" : "; " + left(table)) + (waiting.isEmpty() ? "" : "; " + waiting);
    }

    /** {@code 1 parity is left to build}, {@code 2 copies are left to make}, {@code 3 groups are left to convert} */
    private String left(TableInfo table) {
        TableInfo.Health health = table.health();
        int groups = health.groupsToConvert();
        if (replicas != null && health.missingCopies() > 0) {
            return left(health.missingCopies(), "copy", "copies", "make");
        }
        if (groups > 0) {
            return left(groups, "group", "groups", "convert");
        }
        return replicas != null
                ? left(health.extraCopies(), "copy", "copies", "give up")
                : left(health.missingParities(), "parity", "parities", "build");
    }

    private static String left(int count, String one, String more, String work) {
        return Numbers.count(count) + " " + (count == 1 ? one + " is" : more + " are") + " left to " + work;
    }

    /** {@code 3 parities} */
    private static String missing(TableInfo table) {
        int missing = table.health().missingParities();
        return Numbers.count(missing) + (missing == 1 ? " parity" : " parities");
    }
}
