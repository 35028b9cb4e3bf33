package io.sdds.client;

import io.sdds.client.internal.Codecs;
import java.util.UUID;

/**
 * Encodes keys or values as bytes and decodes them. Thread-safe: calling threads encode, and the client's event loops
 * decode.
 *
 * <pre>{@code
 * record Point(int x, int y) {}
 *
 * Codec<Point> points = new Codec<>() {
 *     public byte[] encode(Point p) { return ByteBuffer.allocate(8).putInt(p.x()).putInt(p.y()).array(); }
 *     public Point decode(byte[] b) { ByteBuffer in = ByteBuffer.wrap(b); return new Point(in.getInt(), in.getInt()); }
 *     public boolean ordered() { return false; } // negative numbers would come behind positive ones
 * };
 * }</pre>
 *
 * @param <T> type of the application's keys or values
 */
public interface Codec<T> {
    /**
     * Encodes an object. Equal objects must have the same bytes. Nobody may change the array afterwards.
     *
     * @throws RuntimeException if the object has no bytes; the operation throws it, before anything is sent
     */
    byte[] encode(T object);

    /**
     * Decodes an object. The codec owns the array.
     *
     * @throws RuntimeException if no object has these bytes; the operation fails with a {@link CodecException}
     */
    T decode(byte[] bytes);

    /**
     * Whether the unsigned order of the encoded bytes is a meaningful order of the objects. Keys of range tables need
     * such a codec.
     */
    boolean ordered();

    /**
     * Bytes as they are, without a copy. An array that was given away must not be changed until its operation has
     * ended. Ordered, as unsigned bytes.
     */
    static Codec<byte[]> bytes() {
        return Codecs.BYTES;
    }

    /**
     * Text as UTF-8, ordered by code points. Text with half a surrogate pair is refused with
     * {@link IllegalArgumentException}.
     */
    static Codec<String> utf8() {
        return Codecs.UTF8;
    }

    /** 64-bit integers as eight bytes, in the order of the numbers. */
    static Codec<Long> int64() {
        return Codecs.INT64;
    }

    /** UUIDs as sixteen bytes, in the order of their text. UUIDs of version 7 are therefore ordered by time. */
    static Codec<UUID> uuid() {
        return Codecs.UUIDS;
    }
}
