package io.sdds.client.routing;

import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.control.ControlMessage.BlockFetched;
import io.sdds.core.control.ControlMessage.FetchBlock;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableMap;
import io.sdds.core.protocol.ProtocolViolation;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A table as this client addresses it: its definition, its image, and the blocks being fetched for it. */
public final class RoutedTable {
    private static final int LEVEL_MAX = LinearHashing.level(LinearHashing.PARTITIONS_MAX);
    private static final int FETCHES_MAX = 8;
    private static final long FETCH_INTERVAL_NANOS = 20_000_000;

    private final ClientNode node;
    private final TableDefinition definition;
    private final int id;
    private TableImage image;

    /** When each block was last asked for. */
    private final Map<Integer, Long> askedNanos = new LinkedHashMap<>();

    private int fetching;

    RoutedTable(ClientNode node, TableMap map) {
        this.node = node;
        this.definition = map.definition();
        this.id = definition.id();
        this.image = node.settings().learnsByAdjustmentsOnly()
                ? TableImage.of(1, 0)
                : TableImage.of(map.partitions(), map.version());
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

    TableImage image() {
        return image;
    }

    /** Puts a wrong image in place of what was learned. For experiments with stale images. */
    public void forgetImage(int partitions) {
        image = TableImage.of(partitions, 0);
        wantBlock(0, null);
    }

    /** An image adjustment has come with a reply: partition {@code a} of level {@code j} was the right one, on that brick, at a map version. */
    void onAdjustment(int a, int j, long version, int brick, Peer from) {
        if (j < 0 || j > LEVEL_MAX || a < 0 || a >= 1 << j) {
            throw new ProtocolViolation("image adjustment with partition " + a + " of level " + j);
        }
        int before = image.partitions();
        image = image.adjusted(a, j, version);
        node.counters().adjustments++;
        if (image.partitions() != before) {
            node.counters().imageChanges++;
        }
        if (image.brick(a) != brick && brick >= 0) {
            if (node.peers().ofBrick(brick) != null) {
                image = image.withPlace(a, brick);
            }
            wantBlock(TableImage.blockOf(a), from);
        }
    }

    /** Has a block fetched in the background, unless that is being done or was a moment ago. */
    void wantBlock(int block, @Nullable Peer from) {
        long now = node.now();
        Long asked = askedNanos.get(block);
        if (fetching < FETCHES_MAX && (asked == null || now - asked >= FETCH_INTERVAL_NANOS)) {
            fetch(block, from, call -> {});
        }
    }

    /** Fetches a block; the handler hears after the image has it, or that it failed. */
    void fetch(int block, @Nullable Peer from, Consumer<ControlCall> handler) {
        askedNanos.put(block, node.now());
        fetching++;
        node.control().askFirst(from, new FetchBlock(id, block), node.settings().timeoutNanos(), call -> {
            fetching--;
            if (call.answer() instanceof BlockFetched fetched) {
                onBlock(fetched);
            }
            handler.accept(call);
        });
    }

    /** Somebody told how far the table has grown. */
    void onTold(TableMap map) {
        if (!node.settings().learnsByAdjustmentsOnly()) {
            image = image.told(map.partitions(), map.version());
        }
    }

    private void onBlock(BlockFetched fetched) {
        node.counters().blocksFetched++;
        fetched.bricks().forEach(node.peers()::learn);
        image = image.withBlock(fetched.block());
        onTold(fetched.table());
        node.router().onImageChanged();
    }
}
