package io.sdds.client.internal.query;

import io.sdds.client.Codec;
import io.sdds.client.ProtocolException;
import io.sdds.client.internal.Codecs;
import io.sdds.core.protocol.ReplyFrame;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.AbstractMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** The records of a block, in the format of a SCAN's reply. */
final class Records<K, V> implements Iterator<Map.Entry<K, V>> {
    private final ByteBuffer block;
    private final Codec<K> keys;
    private final @Nullable Codec<V> values;
    private byte[] key = new byte[0];

    /** @param values codec of the values; null when only keys are wanted */
    Records(byte[] block, Codec<K> keys, @Nullable Codec<V> values) {
        this.block = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN);
        this.keys = keys;
        this.values = values;
    }

    @Override
    public boolean hasNext() {
        return block.hasRemaining();
    }

    @Override
    public Map.Entry<K, V> next() {
        if (!block.hasRemaining()) {
            throw new NoSuchElementException();
        }
        if (block.remaining() < ReplyFrame.SCAN_RECORD_HEADER) {
            throw broken();
        }
        int keyLength = block.getShort() & 0xffff;
        int valueLength = block.getInt();
        key = bytes(keyLength);
        byte[] value = bytes(valueLength);
        return entry(Codecs.decode(keys, key), values == null ? null : Codecs.decode(values, value));
    }

    /** Whether it has given a record. */
    boolean hasGiven() {
        return block.position() > 0;
    }

    /** The key of the record given last, encoded. */
    byte[] lastKey() {
        return key.clone();
    }

    @SuppressWarnings("NullAway") // the entries of a scan for keys have null values of type Void
    private static <K, V> Map.Entry<K, V> entry(K key, @Nullable V value) {
        return new AbstractMap.SimpleImmutableEntry<>(key, value);
    }

    private byte[] bytes(int length) {
        if (length < 0 || length > block.remaining()) {
            throw broken();
        }
        byte[] bytes = new byte[length];
        block.get(bytes);
        return bytes;
    }

    private static ProtocolException broken() {
        return new ProtocolException("a block of scanned records ends in the middle of one", false);
    }
}
