package io.sdds.client.internal.routing;

import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.control.ControlMessage.BlockFetched;
import io.sdds.core.control.ControlMessage.FetchBlock;
import io.sdds.core.control.ControlMessage.FindTable;
import io.sdds.core.control.ControlMessage.TableFound;
import io.sdds.core.model.AddressBlock;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.Routing;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableMap;
import io.sdds.core.protocol.IndexRecord;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.row.Schema;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A table as this client addresses it: its definition, its image, and the blocks being fetched for it. */
public final class RoutedTable {
    private static final int LEVEL_MAX = LinearHashing.level(LinearHashing.PARTITIONS_MAX);
    private static final int FETCHES_MAX = 8;
    private static final long FETCH_INTERVAL_NANOS = 20_000_000;

    /**
     * Interval at which the client asks for the map's version while it reads a table of replica groups. A brick that
     * has joined a group answers reads too, and no reply tells of it.
     */
    private static final long MEMBERS_INTERVAL_NANOS = 1_000_000_000;

    private final ClientNode node;
    private volatile TableDefinition definition;
    private volatile Identity identity;
    private long foundVersion;
    private Image image;
    private Routing routing;

    /** Whether the client opens the table again by its name before it sends requests. */
    private boolean gone;

    /** Whether the table was of a cluster that the client has left. */
    private boolean ofLeftCluster;

    /** Blocks of partitions of replica groups that were read since the map's version was last looked up. */
    private final BitSet read = new BitSet();

    /** The map version of the table at which each block was fetched last. */
    private final Map<Integer, Long> knownAtVersion = new HashMap<>();

    private boolean looking;
    private long lookedNanos;

    /** Time at which each block was asked for last. */
    private final Map<Integer, Long> askedNanos = new LinkedHashMap<>();

    /** Blocks to fetch once the interval since the last fetch is over, or fewer fetches are under way. */
    private final Set<Integer> wanted = new LinkedHashSet<>();

    private int fetching;
    private long mapsHeard;

    /** Known number of address blocks of the table. */
    private int blocks;

    private int partitionsTold;

    /** The newest schema that a map has told. Any thread reads it. */
    private volatile Schema schema;

    /**
     * The table that this one stands for.
     *
     * @param generation the number of tables that this one has stood for before
     * @param id the number of the table in its cluster
     */
    public record Identity(int generation, int id) {}

    RoutedTable(ClientNode node, TableMap map) {
        this.node = node;
        this.definition = map.definition();
        this.identity = new Identity(0, definition.id());
        this.foundVersion = map.version();
        this.routing = routing(node.settings().routing());
        this.image = firstImage(map);
        this.blocks = blocksOf(map);
        this.partitionsTold = map.partitions();
        this.schema = definition.schema();
        this.lookedNanos = node.now();
    }

    /**
     * The routing of this table. A routing that only a later version knows is replaced by {@link Routing#IMAGE},
     * because every routing finds the records and only its speed differs.
     */
    private Routing routing(@Nullable Routing asked) {
        Routing defined = definition.spec().routing() == Routing.UNKNOWN
                ? Routing.IMAGE
                : definition.spec().routing();
        return asked == null || definition.kind() == TableKind.HASH || isIndex() ? defined : asked;
    }

    private Image firstImage(TableMap map) {
        boolean learnsSlowly = node.settings().learnsByAdjustmentsOnly() && !isIndex();
        if (definition.kind() == TableKind.RANGE) {
            return routing != Routing.IMAGE
                    ? RangeImage.blank(false)
                    : learnsSlowly ? RangeImage.blank(true) : new RangeImage();
        }
        return learnsSlowly ? TableImage.of(1, 0) : TableImage.of(map.partitions(), map.version());
    }

    /** Whether this table is the index of partitions, which is always routed as its definition says. */
    private boolean isIndex() {
        return definition.name().equals(IndexRecord.TABLE);
    }

    // ---- the table is made again

    /**
     * The table does not exist any more, or belongs to a cluster that was left. Another one may have its name.
     *
     * @param leftCluster whether the client has left the cluster of the table
     */
    void forget(boolean leftCluster) {
        ofLeftCluster |= leftCluster;
        if (!gone) {
            gone = true;
            wanted.clear();
            askedNanos.clear();
            knownAtVersion.clear();
            read.clear();
        }
    }

    /** Whether the client opens the table again by its name before it sends requests. */
    boolean isGone() {
        return gone;
    }

    /** Whether the table was of a cluster that the client has left. Tables of other clusters may have its number. */
    boolean isOfLeftCluster() {
        return ofLeftCluster;
    }

