package io.sdds.brick.partition;

import io.sdds.brick.bucket.HashBucket;
import io.sdds.brick.bucket.RankVisitor;
import io.sdds.brick.memory.RecordStore;
import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.addressing.ScanOrder;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.protocol.Opcode;
import java.util.function.LongConsumer;

/** A partition of a hash table: the pseudo-keys that LH* places at its number and level. */
public final class HashPartition extends Partition {
    private static final int NONE = -1;
    private static final int RECORDS_PER_BUCKET_LOG = 2;

    private final HashBucket bucket;
    private int level;

    /** The point from which {@link #visitUnowned} goes on. */
    private long unownedFrom;

    /** The point from which {@link #visitNext} goes on. */
    private long nextFrom;

    /**
     * The partition's number; {@link #NONE} while the partition is closed, so that a request costs one test, not two.
     */
    private int answersFor;

    /**
     * Makes an empty partition.
     *
     * @param migration number of the migration that fills the partition; 0 when the partition begins empty
     */
    public HashPartition(int table, int number, int level, long migration, RecordStore store) {
        this(table, number, level, migration, new HashBucket(store, level));
    }

    /**
     * Makes an empty partition whose bucket also has room for records that the partition does not own: for the half
     * that a split has taken away and that is not dropped yet, or that a merge ships here.
     */
    public static HashPartition wide(int table, int number, int level, long migration, RecordStore store) {
        boolean hasOtherHalf = level > 0 && number < 1 << level - 1;
        return new HashPartition(
                table, number, level, migration, new HashBucket(store, hasOtherHalf ? level - 1 : level));
    }

    private HashPartition(int table, int number, int level, long migration, HashBucket bucket) {
        super(table, number, migration, bucket);
        this.answersFor = number;
        this.bucket = bucket;
        this.level = level;
    }

    @Override
    public HashBucket bucket() {
        return bucket;
    }

    /**
     * Sets the level of a {@link #wide} partition to that of its bucket, because a merge was committed while its
     * records came here.
     */
    public void levelAtMost(int most) {
        level = Math.min(level, Math.max(most, bucket.level()));
    }

    /** The level j of the partition. The level of its bucket is one less while a merge ships the other half here. */
    @Override
    public int level() {
        return level;
    }

    @Override
    public boolean owns(Request request) {
        return owns(request.hash);
    }

    /** Whether LH* places a pseudo-key here; false for all pseudo-keys while the partition is closed. */
    public boolean owns(long hash) {
        return LinearHashing.h(level, hash) == answersFor;
    }

    @Override
    public boolean isClosed() {
        return answersFor == NONE;
    }

    @Override
    public void closed(boolean toAll) {
        answersFor = toAll ? NONE : number();
    }

    @Override
    public boolean isChanging() {
        return bucket.isChangingLevel();
    }

    @Override
    public boolean isWide() {
        return bucket.level() < level;
    }

    @Override
    public long records() {
        return isIdle() ? 0 : isWide() ? bucket.records() - bucket.movingRecords() : bucket.records();
    }

    @Override
    public long bytes() {
        return isIdle() ? 0 : isWide() ? bucket.bytes() - bucket.movingBytes() : bucket.bytes();
    }

    @Override
    public boolean mayDetach(MovedKeys keys) {
        return level == keys.level();
    }

    /**
     * Gives the half with the next bit set to another partition, and raises the level by one. In a table with parity
     * groups the records of the half stay until entries of the log have dropped them. The bucket is wide until then.
     */
    @Override
    public void detach(MovedKeys keys) {
        if (!bucket.ranks().areGiven()) {
            bucket.dropMovedHalf();
        }
        level++;
    }

    @Override
    public boolean hasDetached(MovedKeys keys) {
        return level > keys.level();
    }

    @Override
    public boolean isAll(MovedKeys keys) {
        return level == keys.level() + 1;
    }

    @Override
    public boolean mayAbsorb(MovedKeys keys) {
        return level == keys.level() + 1;
    }

    @Override
    public boolean hasAbsorbed(MovedKeys keys) {
        return level <= keys.level();
    }

    /** A CLEAR that begins before the half may reach into the half. */
    @Override
    public boolean isAbout(Request request, MovedKeys keys) {
        return (request.hash & 1L << keys.level()) != 0 || Opcode.isInterval(request.opcode);
    }

    @Override
    public void beginWidening(MigrationOrder merge) {
        bucket.beginWidening();
    }

    @Override
    public void absorb(MovedKeys keys) {
        if (!isWide()) {
            throw new IllegalStateException(
                    "partition " + number() + " of table " + table() + " was not made ready for a merge");
        }
        level--;
    }

    /** In a table with parity groups entries of the log drop the records. */
    @Override
    public void dropShipped() {
        if (bucket.ranks().areGiven()) {
            return;
        }
        bucket.finishWidening();
        if (isWide()) {
            bucket.dropMovedHalf();
        }
    }

    @Override
    public boolean isClean() {
        return isIdle() ? bucket.records() == 0 : !isWide();
    }

    /** The number of the moving records is right only while the bucket does not change. */
    @Override
    public boolean hasOnlyOwn() {
        return isClean() || !isIdle() && !isChanging() && bucket.movingRecords() == 0;
    }

    @Override
    public boolean visitUnowned(LongConsumer visitor) {
        long bit = isIdle() ? 0 : 1L << bucket.level();
        long start = ScanOrder.point(number() | bit);
        long end = ScanOrder.end(number(), bucket.level());
        boolean within = Long.compareUnsigned(unownedFrom, start) >= 0 && ScanOrder.before(unownedFrom, end);
        unownedFrom = bucket.visitSome(within ? unownedFrom : start, DropList.BYTES_MAX, (ref, hash) -> {
            if ((hash & bit) == bit) {
                visitor.accept(ref);
            }
        });
        return unownedFrom != 0 && ScanOrder.before(unownedFrom, end);
    }

    @Override
    public boolean visitNext(LongConsumer visitor) {
        long start = ScanOrder.start(number());
        long end = ScanOrder.end(number(), bucket.level());
        boolean within = Long.compareUnsigned(nextFrom, start) >= 0 && ScanOrder.before(nextFrom, end);
        nextFrom = bucket.visit(within ? nextFrom : start, (ref, hash) -> visitor.accept(ref));
        return nextFrom != 0 && ScanOrder.before(nextFrom, end);
    }

    @Override
    public boolean endCleaning() {
        if (!isClean() && hasOnlyOwn()) {
            bucket.dropMovedHalf();
        }
        return isClean();
    }

    @Override
    public void dropUnowned() {
        if (!isIdle() && isWide()) {
            bucket.dropMovedHalf();
        }
    }

    /** Sweeps all records of the partition, also those that it does not serve. */
    @Override
    public boolean sweep(int steps) {
        return bucket.sweep(ScanOrder.start(number()), ScanOrder.end(number(), bucket.level()), steps);
    }

    @Override
    public boolean visitExpired(int steps, RankVisitor visitor) {
        return bucket.collectExpired(
                ScanOrder.start(number()), ScanOrder.end(number(), bucket.level()), steps, visitor);
    }

    @Override
    public long sweepSteps() {
        return bucket.records() >>> RECORDS_PER_BUCKET_LOG;
    }
}
