package io.sdds.client.internal.query;

import io.sdds.client.Codec;
import io.sdds.client.CodecException;
import io.sdds.client.ProtocolException;
import io.sdds.client.internal.Codecs;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.row.Schema;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.AbstractMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;

/** The records of a block, in the format of a SCAN's reply. */
final class Records<K, V> implements Iterator<Map.Entry<K, V>> {
    private final ByteBuffer block;
    private final Schema schema;
    private final Codec<K> keys;
    private final ValueReader<V> values;
    private final boolean versioned;
    private final int header;
    private byte[] key = new byte[0];

    /**
     * @param what the part of each record that was asked for
     * @param schema by which failures name keys
     */
    Records(byte[] block, byte what, Schema schema, Codec<K> keys, ValueReader<V> values) {
        this.schema = schema;
        this.block = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN);
        this.keys = keys;
        this.values = values;
        this.versioned = what == RequestFrame.SCAN_VERSIONED;
        this.header = ReplyFrame.scanRecordHeader(what);
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
        if (block.remaining() < header) {
            throw broken();
        }
        int keyLength = block.getShort() & 0xffff;
        int valueLength = block.getInt();
        long version = versioned ? block.getLong() : 0;
        long millisLeft = versioned ? block.getLong() : 0;
        key = bytes(keyLength);
        byte[] value = bytes(valueLength);
        try {
            return new AbstractMap.SimpleImmutableEntry<>(
                    Codecs.decode(keys, key), values.read(value, version, millisLeft));
        } catch (CodecException e) {
            throw Codecs.atKey(e, schema, key);
        }
    }

    /** Whether it has given a record. */
    boolean hasGiven() {
        return block.position() > 0;
    }

    /** The key of the record given last, encoded. */
    byte[] lastKey() {
        return key.clone();
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
