package io.sdds.cli.command.table;

import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.config.Quantities;
import io.sdds.cli.connection.CommandClient;
import io.sdds.client.ClusterStatus;
import io.sdds.client.ClusterStatus.BrickStatus;
import io.sdds.client.Codec;
import io.sdds.client.SddsClient;
import io.sdds.client.SddsException;
import io.sdds.client.Table;
import io.sdds.client.TableOptions;
import io.sdds.client.UnavailableException;
import io.sdds.core.model.Parity;
import io.sdds.core.model.Routing;
import io.sdds.core.model.TableKind;
import io.sdds.core.row.SchemaText;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "create", description = "Create a table. A table grows with its records.")
final class TableCreateCommand implements Callable<Integer> {
    /** For the reason of a failure. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final CommandContext context;

    @Parameters(index = "0", paramLabel = "NAME", description = "1 to 128 of A-Z a-z 0-9 . _ -")
    private String name = "";

    @Option(
            names = "--kind",
            paramLabel = "hash|range",
            description = "Set the kind of the table: hash, or range for keys in order.")
    private TableKind kind = TableKind.HASH;

    @Option(
            names = "--routing",
            paramLabel = "image|image+multicast|multicast|index",
            converter = RoutingName.class,
            description = "Set how clients find the partition of a key in a range table. Default: image.")
    private Routing routing = Routing.IMAGE;

    @Option(
            names = "--capacity",
            split = ",",
            paramLabel = "RECORDS|64m",
            description =
                    "Set the capacity of a partition, in records or bytes. With both, the first limit reached counts."
                            + " Default: 64m.")
    private List<String> capacities = List.of();

    @Mixin
    private SplitOptions split = new SplitOptions();

    @Mixin
    private ReplicaOptions replicas = new ReplicaOptions();

    @Option(
            names = "--ttl",
            paramLabel = "10m",
            description = "Set the time to live of records. A write may set another time to live.")
    private Duration ttl = Duration.ZERO;

    @Option(
            names = "--schema",
            paramLabel = "'COLUMN TYPE [key] [not null] [default V], ...'",
            description =
                    "Give the table typed columns. The key columns make the key of a record, the others its value."
                            + " Types: boolean, integer, bigint, double, decimal(p,s), varchar, varbinary, date, time,"
                            + " timestamp, uuid. Default: keys and values are bytes.")
    private @Nullable String schema;

    TableCreateCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        TableText.checkName(name);
        if (kind == TableKind.HASH && routing != Routing.IMAGE) {
            throw CommandFailure.usage("--routing: only range tables have a routing; add --kind range");
        }
        TableOptions options =
                withSchema(replicas.of(options().withTimeToLive(ttl)).withRouting(routing));
        create(options);
        context.result(
                "created table " + name + ": " + kind.name().toLowerCase(Locale.ROOT) + ", "
                        + TableText.capacity(options.capacityRecords(), options.capacityBytes()) + " a partition"
                        + TableText.copies(options)
                        + (ttl.isZero() ? "" : ", records live " + TableText.time(ttl.toMillis()))
                        + (schema == null ? "" : "; columns " + SchemaText.print(options.schema())),
                TableText.definition(name, kind, options));
        return CommandFailure.OK;
    }

    private TableOptions withSchema(TableOptions options) {
        try {
            return schema == null ? options : options.withSchema(schema);
        } catch (IllegalArgumentException e) {
            throw CommandFailure.usage("--schema: " + e.getMessage(), e);
        }
    }

    private void create(TableOptions options) {
        try (CommandClient client = new CommandClient(context.addresses(), context.timeout())) {
            if (bricksNeeded(options) > 1) {
                requireBricks(client, options, brick -> true);
            }
            client.await(connected -> create(connected, options));
        } catch (UnavailableException e) {
            try (CommandClient client = new CommandClient(context.addresses(), LOOK)) {
                requireBricks(client, options, brick -> brick.up() && !brick.draining());
            } catch (SddsException unknown) {
                e.addSuppressed(unknown);
            }
            throw e;
        }
    }

    private static int bricksNeeded(TableOptions options) {
        return Math.max(options.replicas(), options.parity().bricks());
    }

    /** @throws CommandFailure if the cluster has fewer usable bricks than a partition or its parity group needs */
    private static void requireBricks(CommandClient client, TableOptions options, Predicate<BrickStatus> usable) {
        ClusterStatus status = client.await(connected -> connected.statusAsync(false));
        long bricks = status.bricks().stream().filter(usable).count();
        Parity parity = options.parity();
        int copies = options.replicas();
        TableText.requireBricks(parity, bricks);
        if (bricks < copies) {
            throw CommandFailure.failed("not enough bricks: there " + (bricks == 1 ? "is " : "are ") + bricks + ", and "
                    + (copies == 1 ? "a partition needs one" : copies + " copies of a partition need " + copies)
                    + "; start more bricks" + (copies == 1 ? "" : ", or choose fewer --replicas"));
        }
    }

    private CompletableFuture<? extends Table<byte[], byte[]>> create(SddsClient connected, TableOptions options) {
        return kind == TableKind.RANGE
                ? connected.createRangeTableAsync(name, options, Codec.bytes(), Codec.bytes())
                : connected.createHashTableAsync(name, options, Codec.bytes(), Codec.bytes());
    }

    private TableOptions options() {
        TableOptions defaults = TableOptions.defaults();
        long records = 0;
        long bytes = 0;
        for (String capacity : capacities) {
            try {
                long amount = Quantities.size(capacity);
                if (amount == 0) {
                    throw new IllegalArgumentException("'" + capacity + "' is nothing");
                }
                bytes = Quantities.hasUnit(capacity) ? amount : bytes;
                records = Quantities.hasUnit(capacity) ? records : amount;
            } catch (IllegalArgumentException e) {
                throw CommandFailure.usage(
                        "--capacity: " + e.getMessage() + "; say records, such as 10000, or bytes, such as 64m", e);
            }
        }
        return capacities.isEmpty()
                ? defaults.withSplit(split.policy())
                : TableOptions.builder()
                        .capacityRecords(records)
                        .capacityBytes(bytes)
                        .split(split.policy())
                        .build();
    }
}
