package io.sdds.coordinator.state;

import io.sdds.core.model.BrickInfo;

/** A brick in the replicated state. */
final class Brick {
    private BrickInfo info;
    private long nonce;
    private long memoryLimitBytes;
    private long version;
    private int places;
    private boolean drains;
    private boolean ended;

    Brick(BrickInfo info, long nonce, long memoryLimitBytes, long version) {
        this.info = info;
        this.nonce = nonce;
        this.memoryLimitBytes = memoryLimitBytes;
        this.version = version;
    }

    void become(BrickInfo newInfo, long newNonce, long newMemoryLimitBytes, long newVersion) {
        info = newInfo;
        nonce = newNonce;
        memoryLimitBytes = newMemoryLimitBytes;
        version = newVersion;
        ended = false;
    }

    BrickInfo info() {
        return info;
    }

    long nonce() {
        return nonce;
    }

    long memoryLimitBytes() {
        return memoryLimitBytes;
    }

    /** Map version of the last change. */
    long version() {
        return version;
    }

    /** Whether the brick's present process is being drained. */
    boolean drains() {
        return drains;
    }

    void drains(boolean now) {
        drains = now;
    }

    /** Whether the brick's present process is known to have ended. */
    boolean ended() {
        return ended;
    }

    void ended(boolean now) {
        ended = now;
    }

    /** Number of copies that the map places on the brick. */
    int places() {
        return places;
    }

    void addPlaces(int count) {
        places += count;
    }
}
