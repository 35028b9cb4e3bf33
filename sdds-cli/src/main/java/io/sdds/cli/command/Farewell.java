package io.sdds.cli.command;

import io.sdds.brick.shell.BrickConfig;
import io.sdds.client.DrainStatus;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What TERM does to a brick: it is drained, and its process ends when nothing is left on it. If that is refused it goes
 * on as before.
 */
final class Farewell implements Runnable {
    private static final Duration ASK_TIMEOUT = Duration.ofSeconds(5);

    private final SddsCommand sdds;
    private final BrickConfig brick;
    private final Runnable end;
    private final Drain drain;
    private String said = "";

    /** @param end ends the process */
    Farewell(SddsCommand sdds, BrickConfig brick, Runnable end) {
        this.sdds = sdds;
        this.brick = brick;
        this.end = end;
        this.drain = new Drain(brick.coordinators(), brick.id());
    }

    @Override
    public void run() {
        String refused = begin();
        if (refused == null) {
            end.run();
        } else {
            say(refused + "; brick " + brick.id() + " goes on serving: a second TERM, or INT, stops it at once");
        }
    }

    /** Empties the brick; why that is refused, or null when nothing is left. */
    private @Nullable String begin() {
        try {
            DrainStatus status = drain.begin(ASK_TIMEOUT);
            if (!status.draining() && status.partitionsLeft() > 0) {
                return status.obstacle();
            }
            while (status.partitionsLeft() > 0) {
                say(
                        status.obstacle().isEmpty()
                                ? "draining brick " + brick.id() + " before it ends; a second TERM stops it at once"
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

    /** Coordinators that don't answer now will later. */
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
            sdds.notice("sdds brick: " + line);
        }
    }
}
