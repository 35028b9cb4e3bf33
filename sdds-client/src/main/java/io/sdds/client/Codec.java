package io.sdds.client;

import java.util.UUID;

/**
 * How keys or values become bytes and come back. Thread-safe.
 *
 * @param <T> what the application sees
 */
public interface Codec<T> {
    /** The bytes of an object; the same for equal objects. The array is not changed afterwards. */
    byte[] encode(T object);

    /** The object of bytes, which are the codec's to keep. */
    T decode(byte[] bytes);

    /** Whether the unsigned order of the bytes is an order that means something: what range tables need of a key. */
    boolean ordered();

    /** Bytes as they are, without a copy. An array given away is not to be changed until its operation has ended. Ordered as unsigned bytes. */
    static Codec<byte[]> bytes() {
        return Codecs.BYTES;
    }

    /** Text as UTF-8, in the order of code points. Text with half a surrogate pair is refused. */
    static Codec<String> utf8() {
        return Codecs.UTF8;
    }

    /** 64-bit integers as eight bytes, in their order. */
    static Codec<Long> int64() {
        return Codecs.INT64;
    }

    /** UUIDs as sixteen bytes, in the order of their text; that of version 7 is by time. */
    static Codec<UUID> uuid() {
        return Codecs.UUIDS;
    }
}
