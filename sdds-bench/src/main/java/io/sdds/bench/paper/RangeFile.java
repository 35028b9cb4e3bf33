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

/** The range table of an experiment of RP*, on a cluster of a given number of bricks. Dropped at the end. */
final class RangeFile implements AutoCloseable {
    /** Length of a value, so that a record with its key of 16 bytes has 100 bytes. */
    static final int VALUE_BYTES = 84;

    /** Outstanding requests with flow control: the window of the paper. */
    static final int WINDOW = 10;

    /**
     * Outstanding requests without flow control. The clients of the paper had no limit; SDDS clients always have a
     * limit.
     */
    static final int WINDOW_OFF = 1000;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<String> addresses;
    private final String name;
    private final SddsClient owner;
    private final RangeTable<byte[], byte[]> table;
    private final Series series;
    private final int records;

    /** Routing and flow control of a client of the paper. */
    enum Way {
        C_FLOW("RP*C, flow control", Routing.IMAGE, true, true),
        C_EMPTY("RP*C, empty image", Routing.IMAGE, false, true),
        C_CORRECT("RP*C, correct image", Routing.IMAGE, false, false),
        N_FLOW("RP*N, flow control", Routing.MULTICAST, true, false),
        N("RP*N", Routing.MULTICAST, false, false),
        /** Routing without figures in the paper. */
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

    /** A client of the paper, with its image of the file. */
    record Client(SddsClient connection, RangeTable<byte[], byte[]> table) implements AutoCloseable {
        @Override
        public void close() {
            connection.close();
        }
    }

    /**
     * Creates an empty table.
     *
     * @param records upper limit of the number of records
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
                        .build()); // a brick that has just started refuses requests of a full window
        this.table = owner.createRangeTable(
                name, TableOptions.capacity(capacity).withRouting(routing), Codec.bytes(), Codec.bytes());
    }

    /** Creates a table with all records, whose partitions are spread over the bricks. */
    static RangeFile filled(Testbed testbed, int bricks, int records) throws InterruptedException {
        return filled(testbed, bricks, records, Routing.IMAGE);
    }

    /** Creates a table with all records and with an index of its partitions. */
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

    /** Waits until no partition splits. */
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
