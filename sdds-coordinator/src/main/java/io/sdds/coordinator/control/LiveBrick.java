package io.sdds.coordinator.control;

import io.sdds.core.control.ControlMessage.BrickCounters;
import io.sdds.core.control.ControlMessage.Heartbeat;
import io.sdds.core.control.ControlMessage.MigrationReport;
import io.sdds.core.control.ControlMessage.PartitionLoad;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.Place;
import io.sdds.core.node.Link;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A brick's process as this leader knows it: its link and what its last heartbeat said. Forgotten with the leadership.
 */
final class LiveBrick {

    private final int number;
    private final long incarnation;
    private final Link link;
    private long heardNanos;
    private boolean silent;
    private long mapVersion;
    private long sentVersion;
    private long answeredVersion;
    private boolean heartbeaten;
    private long memoryUsedBytes;
    private BrickCounters counters = BrickCounters.NONE;
    private final BrickLoads loads = new BrickLoads();
    private List<MigrationReport> migrations = List.of();
    private List<Integer> missed = List.of();
    /** By stream: what its first report said. */
    private final Map<Long, Begun> begun = new TreeMap<>();

    private record Begun(long nanos, long shippedBytes) {}

    LiveBrick(BrickInfo info, Link link, long nowNanos) {
        this.number = info.number();
        this.incarnation = info.incarnation();
        this.link = link;
        this.heardNanos = nowNanos;
    }

    /** Takes what a heartbeat says. */
    void heard(Heartbeat heartbeat, long nowNanos) {
        heardNanos = nowNanos;
        heartbeaten = true;
        mapVersion = heartbeat.mapVersion();
        memoryUsedBytes = heartbeat.memoryUsedBytes();
        counters = heartbeat.counters();
        migrations = heartbeat.migrations();
        noteBegun(nowNanos);
        missed = heartbeat.missed();
        loads.take(heartbeat);
    }

    private void noteBegun(long nowNanos) {
        begun.keySet()
                .retainAll(migrations.stream().map(MigrationReport::migration).toList());
        migrations.forEach(shipping -> {
            Begun known = begun.get(shipping.migration());
            if (known == null || shipping.shippedBytes() < known.shippedBytes()) { // it has begun again
                begun.put(shipping.migration(), new Begun(nowNanos, shipping.shippedBytes()));
            }
        });
    }

    int number() {
        return number;
    }

    long incarnation() {
        return incarnation;
    }

    /** Whether this process leads a place: it has its only copy, or is the primary of its group. */
    boolean leads(Place place) {
        return place.brick() == number && place.incarnation() == incarnation;
    }

    /** Whether this process is a member of a place. */
    boolean holds(Place place) {
        return place.has(number, incarnation);
    }

    Link link() {
        return link;
    }

    long silentNanos(long nowNanos) {
        return nowNanos - heardNanos;
    }

    /** Whether its silence has been noticed and told. */
    boolean silent() {
        return silent;
    }

    void silent(boolean now) {
        silent = now;
    }

    /** The map version it said it knows. */
    long mapVersion() {
        return mapVersion;
    }

    /** Whether it has said what it knows, so that it can be told what changed since. */
    boolean heartbeaten() {
        return heartbeaten;
    }

    /** The map version up to which it was told, on a link that loses nothing as long as it lives. */
    long sentVersion() {
        return sentVersion;
    }

    void sent(long version) {
        sentVersion = Math.max(sentVersion, version);
    }

    /**
     * The map version that it knows when what was sent to it has come: what goes out next begins there. One that knows
     * less than its last answer told has lost something, and is told from what it knows on.
     */
    long knownOrSentVersion() {
        return mapVersion < answeredVersion ? mapVersion : Math.max(mapVersion, sentVersion);
    }

    /** Its heartbeat was answered with the map up to a version. */
    void answered(long version) {
        sent(version);
        answeredVersion = version;
    }

    long memoryUsedBytes() {
        return memoryUsedBytes;
    }

    BrickCounters counters() {
        return counters;
    }

    /** The loads of a table's partitions, by their numbers. */
    Map<Integer, PartitionLoad> loads(int table) {
        return loads.of(table);
    }

    /** The copies that it has given up. */
    List<PartitionLoad> givenUp() {
        return loads.givenUp();
    }

    /** Whether one of its copies has no memory for what its group is to decide. */
    boolean anyStuck() {
        return loads.anyStuck();
    }

    /** Whether its loads are known as of its last heartbeat. */
    boolean knowsLoads() {
        return loads.isComplete();
    }

    /** The number of its last list of loads that is known here; 0: all are wanted. */
    long loadsKnown() {
        return loads.known();
    }

    List<MigrationReport> migrations() {
        return migrations;
    }

    long records() {
        return loads.records();
    }

    long bytes() {
        return loads.bytes();
    }

    /** What it said of a join, split or move that it is the source of; null: nothing. */
    @Nullable
    MigrationReport shipping(long stream) {
        return migrations.stream()
                .filter(shipping -> shipping.migration() == stream)
                .findFirst()
                .orElse(null);
    }

    /** Bytes a second of what it ships, since it first told of it; 0 when it has told only once. */
    long bytesPerSecond(MigrationReport shipping) {
        Begun from = begun.get(shipping.migration());
        if (from == null || heardNanos <= from.nanos()) {
            return 0;
        }
        return (long) ((shipping.shippedBytes() - from.shippedBytes()) * 1e9 / (heardNanos - from.nanos()));
    }

    /** Whether groups that it leads wait in vain for any brick's votes. */
    boolean missesAny() {
        return !missed.isEmpty();
    }

    /** Whether groups that it leads wait in vain for a brick's votes. */
    boolean misses(int brick) {
        return missed.contains(brick);
    }

    /** The load of a partition as it was reported; null when it was not. */
    @Nullable
    PartitionLoad load(int table, int partition) {
        return loads.of(table, partition);
    }
}