    /**
     * The table that this one stands for, which may be gone. What belongs to one identity is not used for another. Any
     * thread may call.
     */
    public Identity identity() {
        return identity;
    }

    /** The generation of the {@link #identity}. */
    int generation() {
        return identity.generation();
    }

    /** Whether a table that was found by this name can stand for the one that is gone. */
    boolean fits(TableMap map) {
        Schema found = map.definition().schema();
        return map.definition().kind() == definition.kind()
                && found.exists() == schema.exists()
                && (!found.exists() || found.liveColumns().equals(schema.liveColumns()));
    }

    /** This stands for the table that was found by its name from now on. */
    void become(TableMap map) {
        gone = false;
        ofLeftCluster = false;
        definition = map.definition();
        identity = new Identity(generation() + 1, definition.id());
        foundVersion = map.version();
        routing = routing(node.settings().routing());
        image = firstImage(map);
        blocks = blocksOf(map);
        partitionsTold = map.partitions();
        schema = definition.schema();
        lookedNanos = node.now();
        wantBlock(0, null);
        wantAllBricks();
    }

    public int id() {
        return identity.id();
    }

    public String name() {
        return definition.name();
    }

    /** The table as this client has found it. The numbers of its copies and its schema may have changed since. */
    public TableDefinition definition() {
        return definition;
    }

    /** The columns of the table, as far as this client has heard. Any thread may call. */
    public Schema schema() {
        return schema;
    }

    /** M', the number of partitions in this client's image. Called on the node's thread. */
    public int imagePartitions() {
        return image.partitions();
    }

    public ClientNode node() {
        return node;
    }

    Image image() {
        return image;
    }

    /** The image of a range table. */
    RangeImage ranges() {
        return (RangeImage) image;
    }

    /** Whether a request goes to all bricks of the table. */
    boolean multicasts(Request<?> request) {
        return switch (routing) {
            case IMAGE, INDEX, UNKNOWN -> request.isForMany();
            case IMAGE_MULTICAST -> request.isForMany() || !request.isUnicast && !ranges().knows(request);
            case MULTICAST -> !request.isUnicast;
        };
    }

    /** Whether requests go to all bricks of the table as a rule. */
    public boolean isMulticast() {
        return routing == Routing.IMAGE_MULTICAST || routing == Routing.MULTICAST;
    }

    /** Whether a request's partition is to be looked up in the index. */
    boolean looksUp(Request<?> request) {
        return routing == Routing.INDEX && !request.isUnicast && !ranges().knows(request);
    }

    /** Whether replies to multicasts carry image adjustments. */
    boolean learns() {
        return routing == Routing.IMAGE_MULTICAST;
    }

    public boolean isRange() {
        return definition.kind() == TableKind.RANGE;
    }

    /** The number of partitions according to the last map, at least 1. */
    int partitions() {
        return Math.max(1, partitionsTold);
    }

    private static int blocksOf(TableMap map) {
        return (map.partitions() + AddressBlock.SIZE - 1) / AddressBlock.SIZE;
    }

    /** The map version at which a partition's place is known, else the version at which the table was found. */
    long versionOf(int partition) {
        long version = image.placeVersion(partition);
        return version == 0 ? foundVersion : version;
    }

    /**
     * Takes an image adjustment of a hash table, which came with a reply: partition {@code a} of level {@code j} on
     * this brick was the right one, at a map version.
     */
    void onAdjustment(int a, int j, long version, int brick, Peer from) {
        if (j < 0 || j > LEVEL_MAX || a < 0 || a >= 1 << j) {
            throw new ProtocolViolation("image adjustment with partition " + a + " of level " + j);
        }
        if (!(image instanceof TableImage hashed)) {
            throw new ProtocolViolation("image adjustment without a span of range table '" + name() + "'");
        }
        int before = image.partitions();
        TableImage adjusted = hashed.adjusted(a, j, version);
        image = adjusted;
        node.counters().adjustments++;
        if (image.partitions() != before) {
            node.counters().imageChanges++;
        }
        if (image.brick(a) != brick && brick >= 0) {
            if (node.peers().ofBrick(brick) != null) {
                image = adjusted.withPlace(a, brick);
            }
            wantBlock(TableImage.blockOf(a), from);
        }
    }

