package io.sdds.brick.bucket;

/** Records and bytes that a bucket holds, and the part of them that would move with the next LH* split. */
final class BucketLoad {

    private long records;
    private long bytes;
    private long movingRecords;
    private long movingBytes;

    long records() {
        return records;
    }

    long bytes() {
        return bytes;
    }

    long movingRecords() {
        return movingRecords;
    }

    long movingBytes() {
        return movingBytes;
    }

    /** Counts records that were added or, with negative numbers, removed. */
    void add(int recordsAdded, long bytesAdded, boolean moving) {
        records += recordsAdded;
        bytes += bytesAdded;
        if (moving) {
            movingRecords += recordsAdded;
            movingBytes += bytesAdded;
        }
    }

    /** The moving records are gone. The records that move with the split after that are to be counted. */
    void dropMoving() {
        records -= movingRecords;
        bytes -= movingBytes;
        clearMoving();
    }

    /** Counts all records as staying in the next LH* split. */
    void clearMoving() {
        movingRecords = 0;
        movingBytes = 0;
    }

    /** Counts a record of the bucket as moving. */
    void countMoving(long recordBytes) {
        movingRecords++;
        movingBytes += recordBytes;
    }

    void clear() {
        records = 0;
        bytes = 0;
        movingRecords = 0;
        movingBytes = 0;
    }
}
