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
     * While a table of replica groups is read, the version of its map is looked up so often: a brick that has joined a
     * group answers reads too, and no reply tells of it.
     */
    private static final long MEMBERS_INTERVAL_NANOS = 1_000_000_000;

    private final ClientNode node;
    private final TableDefinition definition;
    private final int id;
    private final long foundVersion;
    private Image image;
    private final Routing routing;

    /** Of a table of replica groups: blocks of partitions that were read since the last look at the map's version. */
    private final BitSet read = new BitSet();

    /** The map versions at which blocks were as this client knows them. */
    private final Map<Integer, Long> knownAtVersion = new HashMap<>();

    private boolean looking;
    private long lookedNanos;

    /** When each block was last wanted and asked for. */
    private final Map<Integer, Long> askedNanos = new LinkedHashMap<>();

    /** Blocks that are to be fetched as soon as that is not too soon. */
    private final Set<Integer> wanted = new LinkedHashSet<>();

    private int fetching;

    /** Address blocks of the table, as far as is known. */
    private int blocks;

    private int partitionsTold;

    RoutedTable(ClientNode node, TableMap map) {
        this.node = node;
        this.definition = map.definition();
        this.id = definition.id();
        this.foundVersion = map.version();
        this.routing = routing(node.settings().routing());
        this.image = firstImage(map);
        this.blocks = blocksOf(map);
        this.partitionsTold = map.partitions();
        this.lookedNanos = node.now();
    }

    /** A routing of a later version is only quicker or slower: any one that this version knows finds the records. */
    private Routing routing(@Nullable Routing asked) {
        Routing defined = definition.routing() == Routing.UNKNOWN ? Routing.IMAGE : definition.routing();
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

    /** Whether it is the index of partitions, which is found by the map. */
    private boolean isIndex() {
        return definition.name().equals(IndexRecord.TABLE);
    }

    public int id() {
        return id;
    }

    public String name() {
        return definition.name();
    }

    public TableDefinition definition() {
        return definition;
    }

    /** M', the number of partitions in this client's image. On the node's thread. */
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

    /** Whether the answers to what goes to all bricks teach. */
    boolean learns() {
        return routing == Routing.IMAGE_MULTICAST;
    }

    public boolean isRange() {
        return definition.kind() == TableKind.RANGE;
    }

    /** How many partitions it has, as far as was told; at least 1. */
    int partitions() {
        return Math.max(1, partitionsTold);
    }

    private static int blocksOf(TableMap map) {
        return (map.partitions() + AddressBlock.SIZE - 1) / AddressBlock.SIZE;
    }

    /** The map version by which a partition's place is known; at least one at which the table existed. */
    long versionOf(int partition) {
        long version = image.placeVersion(partition);
        return version == 0 ? foundVersion : version;
    }

    /**
     * An image adjustment has come with a reply: partition {@code a} of level {@code j} was the right one, on that
     * brick, at a map version.
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

    /** The same of a range table: the partition that was the right one has the keys of a span. */
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
     * Has the map looked up where a request is addressed; of a range table all of it, since a key's next partition may
     * have any number.
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

    /** Has a block fetched in the background: now, or when the last time is a moment ago. */
    void wantBlock(int block, @Nullable Peer from) {
        Long asked = askedNanos.get(block);
        if (fetching < FETCHES_MAX && (asked == null || node.now() - asked >= FETCH_INTERVAL_NANOS)) {
            wanted.remove(block);
            askedNanos.put(block, node.now());
            fetch(block, from, call -> {});
        } else {
            wanted.add(block);
        }
    }

    /** A read is addressed to a partition: its members are to be known. */
    void reads(int partition) {
        if (definition.isReplicated()) {
            read.set(TableImage.blockOf(partition));
        }
    }

    /**
     * Asks at which version the table changed last, and has those blocks fetched that were read and are known of an
     * older version alone.
     */
    private void look() {
        looking = true;
        lookedNanos = node.now();
        node.control().ask(new FindTable(definition.name()), false, MEMBERS_INTERVAL_NANOS, call -> {
            looking = false;
            if (call.answer() instanceof TableFound found
                    && found.table().definition().id() == id) {
                long changedVersion = found.table().version();
                read.stream()
                        .filter(block -> knownAtVersion.getOrDefault(block, 0L) < changedVersion)
                        .forEach(block -> wantBlock(block, null));
                read.clear();
            }
        });
    }

    /** Once a tick: looks at the map's version, and fetches what was wanted too soon. */
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

    /** Fetches a block; the handler hears after the image has it, or that it failed. */
    void fetch(int block, @Nullable Peer from, Consumer<ControlCall> handler) {
        fetching++;
        node.control().askFirst(from, new FetchBlock(id, block), node.timeoutNanos(), call -> {
            fetching--;
            if (call.answer() instanceof BlockFetched fetched) {
                onBlock(fetched);
            }
            handler.accept(call);
        });
    }

    /**
     * Somebody told how far the table has grown. That it has shrunk is learned from this even by a client that
     * otherwise learns by adjustments alone: once its block says that a partition is gone it asks the parent, who is
     * right, forwards nothing and so teaches nothing.
     */
    void onTold(TableMap map) {
        boolean tells = !node.settings().learnsByAdjustmentsOnly() || map.partitions() < image.partitions();
        if (image instanceof TableImage hashed && tells) {
            image = hashed.told(map.partitions(), map.version());
        }
        blocks = blocksOf(map);
        partitionsTold = map.partitions();
    }

    /** Of a table whose requests go to all its bricks: has those fetched that the first block doesn't name. */
    void wantAllBricks() {
        for (int block = 1; isMulticast() && block < blocks; block++) {
            wantBlock(block, null);
        }
    }

    private void onBlock(BlockFetched fetched) {
        node.counters().blocksFetched++;
        fetched.bricks().forEach(node.peers()::learn);
        image = image.withBlock(fetched.block());
        knownAtVersion.merge(fetched.block().number(), fetched.table().version(), Math::max);
        onTold(fetched.table());
        node.router().onImageChanged();
    }
}