    /** Takes an image adjustment of a range table: the partition that was the right one has the keys of a span. */
    void onSpan(int partition, KeySpan span, long version, int brick, Peer from) {
        if (!(image instanceof RangeImage ranges) || partition < 0) {
            throw new ProtocolViolation("image adjustment with a span of table '" + name() + "'");
        }
        node.counters().adjustments++;
        if (node.peers().ofBrick(brick) == null) {
            wantBlock(TableImage.blockOf(partition), from);
        } else if (ranges.learn(partition, span, brick, version)) {
            node.counters().imageChanges++;
        }
    }

    /**
     * Has the map of a request's partition looked up. For a range table the whole map is looked up, because the
     * partition that gets a key after a split may have any number.
     */
    void refresh(Request<?> request) {
        if (isRange()) {
            ranges().learnBlocks();
            for (int block = 0; block < blocks; block++) {
                wantBlock(block, null);
            }
        } else {
            wantBlock(TableImage.blockOf(image.address(request)), null);
        }
    }

    /** Has a block fetched in the background: now, or a moment later when the last fetch was a moment ago. */
    void wantBlock(int block, @Nullable Peer from) {
        if (gone) {
            return;
        }
        Long asked = askedNanos.get(block);
        if (fetching < FETCHES_MAX && (asked == null || node.now() - asked >= FETCH_INTERVAL_NANOS)) {
            wanted.remove(block);
            askedNanos.put(block, node.now());
            fetch(block, from, call -> {});
        } else {
            wanted.add(block);
        }
    }

    /** A read goes to a partition, so the members of its group should be known. */
    void reads(int partition) {
        if (definition.isReplicated()) {
            read.set(TableImage.blockOf(partition));
        }
    }

    /**
     * Asks for the version at which the table changed last, and fetches the blocks that were read and are known at an
     * older version only.
     */
    private void look() {
        looking = true;
        lookedNanos = node.now();
        node.control().ask(new FindTable(definition.name()), false, MEMBERS_INTERVAL_NANOS, call -> {
            looking = false;
            if (call.answer() instanceof TableFound found
                    && found.table().definition().id() == id()) {
                long changedVersion = found.table().version();
                read.stream()
                        .filter(block -> knownAtVersion.getOrDefault(block, 0L) < changedVersion)
                        .forEach(block -> wantBlock(block, null));
                read.clear();
            }
        });
    }

    /** Called once a tick. Looks up the map's version, and fetches blocks that had to wait. */
    void tick() {
        if (!read.isEmpty() && !looking && node.now() - lookedNanos >= MEMBERS_INTERVAL_NANOS) {
            look();
        }
        if (!wanted.isEmpty()) {
            for (int block : List.copyOf(wanted)) {
                wantBlock(block, null);
            }
        }
    }

    /** Fetches a block. The handler is called after the image has the block, or when the fetch has failed. */
    void fetch(int block, @Nullable Peer from, Consumer<ControlCall> handler) {
        fetching++;
        int asked = generation();
        node.control().askFirst(from, new FetchBlock(id(), block), node.timeoutNanos(), call -> {
            fetching--;
            if (call.answer() instanceof BlockFetched fetched && asked == generation() && !gone) {
                onBlock(fetched);
            }
            handler.accept(call);
        });
    }

    /**
     * Takes the number of partitions from a map. A client that otherwise learns by adjustments alone learns only from
     * this map that the table has shrunk: once a block says that a partition is gone, the client asks the parent. The
     * parent is the right partition, so it forwards nothing and its replies carry no adjustment.
     */
    void onTold(TableMap map) {
        boolean tells = !node.settings().learnsByAdjustmentsOnly() || map.partitions() < image.partitions();
        if (image instanceof TableImage hashed && tells) {
            image = hashed.told(map.partitions(), map.version());
        }
        blocks = blocksOf(map);
        partitionsTold = map.partitions();
        Schema told = map.definition().schema();
        if (told.version() > schema.version()) {
            schema = told;
        }
    }

    /**
     * Fetches all further blocks of a table whose requests go to all its bricks, because the first block may not name
     * all bricks.
     */
    void wantAllBricks() {
        for (int block = 1; isMulticast() && block < blocks; block++) {
            wantBlock(block, null);
        }
    }

    /** The number of answers to look-ups of the map of this table. */
    long mapsHeard() {
        return mapsHeard;
    }

    private void onBlock(BlockFetched fetched) {
        mapsHeard++;
        node.counters().blocksFetched++;
        fetched.bricks().forEach(node.peers()::learn);
        image = image.withBlock(fetched.block());
        knownAtVersion.merge(fetched.block().number(), fetched.table().version(), Math::max);
        onTold(fetched.table());
        node.router().onImageChanged();
    }
}
