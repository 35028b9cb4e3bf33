package io.sdds.brick.bucket;

/** How much a bucket holds, and how much of that would move with the next LH* split. */
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

    /** A record came, or (negative numbers) went. */
    void add(int recordsAdded, long bytesAdded, boolean moving) {
        records += recordsAdded;
        bytes += bytesAdded;
        if (moving) {
            movingRecords += recordsAdded;
            movingBytes += bytesAdded;
        }
    }

    /** What would have moved is gone; what would move next is to be counted. */
    void dropMoving() {
        records -= movingRecords;
        bytes -= movingBytes;
        clearMoving();
    }

    /** No record would move. */
    void clearMoving() {
        movingRecords = 0;
        movingBytes = 0;
    }

    /** A record that is held already would move. */
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
