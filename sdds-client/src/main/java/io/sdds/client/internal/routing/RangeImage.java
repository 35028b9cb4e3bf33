package io.sdds.client.internal.routing;

import io.sdds.core.model.AddressBlock;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.Place;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The image of a range table: its spans and their bricks, with gaps (RP*C, section 2.1). Mutable; only the node's
 * thread uses it.
 */
final class RangeImage implements Image {
    /*
     * The entries are sorted by λ and do not overlap. The newest fact is believed, and cuts the entries that it
     * overlaps. An adjustment was true when its partition answered, however old the map of that brick was. A wrong
     * entry costs a forward, whose reply corrects the image.
     *
     * A key in a gap is addressed to the partition with the highest span before the gap (RP*Cu), because the missing
     * partitions came from this partition by splits, most likely.
     *
     * Besides the spans the image knows the bricks of the table. An image that begins blank takes no spans from blocks,
     * until a request fails to find its partition.
     */

    private final List<Entry> entries = new ArrayList<>();
    private final Map<Integer, Entry> byNumber = new HashMap<>();
    private final Map<Integer, Long> blockVersions = new HashMap<>();
    private final Map<Integer, List<Place>> places = new TreeMap<>();
    private int @Nullable [] bricks;
    private boolean learnsBlocks = true;
    private boolean learnsFirst;

    /**
     * A partition as it was at a map version. With replica groups {@code brick} is the known brick of the primary, and
     * {@code backups} are the bricks of the backups.
     */
    record Entry(int partition, KeySpan span, int brick, int[] backups, long version) {
        static Entry of(int partition, KeySpan span, Place place, long version) {
            int[] backups = place.backups().isEmpty()
                    ? NO_BACKUPS
                    : place.backups().stream().mapToInt(Place.Member::brick).toArray();
            return new Entry(partition, span, place.brick(), backups, version);
        }
    }

    /**
     * An image that only adjustments fill, as the image of a new client of RP*C.
     *
     * @param withFirst whether the image begins with partition 0, for all keys, as the image of a new client of RP*Cu
     */
    static RangeImage blank(boolean withFirst) {
        RangeImage image = new RangeImage();
        image.learnsBlocks = false;
        image.learnsFirst = withFirst;
        return image;
    }

    /** Lets the image take spans from blocks too, from now on. */
    void learnBlocks() {
        learnsBlocks = true;
    }

    /** The known bricks of the table. */
    int[] bricks() {
        int[] known = bricks;
        if (known == null) {
            IntStream ofBlocks = places.values().stream().flatMap(List::stream).mapToInt(Place::brick);
            IntStream learned = entries.stream().mapToInt(Entry::brick);
            known = IntStream.concat(ofBlocks, learned)
                    .filter(brick -> brick >= 0)
                    .distinct()
                    .toArray();
            bricks = known;
        }
        return known;
    }

    /** Whether the image has an entry for the partition of a request, right or wrong. */
    boolean knows(Request<?> request) {
        return request.isFromLast() ? lastSpan() != null : spanAt(request.rangeKey(), request.isAboveKey()) != null;
    }

    @Override
    public int address(Request<?> request) {
        int index = request.isFromLast() ? entries.size() - 1 : find(request.rangeKey(), request.isAboveKey());
        return index < 0 ? 0 : entries.get(index).partition();
    }

    /** The span that holds a key, or the keys right above it; null in a gap. */
    @Nullable
    KeySpan spanAt(byte[] key, boolean above) {
        int index = find(key, above);
        KeySpan span = index < 0 ? null : entries.get(index).span();
        return span != null && (above ? span.holdsAbove(key) : span.holds(key)) ? span : null;
    }

    /** The span of the highest keys; null when it is not known. */
    @Nullable
    KeySpan lastSpan() {
        KeySpan span =
                entries.isEmpty() ? null : entries.get(entries.size() - 1).span();
        return span != null && span.isLast() ? span : null;
    }

    /** The known λ above a key that is nearest to it; null when there is none. */
    byte @Nullable [] nextLow(byte[] key) {
        int index = Math.max(0, find(key, true));
        while (index < entries.size()
                && Arrays.compareUnsigned(entries.get(index).span().low(), key) <= 0) {
            index++;
        }
        return index < entries.size() ? entries.get(index).span().low() : null;
    }

