package io.sdds.client.internal.routing;

import io.netty.buffer.ByteBuf;
import io.sdds.core.protocol.RequestFrame;

/**
 * The options of a request about one key, beyond key and value.
 *
 * @param flags flags of {@link RequestFrame}
 * @param version with FLAG_VERSION: the version that a record must have for a write to take effect
 * @param ttlMillis with FLAG_TTL on a write: the time to live of the record; 0: the record does not expire
 */
public record WriteOptions(int flags, long version, long ttlMillis) {
    /** No options. */
    public static final WriteOptions NONE = new WriteOptions(0, 0, 0);

    /** A GET of the value and the time left. */
    public static final WriteOptions WITH_TTL = new WriteOptions(RequestFrame.FLAG_TTL, 0, 0);

    /** A GET of the time left, without the value. */
    public static final WriteOptions TTL_ALONE = new WriteOptions(RequestFrame.FLAG_TTL | RequestFrame.FLAG_HEAD, 0, 0);

    /** An INCREMENT of a counter of eight bytes. */
    public static final WriteOptions INT64 = new WriteOptions(RequestFrame.FLAG_INT64, 0, 0);

    /** A write that sets the time to live of its record. */
    public static WriteOptions ttl(long millis) {
        return new WriteOptions(RequestFrame.FLAG_TTL, 0, millis);
    }

    /** A write that takes effect only on a record of this version. */
    public static WriteOptions ifVersion(long version) {
        return new WriteOptions(RequestFrame.FLAG_VERSION, version, 0);
    }

    /** The same options with a time to live. */
    public WriteOptions withTtl(long millis) {
        return new WriteOptions(flags | RequestFrame.FLAG_TTL, version, millis);
    }

    /** Appends the options to a write's frame, {@link RequestFrame#termBytes}. */
    void write(ByteBuf out) {
        if ((flags & RequestFrame.FLAG_VERSION) != 0) {
            out.writeLongLE(version);
        }
        if ((flags & RequestFrame.FLAG_TTL) != 0) {
            out.writeLongLE(ttlMillis);
        }
    }
}
