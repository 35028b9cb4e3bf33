package io.sdds.cli.command.cluster;

import io.sdds.brick.shell.BrickConfig;
import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.command.base.Errors;
import io.sdds.client.DrainStatus;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The shutdown of a brick on TERM: drains the brick, and ends the process when no partition is left on the brick. If
 * the drain is refused, the brick continues to serve.
 */
final class DrainingShutdown implements Runnable {
    private static final Duration ASK_TIMEOUT = Duration.ofSeconds(5);

    private final CommandContext context;
    private final BrickConfig brick;
    private final Runnable end;
    private final Drain drain;
    private String said = "";

    /** @param end ends the process */
    DrainingShutdown(CommandContext context, BrickConfig brick, Runnable end) {
        this.context = context;
        this.brick = brick;
        this.end = end;
        this.drain = new Drain(brick.coordinators(), brick.id());
    }

    @Override
    public void run() {
        String refused = drain();
        if (refused == null) {
            end.run();
        } else {
            say(refused + "; brick " + brick.id() + " continues to serve; a second TERM, or INT, stops it at once");
        }
    }

    /** Drains the brick. Returns the reason of a refusal, or null when no partition is left on the brick. */
    private @Nullable String drain() {
        try {
            DrainStatus status = drain.begin(ASK_TIMEOUT);
            if (!status.draining() && status.partitionsLeft() > 0) {
                return status.obstacle();
            }
            while (status.partitionsLeft() > 0) {
                say(
                        status.obstacle().isEmpty()
                                ? "draining brick " + brick.id()
                                        + " before the process ends; a second TERM stops the brick at once"
                                : status.obstacle() + "; waiting: a second TERM stops brick " + brick.id()
                                        + " at once");
                Thread.sleep(Drain.LOOK_MILLIS);
                status = lookPatiently(status);
                if (!status.draining()) {
                    return "the drain of brick " + brick.id() + " was cancelled";
                }
            }
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        } catch (RuntimeException e) {
            return line(e);
        }
    }

    /** Asks for the status of the drain. A failure is an obstacle, because coordinators may answer a later request. */
    private DrainStatus lookPatiently(DrainStatus before) {
        try {
            return drain.look(ASK_TIMEOUT);
        } catch (RuntimeException e) {
            return new DrainStatus(before.brick(), true, before.partitionsLeft(), before.bytesLeft(), line(e));
        }
    }

    private static String line(RuntimeException failure) {
        CommandFailure known = Errors.known(failure);
        return known == null ? failure.toString() : known.line();
    }

    private void say(String line) {
        if (!line.equals(said)) {
            said = line;
            context.notice("sdds brick: " + line);
        }
    }
}
