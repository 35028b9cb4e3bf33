package io.sdds.client.internal.routing;

import io.netty.buffer.ByteBuf;
import io.sdds.core.protocol.RequestFrame;

/**
 * What a request about one key says beyond key and value.
 *
 * @param flags of {@link RequestFrame}
 * @param version that a record must have for a write to take effect, with FLAG_VERSION
 * @param ttlMillis that a record is to live, with FLAG_TTL on a write; 0: for ever
 */
public record WriteOptions(int flags, long version, long ttlMillis) {
    /** Nothing. */
    public static final WriteOptions NONE = new WriteOptions(0, 0, 0);

    /** Of a GET: the time left is asked for too. */
    public static final WriteOptions WITH_TTL = new WriteOptions(RequestFrame.FLAG_TTL, 0, 0);

    /** Of a GET: the time left is asked for, and no value. */
    public static final WriteOptions TTL_ALONE = new WriteOptions(RequestFrame.FLAG_TTL | RequestFrame.FLAG_HEAD, 0, 0);

    /** Of an INCREMENT of a counter of eight bytes. */
    public static final WriteOptions INT64 = new WriteOptions(RequestFrame.FLAG_INT64, 0, 0);

    /** Of a write that says how long its record is to live. */
    public static WriteOptions ttl(long millis) {
        return new WriteOptions(RequestFrame.FLAG_TTL, 0, millis);
    }

    /** Of a write that takes effect only on a record of this version. */
    public static WriteOptions ifVersion(long version) {
        return new WriteOptions(RequestFrame.FLAG_VERSION, version, 0);
    }

    /** The same, and how long the record is to live. */
    public WriteOptions withTtl(long millis) {
        return new WriteOptions(flags | RequestFrame.FLAG_TTL, version, millis);
    }

    /** Appends what a write carries of it, {@link RequestFrame#termBytes}. */
    void write(ByteBuf out) {
        if ((flags & RequestFrame.FLAG_VERSION) != 0) {
            out.writeLongLE(version);
        }
        if ((flags & RequestFrame.FLAG_TTL) != 0) {
            out.writeLongLE(ttlMillis);
        }
    }
}
