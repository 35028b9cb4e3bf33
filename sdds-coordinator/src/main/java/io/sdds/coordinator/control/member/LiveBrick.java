package io.sdds.coordinator.control.member;

import io.sdds.core.control.ControlMessage.BrickCounters;
import io.sdds.core.control.ControlMessage.Heartbeat;
import io.sdds.core.control.ControlMessage.MigrationReport;
import io.sdds.core.control.ControlMessage.PartitionLoad;
import io.sdds.core.control.ControlMessage.Ranked;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.Place;
import io.sdds.core.node.Link;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A brick's process as this leader knows it: its link and the contents of its last heartbeat. A new leader begins with
 * none.
 */
public final class LiveBrick {

    private final int number;
    private final long incarnation;
    private final Link link;
    private final String erasureKernel;
    private final int weight;
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

    /** The instant of the first of the successive heartbeats that reported a brick as missed, by the brick. */
    private final Map<Integer, Long> missedSince = new TreeMap<>();

    private Set<Ranked> ranked = new LinkedHashSet<>();

    /** The first report of each migration, by its id. */
    private final Map<Long, Begun> begun = new TreeMap<>();

    private record Begun(long nanos, long shippedBytes) {}

    LiveBrick(BrickInfo info, Link link, String erasureKernel, int weight, long nowNanos) {
        this.number = info.number();
        this.incarnation = info.incarnation();
        this.link = link;
        this.erasureKernel = erasureKernel;
        this.weight = weight;
        this.heardNanos = nowNanos;
    }

    /** Takes the contents of a heartbeat. */
    void heard(Heartbeat heartbeat, long nowNanos) {
        heardNanos = nowNanos;
        heartbeaten = true;
        mapVersion = heartbeat.mapVersion();
        memoryUsedBytes = heartbeat.memoryUsedBytes();
        counters = heartbeat.counters();
        migrations = heartbeat.migrations();
        noteBegun(nowNanos);
        missedSince.keySet().retainAll(heartbeat.missed());
        heartbeat.missed().forEach(brick -> missedSince.putIfAbsent(brick, nowNanos));
        ranked = new LinkedHashSet<>(heartbeat.ranked());
        loads.take(heartbeat);
    }

    private void noteBegun(long nowNanos) {
        begun.keySet()
                .retainAll(migrations.stream().map(MigrationReport::migration).toList());
        migrations.forEach(report -> {
            Begun known = begun.get(report.migration());
            if (known == null || report.shippedBytes() < known.shippedBytes()) { // the migration has begun again
                begun.put(report.migration(), new Begun(nowNanos, report.shippedBytes()));
            }
        });
    }

    public int number() {
        return number;
    }

    public long incarnation() {
        return incarnation;
    }

    /** Whether this process has the only copy of a place, or is the primary of its group. */
    public boolean leads(Place place) {
        return place.brick() == number && place.incarnation() == incarnation;
    }

    /** Whether this process is a member of a place. */
    public boolean holds(Place place) {
        return place.has(number, incarnation);
    }

    Link link() {
        return link;
    }

    long silentNanos(long nowNanos) {
        return nowNanos - heardNanos;
    }

    /** Whether the log has a line about the brick's present silence. */
    boolean silent() {
        return silent;
    }

    void silent(boolean now) {
        silent = now;
    }

    /** The map version that the brick knew at its last heartbeat. */
    public long mapVersion() {
        return mapVersion;
    }

    /** Whether the brick has sent a heartbeat, which tells the map version that it knows. */
    boolean heartbeaten() {
        return heartbeaten;
    }

    /** The map version up to which changes were sent. The link loses nothing while it is up. */
    long sentVersion() {
        return sentVersion;
    }

    void sent(long version) {
        sentVersion = Math.max(sentVersion, version);
    }

    /**
     * The map version at which the next changes for the brick begin: the version that the brick knows after it has got
     * all sent changes. A brick that knows an older version than its last answer carried has lost changes, and gets the
     * changes since the version that it knows.
     */
    long knownOrSentVersion() {
        return mapVersion < answeredVersion ? mapVersion : Math.max(mapVersion, sentVersion);
    }

    /** A heartbeat was answered with the changes up to a map version. */
    void answered(long version) {
        sent(version);
        answeredVersion = version;
    }

    public long memoryUsedBytes() {
        return memoryUsedBytes;
    }

    public BrickCounters counters() {
        return counters;
    }

    /** The name of the code that computes parity in this process; empty if the process has not told it. */
    public String erasureKernel() {
        return erasureKernel;
    }

    /** The capacity weight in hundredths. */
    public int weight() {
        return weight;
    }

    /** The loads of a table's partitions, by their numbers. */
    public Map<Integer, PartitionLoad> loads(int table) {
        return loads.of(table);
    }

    /** The copies that the brick has given up. */
    List<PartitionLoad> givenUp() {
        return loads.givenUp();
    }

    /** Whether one of the brick's copies has no memory for the next entry of its group's log. */
    public boolean anyStuck() {
        return loads.anyStuck();
    }

    /** Whether the loads are as new as the last heartbeat. */
    public boolean knowsLoads() {
        return loads.isComplete();
    }

    /**
     * The number of the brick's last list of loads that this coordinator has taken; 0: the brick must send all loads.
     */
    long loadsKnown() {
        return loads.known();
    }

    public List<MigrationReport> migrations() {
        return migrations;
    }

    public long records() {
        return loads.records();
    }

    public long bytes() {
        return loads.bytes();
    }

    /** The brick's last report of a migration that it is the source of; null if there is none. */
    public @Nullable MigrationReport report(long migration) {
        return migrations.stream()
                .filter(report -> report.migration() == migration)
                .findFirst()
                .orElse(null);
    }

    /** Bytes a second that a migration sends, since the brick's first report of it; 0 after the first report. */
    public long bytesPerSecond(MigrationReport report) {
        Begun from = begun.get(report.migration());
        if (from == null || heardNanos <= from.nanos()) {
            return 0;
        }
        return (long) ((report.shippedBytes() - from.shippedBytes()) * 1e9 / (heardNanos - from.nanos()));
    }

    /** Whether groups that this brick leads wait in vain for the votes of any brick. */
    public boolean missesAny() {
        return !missedSince.isEmpty();
    }

    /** Whether groups that this brick leads wait in vain for the votes of a given brick. */
    public boolean misses(int brick) {
        return missedSince.containsKey(brick);
    }

    /** Whether this brick misses a brick, and reported so before another brick was heard last. */
    public boolean missedBeforeHeard(int brick, LiveBrick other) {
        return missedSince.getOrDefault(brick, Long.MAX_VALUE) <= other.heardNanos;
    }

    /** Whether all records of a partition that this process leads in an epoch have ranks. */
    public boolean isRanked(int table, int partition, long epoch) {
        return ranked.contains(new Ranked(table, partition, epoch));
    }

    /** The reported load of a partition; null if there is none. */
    public @Nullable PartitionLoad load(int table, int partition) {
        return loads.of(table, partition);
    }
}