    /**
     * Index of the last entry whose λ is below the key, or, with {@code above}, not above the key. Returns the first
     * entry when there is no such entry, and -1 when there are no entries.
     */
    private int find(byte[] key, boolean above) {
        int low = 0;
        int high = entries.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            int compared = Arrays.compareUnsigned(entries.get(middle).span().low(), key);
            if (compared < 0 || above && compared == 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return Math.min(low, entries.size() - 1);
    }

    @Override
    public int brick(int partition) {
        Entry entry = byNumber.get(partition);
        return entry == null ? place(partition) : entry.brick();
    }

    /** The brick of a partition whose span is not known. */
    private int place(int partition) {
        List<Place> block = places.getOrDefault(partition / AddressBlock.SIZE, List.of());
        int k = partition % AddressBlock.SIZE;
        return k >= block.size() || block.get(k).none()
                ? TableImage.UNKNOWN
                : block.get(k).brick();
    }

    @Override
    public int[] backups(int partition) {
        Entry entry = byNumber.get(partition);
        return entry == null ? NO_BACKUPS : entry.backups();
    }

    @Override
    public int nearestKnown(int partition) {
        return brick(partition) == TableImage.UNKNOWN ? -1 : partition;
    }

    @Override
    public long placeVersion(int partition) {
        Entry entry = byNumber.get(partition);
        return entry == null ? 0 : entry.version();
    }

    @Override
    public int partitions() {
        return entries.size();
    }

    @Override
    public RangeImage withBlock(AddressBlock fetched) {
        Long known = blockVersions.get(fetched.number());
        if (known != null && known > fetched.version()) {
            return this;
        }
        blockVersions.put(fetched.number(), fetched.version());
        places.put(fetched.number(), fetched.places());
        bricks = null;
        if (!learnsBlocks) {
            learnFirst(fetched);
            return this;
        }
        int first = fetched.number() * AddressBlock.SIZE;
        byNumber.keySet().removeIf(number -> number / AddressBlock.SIZE == fetched.number());
        entries.removeIf(entry -> entry.partition() / AddressBlock.SIZE == fetched.number());
        for (int k = 0; k < fetched.spans().size(); k++) {
            Place place = fetched.places().get(k);
            if (!place.none()) {
                learn(Entry.of(first + k, fetched.spans().get(k), place, fetched.version()));
            }
        }
        return this;
    }

    private void learnFirst(AddressBlock fetched) {
        if (learnsFirst && fetched.number() == 0) {
            learnsFirst = false;
            learn(Entry.of(0, KeySpan.ALL, fetched.places().get(0), fetched.version()));
        }
    }

    /** Stores the span and brick that a partition told of itself. Returns whether they are new. */
    boolean learn(int partition, KeySpan span, int brick, long version) {
        Entry known = byNumber.get(partition);
        if (known != null && known.brick() == brick && known.span().equals(span)) {
            return false;
        }
        int[] backups = known != null && known.brick() == brick ? known.backups() : NO_BACKUPS;
        learn(new Entry(partition, span, brick, backups, version));
        bricks = null;
        return true;
    }

    /**
     * Stores a partition of the index where the image has a gap. The entry takes the first gap in the partition's span,
     * up to the next known entry. Known entries stay, because they may be newer.
     */
    void fill(int partition, KeySpan span, int brick) {
        KeySpan known = spanAt(span.low(), true);
        if (byNumber.containsKey(partition) || known != null && (known.isLast() || !span.holdsAbove(known.high()))) {
            return;
        }
        KeySpan gap = known == null ? span : span.above(known.high());
        for (int k = Math.max(0, find(gap.low(), true)); k < entries.size(); k++) {
            byte[] low = entries.get(k).span().low();
            if (Arrays.equals(low, gap.low())) {
                return;
            }
            if (gap.holdsAbove(low)) {
                gap = gap.upTo(low);
                break;
            }
        }
        learn(new Entry(partition, gap, brick, NO_BACKUPS, 0));
        bricks = null;
    }

    private void learn(Entry learned) {
        Entry before = byNumber.get(learned.partition());
        if (before != null) {
            remove(before);
        }
        List<Entry> overlapping = new ArrayList<>();
        for (int k = Math.max(0, find(learned.span().low(), true)); k < entries.size(); k++) {
            Entry other = entries.get(k);
            if (!learned.span().isLast()
                    && Arrays.compareUnsigned(other.span().low(), learned.span().high()) >= 0) {
                break;
            }
            if (other.span().isLast()
                    || Arrays.compareUnsigned(
                                    other.span().high(), learned.span().low())
                            > 0) {
                overlapping.add(other);
            }
        }
        overlapping.forEach(other -> cut(other, learned.span()));
        add(learned);
    }

    /**
     * Keeps the rest of an entry that a span overlaps: the part below the span, else the part above. If both parts are
     * left, the entry keeps the lower part, because the upper part probably was split from the lower one.
     */
    private void cut(Entry other, KeySpan span) {
        remove(other);
        KeySpan rest = null;
        if (Arrays.compareUnsigned(other.span().low(), span.low()) < 0) {
            rest = other.span().upTo(span.low());
        } else if (!span.isLast()
                && (other.span().isLast()
                        || Arrays.compareUnsigned(span.high(), other.span().high()) < 0)) {
            rest = other.span().above(span.high());
        }
        if (rest != null) {
            add(new Entry(other.partition(), rest, other.brick(), other.backups(), other.version()));
        }
    }

    private void remove(Entry entry) {
        byNumber.remove(entry.partition());
        entries.remove(entry);
    }

    private void add(Entry entry) {
        int index = 0;
        if (!entries.isEmpty()) {
            index = find(entry.span().low(), true);
            boolean before = Arrays.compareUnsigned(
                            entries.get(index).span().low(), entry.span().low())
                    > 0;
            index += before ? 0 : 1;
        }
        entries.add(index, entry);
        byNumber.put(entry.partition(), entry);
    }
}
