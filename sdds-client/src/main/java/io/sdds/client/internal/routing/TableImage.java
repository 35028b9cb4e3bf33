package io.sdds.client.internal.routing;

import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.model.AddressBlock;
import io.sdds.core.model.Place;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A client's image of a hash table: the number of its partitions, and their bricks. The image may be stale; bricks
 * forward, and replies adjust the image. Immutable; replaced as a whole.
 */
final class TableImage implements Image {
    /*
     * The image of LH* is one integer M', the number of partitions, which is equivalent to the pair (i', n'). A
     * partition a of level j proves partitionsAtLeast(a, j) <= M <= partitionsAtMost(a, j). The lower bound only grows
     * M' and equals algorithm A2. The upper bound takes back growth that merges made wrong. The lower bound counts
     * however old the fact is: if the fact was too old, M' is ahead until the next forward. The upper bound counts
     * unless the fact is older than the image's newest fact. So the first brick that knows the map as well as this
     * client corrects an M' that is ahead, and growth of the file is never forgotten.
     *
     * Places are kept apart from M', because the coordinators choose bricks freely. Places come in versioned blocks,
     * and one by one with adjustments. If the place of an address is not known, the client strips top bits of the
     * address until it finds a known place. That partition is an ancestor and forwards.
     */

    /** The place is not known. */
    static final int UNKNOWN = -2;

    /** The partition's only memory is lost. */
    static final int LOST = Place.LOST;

    private static final int BLOCK_SHIFT = 9;
    private static final int BLOCK_MASK = AddressBlock.SIZE - 1;

    private final int partitions;
    private final long version;
    private final @Nullable Places[] blocks;

    /**
     * The brick numbers of a block of partitions, {@link #UNKNOWN} where none is known, and the brick numbers of the
     * backups.
     */
    private record Places(long version, int[] bricks, int[][] backups) {}

    private TableImage(int partitions, long version, @Nullable Places[] blocks) {
        this.partitions = partitions;
        this.version = version;
        this.blocks = blocks;
    }

    /** The image of a file of so many partitions, as of a map version, with no place known. */
    static TableImage of(int partitions, long version) {
        checkPartitions(partitions);
        return new TableImage(partitions, version, new Places[0]);
    }

    /** M'. */
    @Override
    public int partitions() {
        return partitions;
    }

    /** The map version of the newest fact about M'. */
    long version() {
        return version;
    }

    static int blockOf(int partition) {
        return partition >>> BLOCK_SHIFT;
    }

    /**
     * Address of the partition that holds the key according to this image. Client address calculation of LH* (algorithm
     * A1). The image may be behind the file; then the partition forwards and an image adjustment follows.
     */
    int address(long pseudoKey) {
        return LinearHashing.address(pseudoKey, partitions);
    }

    @Override
    public int address(Request<?> request) {
        return address(request.pseudoKey());
    }

    @Override
    public int brick(int partition) {
        int block = partition >>> BLOCK_SHIFT;
        if (block >= blocks.length) {
            return UNKNOWN;
        }
        Places places = blocks[block];
        int place = partition & BLOCK_MASK;
        return places == null || place >= places.bricks.length ? UNKNOWN : places.bricks[place];
    }

    @Override
    public int[] backups(int partition) {
        Places places = blocks[partition >>> BLOCK_SHIFT];
        return places == null ? NO_BACKUPS : places.backups[partition & BLOCK_MASK];
    }

    /** The partition itself, or its nearest ancestor whose place is known; -1 when there is none. */
    @Override
    public int nearestKnown(int partition) {
        int a = partition;
        while (brick(a) == UNKNOWN) {
            if (a == 0) {
                return -1;
            }
            a = LinearHashing.parent(a);
        }
        return a;
    }

    @Override
    public long placeVersion(int partition) {
        return blockVersion(partition >>> BLOCK_SHIFT);
    }

    /** The map version of a block; 0 when it was never fetched. */
    long blockVersion(int block) {
        Places places = block < blocks.length ? blocks[block] : null;
        return places == null ? 0 : places.version;
    }

    /**
     * The image after an adjustment: partition {@code a} of level {@code j} was the right one at a map version. Image
     * adjustment of LH* (algorithm A2), with its counterpart for merges.
     */
    TableImage adjusted(int a, int j, long factVersion) {
        int grown = Math.max(partitions, LinearHashing.partitionsAtLeast(a, j));
        int adjusted = factVersion >= version ? Math.min(grown, LinearHashing.partitionsAtMost(a, j)) : grown;
        return withPartitions(adjusted, Math.max(version, factVersion));
    }

    /** The image after a map told the number of partitions at a map version. */
    TableImage told(int count, long factVersion) {
        return factVersion < version && count <= partitions
                ? this
                : withPartitions(count, Math.max(version, factVersion));
    }

    /** The image with the place of one partition, learned from an adjustment; its block keeps its version. */
    TableImage withPlace(int partition, int brick) {
        int block = partition >>> BLOCK_SHIFT;
        int place = partition & BLOCK_MASK;
        Places old = block < blocks.length ? blocks[block] : null;
        int known = old == null ? 0 : old.bricks.length;
        int[] bricks = new int[Math.max(known, place + 1)];
        Arrays.fill(bricks, UNKNOWN);
        if (old != null) {
            System.arraycopy(old.bricks, 0, bricks, 0, known);
        }
        int[][] backups = new int[bricks.length][];
        Arrays.fill(backups, NO_BACKUPS);
        if (old != null) {
            System.arraycopy(old.backups, 0, backups, 0, known);
        }
        bricks[place] = brick;
        backups[place] = NO_BACKUPS;
        return withBlock(block, new Places(old == null ? 0 : old.version, bricks, backups));
    }

    @Override
    public TableImage withBlock(AddressBlock fetched) {
        int block = fetched.number();
        if (fetched.version() < blockVersion(block)) {
            return this;
        }
        List<Place> places = fetched.places();
        int[] bricks = new int[places.size()];
        int[][] backups = new int[bricks.length][];
        for (int k = 0; k < bricks.length; k++) {
            Place place = places.get(k);
            bricks[k] = place.brick();
            backups[k] = place.backups().isEmpty()
                    ? NO_BACKUPS
                    : place.backups().stream().mapToInt(Place.Member::brick).toArray();
        }
        return withBlock(block, new Places(fetched.version(), bricks, backups));
    }

    private TableImage withPartitions(int count, long factVersion) {
        checkPartitions(count);
        return count == partitions && factVersion == version ? this : new TableImage(count, factVersion, blocks);
    }

    private TableImage withBlock(int block, Places places) {
        @Nullable Places[] replaced = Arrays.copyOf(blocks, Math.max(blocks.length, block + 1));
        replaced[block] = places;
        return new TableImage(partitions, version, replaced);
    }

    private static void checkPartitions(int count) {
        if (count < 1 || count > LinearHashing.PARTITIONS_MAX) {
            throw new IllegalArgumentException(count + " partitions");
        }
    }
}
