package io.sdds.brick.map;

import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.model.AddressBlock;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Parity;
import io.sdds.core.model.ParityMembers;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableMap;
import io.sdds.core.protocol.ClusterId;
import io.sdds.core.protocol.MissingParities;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A table as this brick knows it: how far it has grown and where its partitions are. */
public final class TableView {
    private final long versionBase;
    private TableDefinition definition;
    private int partitions;
    private int partitionsInMap;
    private long version;
    private @Nullable Place[] places = new Place[1];

    /** The parities of each group, if the table has parity. */
    private @Nullable ParityMembers[] parities = {};

    /** The keys of each partition, if the table is a range table. */
    private final SpanIndex spans = new SpanIndex();

    /** The idle columns of a range table, by the coordinators' map. */
    private final BitSet idleInMap = new BitSet();

    private long[] blockVersions = new long[1];

    /** @param cluster to which the table belongs */
    TableView(TableMap table, ClusterId cluster) {
        definition = table.definition();
        versionBase = FirstVersions.base(cluster, definition.id());
        take(table);
    }

    public TableDefinition definition() {
        return definition;
    }

    /** The versions of a partition that begins empty in an epoch begin above this one. */
    public long versionBefore(long epoch) {
        return FirstVersions.before(versionBase, epoch);
    }

    /** M, the number of partitions that are known to exist. */
    public int partitions() {
        return partitions;
    }

    /** M in the coordinators' map, without the splits and merges that this brick already knows. */
    public int partitionsInMap() {
        return partitionsInMap;
    }

    /**
     * Whether a column of a table with parity groups owns no keys, because the table has no partition of its number, as
     * far as this brick knows.
     */
    public boolean isIdle(int column) {
        KeySpan span = spans.of(column);
        return definition.kind() == TableKind.RANGE ? span == null || span.isEmpty() : column >= partitions;
    }

    /** As {@link #isIdle}, by the coordinators' map. */
    public boolean isIdleInMap(int column) {
        return definition.kind() == TableKind.RANGE ? idleInMap.get(column) : column >= partitionsInMap;
    }

    /** The table, as this brick answers clients that ask for it. */
    public TableMap toTableMap() {
        return new TableMap(definition, partitions, version);
    }

    /** The place of a partition; null when the place is not known. */
    public @Nullable Place place(int partition) {
        return partition < places.length ? places[partition] : null;
    }

    /** The parity groups of the table; {@link Parity#NONE} if it has none. */
    public Parity parity() {
        return definition.parity();
    }

    /** The processes that hold the parities of a group; null when they are not known. */
    public @Nullable ParityMembers parities(int group) {
        return group >= 0 && group < parities.length ? parities[group] : null;
    }

    /** The processes that hold the parities of a partition's group; null if it has none, or they are not known. */
    public @Nullable ParityMembers paritiesOf(int partition) {
        return definition.hasParity() ? parities(parity().group(partition)) : null;
    }

    /**
     * Whether a partition is a column of a parity group that stands on parity. While the table is being converted, the
     * other partitions are replica groups. Their parity groups may have parities, if the table is converted to parity.
     * A group stands on what its table comes from as long as nothing is known of it.
     */
    public boolean standsOnParity(int partition) {
        if (!definition.isConverting()) {
            return definition.hasParity();
        }
        ParityMembers known = paritiesOf(partition);
        return known == null ? definition.isConvertingToReplicas() : known.inForce();
    }

    /** The parities that the group of a partition lacks; null unless the partition stands on parity. */
    public @Nullable MissingParities missingParities(int partition) {
        ParityMembers known = standsOnParity(partition) ? paritiesOf(partition) : null;
        if (known == null) {
            return null;
        }
        int missing = 0;
        for (int index = 0; index < known.members().size(); index++) {
            missing |= known.isMissing(index) ? 1 << index : 0;
        }
        Parity parity = definition.parity();
        return new MissingParities(
                parity.group(partition), parity.minParities(), known.members().size(), missing);
    }

    /**
     * Whether the primary of a partition keeps ranks of its records, because parities have them, or are to have them
     * when the table is converted to parity.
     */
    public boolean keepsRanks(int partition) {
        return standsOnParity(partition) || definition.isConvertingToParity();
    }

    /**
     * Whether the log of a partition removes records by their keys alone, because backups apply it, or are to apply it,
     * and know no ranks. Otherwise the log may name records by their ranks.
     */
    public boolean removesByKey(int partition) {
        return !standsOnParity(partition) || definition.isConvertingToReplicas();
    }

    /** Whether a place of a partition names a parity of its group as primary, because its own primary is gone. */
    public boolean isDegraded(int partition, Place place) {
        ParityMembers known = standsOnParity(partition) ? paritiesOf(partition) : null;
        return known != null && known.leads(place);
    }

    /**
     * The members of a partition's group: of a column its primary first, then the parities of its group in the order of
     * their indexes, without those that are missing. A degraded column has the parity that leads it once, as primary.
     * While the table is being converted, a partition may have backups, which stand before the parities. Of a partition
     * of a table without parity this is its place. Null when the place or the parities are not known. A place that is
     * lost, or of no partition, has no members.
     */
    public @Nullable Place groupPlace(int partition) {
        Place place = place(partition);
        if (place == null || !definition.hasParity() || place.lost() || place.none()) {
            return place;
        }
        ParityMembers known = parities(parity().group(partition));
        if (known == null && !standsOnParity(partition)) {
            return place;
        }
        return known == null
                ? null
                : new Place(
                        place.brick(), place.incarnation(), place.migration(), place.epoch(), followers(place, known));
    }

