package io.sdds.bench.paper;

import io.sdds.bench.load.Series;
import io.sdds.client.ClientSettings;
import io.sdds.client.Codec;
import io.sdds.client.RangeTable;
import io.sdds.client.SddsClient;
import io.sdds.client.TableOptions;
import io.sdds.core.model.Routing;
import java.time.Duration;
import java.util.List;

/** A range table that an experiment of RP* is about, on a cluster of so many bricks; dropped at the end. */
final class RangeFile implements AutoCloseable {
    /** 100 bytes a record with its key of 16. */
    static final int VALUE_BYTES = 84;

    /** Outstanding with flow control: the paper's window. */
    static final int WINDOW = 10;

    /** Outstanding without; the paper's clients had no bound, ours always have one. */
    static final int WINDOW_OFF = 1000;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<String> addresses;
    private final String name;
    private final SddsClient owner;
    private final RangeTable<byte[], byte[]> table;
    private final Series series;
    private final int records;

    /** How a client of the paper asks. */
    enum Way {
        C_FLOW("RP*C, flow control", Routing.IMAGE, true, true),
        C_EMPTY("RP*C, empty image", Routing.IMAGE, false, true),
        C_CORRECT("RP*C, correct image", Routing.IMAGE, false, false),
        N_FLOW("RP*N, flow control", Routing.MULTICAST, true, false),
        N("RP*N", Routing.MULTICAST, false, false),
        /** Of which the paper has no figures. */
        S("RP*S, empty image", Routing.INDEX, false, true);

        private final String text;
        private final Routing routing;
        private final boolean flowControl;
        private final boolean emptyImage;

        Way(String text, Routing routing, boolean flowControl, boolean emptyImage) {
            this.text = text;
            this.routing = routing;
            this.flowControl = flowControl;
            this.emptyImage = emptyImage;
        }

        String text() {
            return text;
        }

        private ClientSettings settings() {
            ClientSettings settings = ClientSettings.builder()
                    .name("paper")
                    .timeout(PATIENCE)
                    .routing(routing)
                    .windowRequests(flowControl ? WINDOW : WINDOW_OFF)
                    .build();
            return emptyImage
                    ? settings.toBuilder().learnByAdjustmentsOnly(true).build()
                    : settings;
        }
    }

    /** A client of the paper, with its view of a file. */
    record Client(SddsClient connection, RangeTable<byte[], byte[]> table) implements AutoCloseable {
        @Override
        public void close() {
            connection.close();
        }
    }

    /**
     * Creates it, empty.
     *
     * @param records that will be in it at most
     */
    RangeFile(Testbed testbed, int bricks, int capacity, int records) throws InterruptedException {
        this(testbed, bricks, capacity, records, Routing.IMAGE);
    }

    private RangeFile(Testbed testbed, int bricks, int capacity, int records, Routing routing)
            throws InterruptedException {
        this.addresses = testbed.cluster(bricks);
        this.name = testbed.tableName();
        this.records = records;
        this.series = new Series(records, VALUE_BYTES);
        this.owner = SddsClient.connect(
                addresses,
                ClientSettings.builder()
                        .name("paper")
                        .timeout(PATIENCE)
                        .routing(Routing.IMAGE)
                        .windowRequests(WINDOW_OFF)
                        .build()); // a brick that has just started refuses what a whole window brings
        this.table = owner.createRangeTable(
                name, TableOptions.capacity(capacity).withRouting(routing), Codec.bytes(), Codec.bytes());
    }

    /** One that has all its records, in partitions that are spread over the bricks. */
    static RangeFile filled(Testbed testbed, int bricks, int records) throws InterruptedException {
        return filled(testbed, bricks, records, Routing.IMAGE);
    }

    /** The same, with an index of its partitions. */
    static RangeFile indexed(Testbed testbed, int bricks, int records) throws InterruptedException {
        return filled(testbed, bricks, records, Routing.INDEX);
    }

    private static RangeFile filled(Testbed testbed, int bricks, int records, Routing routing)
            throws InterruptedException {
        int capacity = bricks == 1 ? 2 * records : Math.max(2, records / (2 * bricks));
        RangeFile file = new RangeFile(testbed, bricks, capacity, records, routing);
        file.series.insert(file.table, 0, records);
        file.awaitRest();
        return file;
    }

    int records() {
        return records;
    }

    Series series() {
        return series;
    }

    /** The table as a client without the paper's flow control has it. */
    RangeTable<byte[], byte[]> table() {
        return table;
    }

    /** A new client. */
    Client client(Way way) {
        SddsClient connection = SddsClient.connect(addresses, way.settings());
        return new Client(connection, connection.rangeTable(name, Codec.bytes(), Codec.bytes()));
    }

    int partitions() {
        return owner.tables().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow()
                .partitions();
    }

    /** Whether a split is under way. */
    boolean isSplitting() {
        return !owner.status(false).splits().isEmpty();
    }

    /** Waits until nothing splits. */
    void awaitRest() throws InterruptedException {
        int quiet = 0;
        while (quiet < 5) {
            quiet = isSplitting() ? 0 : quiet + 1;
            Thread.sleep(20);
        }
    }

    @Override
    public void close() {
        owner.dropTable(name);
        owner.close();
    }
}
