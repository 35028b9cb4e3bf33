package io.sdds.cli.command.trial;

import io.sdds.cli.chaos.Chaos;
import io.sdds.cli.chaos.RegisterLoad;
import io.sdds.cli.chaos.SideLoad;
import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.RangeTable;
import io.sdds.client.SddsClient;
import io.sdds.client.SddsException;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A client process of {@code sdds chaos}. Writes its events to standard output, and ends when standard input ends. */
@Command(hidden = true)
public final class ChaosClientCommand implements Callable<Integer> {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final CommandContext context;

    @Option(names = "--number", required = true)
    private int number;

    @Option(names = "--loops", required = true)
    private int loops;

    @Option(names = "--pause-micros", required = true)
    private long pauseMicros;

    @Option(names = "--keys", required = true)
    private int keys;

    @Option(names = "--keys-began", required = true)
    private long keysBeganNanos;

    public ChaosClientCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor();
        try (SddsClient client = SddsClient.connect(context.addresses()).withTimeout(CONNECT_TIMEOUT)) {
            SddsClient impatient = client.withTimeout(TIMEOUT);
            HashTable<String, String> table =
                    opened(() -> impatient.hashTable(Chaos.TABLE, Codec.utf8(), Codec.utf8()));
            RangeTable<String, String> range =
                    opened(() -> impatient.rangeTable(Chaos.RANGE_TABLE, Codec.utf8(), Codec.utf8()));
            RegisterLoad load = new RegisterLoad(
                    number,
                    table,
                    keysBeganNanos,
                    keys,
                    TimeUnit.MICROSECONDS.toNanos(pauseMicros),
                    timers,
                    this::print);
            SideLoad side = new SideLoad(number, table, range, keysBeganNanos, this::print);
            load.start(loops);
            side.start();
            while (System.in.read() >= 0) {
                // the input is ignored; only its end counts
            }
            load.stop();
            side.stop(TIMEOUT);
            timers.awaitTermination(2 * TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        }
        return CommandFailure.OK;
    }

    /** Retries the opening of a table, because a fault may outlast the timeout of a request. */
    private static <T> T opened(Supplier<T> once) {
        long beganNanos = System.nanoTime();
        while (true) {
            try {
                return once.get();
            } catch (SddsException e) {
                if (System.nanoTime() - beganNanos > CONNECT_TIMEOUT.toNanos()) {
                    throw e;
                }
            }
        }
    }

    /** Prints a line and flushes it, so that the line is out before the operation that it announces begins. */
    private synchronized void print(String line) {
        PrintStream out = context.screen().out();
        out.println(line);
        out.flush();
    }
}