    private static List<Place.Member> followers(Place column, ParityMembers parities) {
        return Stream.concat(column.backups().stream(), parities.present().stream())
                .filter(member -> !member.equals(column.primary()))
                .toList();
    }

    /** The keys of each partition of a range table, as far as they are known. */
    public SpanIndex spans() {
        return spans;
    }

    /**
     * The partition itself if its place is known, else the nearest ancestor whose place is known. For a range table the
     * partition itself.
     */
    public int knownAncestor(int partition) {
        if (definition.kind() == TableKind.RANGE) {
            return partition;
        }
        int known = partition;
        while (known > 0 && place(known) == null) {
            known = LinearHashing.parent(known);
        }
        return known;
    }

    /**
     * An address block with the known places, without parities and idle columns, as this brick answers clients that ask
     * for it.
     */
    public AddressBlock block(int number) {
        List<Place> known = new ArrayList<>();
        List<KeySpan> knownSpans = new ArrayList<>();
        int first = number * AddressBlock.SIZE;
        for (int a = first; a < Math.min(partitions, first + AddressBlock.SIZE); a++) {
            Place place = place(a);
            if (place == null) {
                break;
            }
            known.add(place);
            if (definition.kind() == TableKind.RANGE) {
                KeySpan span = spans.of(a);
                knownSpans.add(span == null ? KeySpan.ALL : span);
            }
        }
        long blockVersion = number < blockVersions.length ? blockVersions[number] : 0;
        return new AddressBlock(definition.id(), number, blockVersion, known, knownSpans).forClients(partitions);
    }

    /** Takes a split that this brick has committed, before the coordinators' map has it. */
    public void splitCommitted(MigrationOrder split) {
        set(split.child(), split.target());
        partitions = Math.max(partitions, split.child() + 1);
        if (definition.kind() == TableKind.RANGE) {
            spans.divide(split.parent(), split.child(), split.span());
        }
    }

    /** Takes a move that this brick has handed over or received, before the coordinators' map has it. */
    public void moved(MigrationOrder move) {
        set(move.child(), move.target());
    }

    /** Takes a merge that this brick has handed over or received, before the coordinators' map has it. */
    public void mergeCommitted(MigrationOrder merge) {
        merged(merge.parent(), merge.child(), merge.span());
    }

    /**
     * Takes a merge before the coordinators' map has it. In a hash table the child is the last partition.
     *
     * @param span the keys that the child had, in a range table
     */
    public void merged(int parent, int child, KeySpan span) {
        if (definition.kind() == TableKind.RANGE) {
            spans.join(parent, child, span);
            if (standsOnParity(child)) {
                spans.put(child, KeySpan.EMPTY); // the child stays as an idle column
                return;
            }
            Place merged = place(child);
            set(child, merged == null || merged.none() ? Place.NOWHERE : Place.nowhere(merged.epoch() + 1));
        } else {
            partitions = Math.min(partitions, child);
        }
    }

    /**
     * The partition that takes the records of a merged child; -1 when it is not known.
     *
     * @param span the keys of the child, in a range table
     */
    public int mergesInto(int child, KeySpan span) {
        return definition.kind() == TableKind.RANGE ? spans.holding(span.low()) : LinearHashing.parent(child);
    }

    void take(TableMap table) {
        if (table.version() > version) {
            definition = table.definition();
            parities = definition.hasParity() ? parities : new ParityMembers[0];
            partitions = table.partitions();
            partitionsInMap = partitions;
            version = table.version();
        }
    }

    void take(AddressBlock block) {
        if (block.number() >= blockVersions.length) {
            blockVersions = Arrays.copyOf(blockVersions, Math.max(block.number() + 1, blockVersions.length * 2));
        }
        if (block.version() < blockVersions[block.number()]) {
            return;
        }
        blockVersions[block.number()] = block.version();
        for (int k = 0; k < block.places().size(); k++) {
            set(block.number() * AddressBlock.SIZE + k, block.places().get(k));
        }
        int end = Math.min(places.length, (block.number() + 1) * AddressBlock.SIZE);
        for (int a = block.number() * AddressBlock.SIZE + block.places().size(); a < end; a++) {
            places[a] = null; // the partition has been merged
            spans.remove(a);
        }
        takeParities(block);
        for (int k = 0; k < block.spans().size(); k++) {
            int number = block.number() * AddressBlock.SIZE + k;
            idleInMap.set(number, block.spans().get(k).isEmpty());
            if (block.places().get(k).none()) {
                spans.remove(number);
            } else {
                spans.put(number, block.spans().get(k));
            }
        }
    }

    /** Takes the parities of the block's groups. A group never crosses a block. */
    private void takeParities(AddressBlock block) {
        if (!definition.hasParity()) {
            return;
        }
        int inBlock = AddressBlock.SIZE / parity().columns();
        int first = block.number() * inBlock;
        if (first + block.parities().size() > parities.length) {
            parities = Arrays.copyOf(parities, Math.max(first + block.parities().size(), parities.length * 2));
        }
        for (int k = 0; k < Math.min(inBlock, parities.length - first); k++) {
            parities[first + k] = k < block.parities().size() ? block.parities().get(k) : null;
        }
    }

    /**
     * Takes a place, unless the known place has a later epoch. A place of an earlier epoch is stale: this brick has
     * seen the hand-over before the map had it.
     */
    private void set(int partition, Place place) {
        if (partition >= places.length) {
            places = Arrays.copyOf(places, Math.max(partition + 1, places.length * 2));
        }
        Place known = places[partition];
        if (known == null || known.epoch() <= place.epoch()) {
            places[partition] = place;
        }
    }
}
