package io.sdds.cli.command.cluster;

import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.terminal.Hint;
import io.sdds.cli.terminal.Numbers;
import io.sdds.cli.terminal.Progress;
import io.sdds.client.DrainStatus;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        description = {
            "Move all partitions off a brick, so that its process can end.",
            "The partitions move to other bricks, and continue to serve clients. The command waits until the brick is"
                    + " empty, or until --timeout."
        })
public final class BrickDrainCommand implements Callable<Integer> {
    private final CommandContext context;

    @Parameters(index = "0", paramLabel = "ID", description = "Name of the brick.")
    private String id = "";

    @Option(names = "--cancel", description = "Cancel the drain. Partitions that have moved stay on other bricks.")
    private boolean cancel;

    public BrickDrainCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        Drain drain = new Drain(context.addresses(), id);
        if (cancel) {
            DrainStatus status = drain.cancel(context.timeout());
            context.result("brick " + id + " takes part again", document(status));
            return CommandFailure.OK;
        }
        DrainStatus done = await(drain);
        context.result(
                "brick " + id + " is drained: no partition is left on the brick, and its process can end",
                document(done));
        return CommandFailure.OK;
    }

    private DrainStatus await(Drain drain) throws InterruptedException {
        long beganNanos = System.nanoTime();
        long obstacleNanos = beganNanos;
        DrainStatus status = drain.begin(context.timeout());
        int first = status.partitionsLeft();
        try (Progress progress = new Progress(context.screen(), id, 0, System::nanoTime)) {
            while (!Drain.isDone(status)) {
                if (!status.draining()) {
                    throw CommandFailure.failed(
                            status.obstacle().isEmpty()
                                    ? "the drain of brick " + id + " was cancelled; " + left(status) + " are left on it"
                                    : status.obstacle());
                }
                long now = System.nanoTime();
                obstacleNanos = status.obstacle().isEmpty() ? now : obstacleNanos;
                if (now - obstacleNanos > context.timeout().toNanos()) {
                    throw CommandFailure.failed(status.obstacle() + "; " + nextSteps());
                }
                Duration left = left(beganNanos, status);
                first = Math.max(first, status.partitionsLeft());
                progress.at(1 - (double) status.partitionsLeft() / first, left(status));
                Thread.sleep(Drain.LOOK_MILLIS);
                status = drain.look(left == null ? context.timeout() : left);
            }
        }
        return status;
    }

    /** Returns the time left until the deadline; null if there is no deadline. */
    private @Nullable Duration left(long beganNanos, DrainStatus status) {
        Duration given = context.timeoutGiven();
        if (given == null) {
            return null;
        }
        Duration left = given.minusNanos(System.nanoTime() - beganNanos);
        if (left.isNegative() || left.isZero()) {
            throw CommandFailure.unreachable("brick " + id + " still holds " + left(status) + " after "
                    + Numbers.duration(given.toNanos()) + "; " + nextSteps());
        }
        return left;
    }

    private String nextSteps() {
        return "the drain continues; run the command again, or cancel the drain: "
                + Hint.sdds("brick-drain " + id + " --cancel");
    }

    /** {@code 12 copies of 4.0 MiB} */
    static String left(DrainStatus status) {
        return Numbers.count(status.partitionsLeft()) + (status.partitionsLeft() == 1 ? " copy" : " copies") + " of "
                + Numbers.bytes(status.bytesLeft());
    }

    private static Map<String, Object> document(DrainStatus status) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("brick", status.brick());
        document.put("draining", status.draining());
        document.put("partitions_left", status.partitionsLeft());
        document.put("bytes_left", status.bytesLeft());
        return document;
    }
}
