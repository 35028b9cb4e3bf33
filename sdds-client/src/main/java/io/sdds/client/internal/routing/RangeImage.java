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
 * The image of a range table, of its spans and their bricks, with gaps (RP*C, section 2.1). Belongs to its node's
 * thread, and changes.
 */
final class RangeImage implements Image {
    /* Sorted by λ, without overlaps. What is learned last is believed, and cuts what it overlaps: an adjustment was
     * true when its partition answered, however old the map was of the brick that gave it, and whatever is wrong costs
     * a forward, whose answer puts it right.
     *
     * A key in a gap is addressed to the partition with the highest span before it (RP*Cu): what is missing there came
     * of that one, most likely, by splits.
     *
     * Apart from the spans it knows the bricks of the table. One that begins blank takes no spans from blocks, until
     * something went wrong. */

    private final List<Entry> entries = new ArrayList<>();
    private final Map<Integer, Entry> byNumber = new HashMap<>();
    private final Map<Integer, Long> blockVersions = new HashMap<>();
    private final Map<Integer, List<Place>> places = new TreeMap<>();
    private int @Nullable [] bricks;
    private boolean learnsBlocks = true;
    private boolean learnsFirst;

    /**
     * A partition as it was at a map version; of a replica group {@code brick} is the primary's, as far as is known,
     * and the others are those of its backups.
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
     * One that is filled by adjustments alone, as that of a new client of RP*C.
     *
     * @param withFirst whether it begins with partition 0, for all keys, as that of a new client of RP*Cu
     */
    static RangeImage blank(boolean withFirst) {
        RangeImage image = new RangeImage();
        image.learnsBlocks = false;
        image.learnsFirst = withFirst;
        return image;
    }

    /** From now on it takes spans from blocks, too. */
    void learnBlocks() {
        learnsBlocks = true;
    }

    /** The bricks that the table is known to be on. */
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

    /** Whether it knows the partition that a request is for, rightly or not. */
    boolean knows(Request<?> request) {
        return request.isFromLast() ? lastSpan() != null : spanAt(request.rangeKey(), request.isAboveKey()) != null;
    }

    @Override
    public int address(Request<?> request) {
        int index = request.isFromLast() ? entries.size() - 1 : find(request.rangeKey(), request.isAboveKey());
        return index < 0 ? 0 : entries.get(index).partition();
    }

    /**
     * The span that holds a key, or what comes right above it, and what follows in the order of keys; null in a gap.
     */
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
     * Index of the last entry whose λ is below the key, or not above it; the first when there is none, -1 when there
     * are no entries.
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

    /** Where a partition is whose span is not known. */
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

    /** Takes what a partition said of itself; whether that is new. */
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
     * Takes what was heard of a partition where nothing is known: of its keys those from the first such on, up to what
     * is known. What is known stays, since it may have been heard of a later time.
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
     * What is left of an entry beside a span: the part below, or else above; of both, the one below, of which the upper
     * one is the more likely to have come.
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
