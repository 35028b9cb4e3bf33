package io.sdds.client.internal;

import io.sdds.client.Codec;
import io.sdds.client.CodecException;
import io.sdds.client.internal.routing.KeyText;
import io.sdds.core.row.MalformedRowException;
import io.sdds.core.row.Schema;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** The codecs that come with the client. */
public final class Codecs {
    public static final Codec<byte[]> BYTES = new Bytes();
    public static final Codec<String> UTF8 = new Utf8();
    public static final Codec<Long> INT64 = new Int64();
    public static final Codec<UUID> UUIDS = new Uuids();

    private Codecs() {}

    /**
     * Decodes bytes.
     *
     * @throws CodecException for everything that the codec throws, errors and undeclared checked exceptions included
     */
    public static <T> T decode(Codec<T> codec, byte[] bytes) {
        try {
            return codec.decode(bytes);
        } catch (Throwable e) {
            String why = e instanceof MalformedRowException ? String.valueOf(e.getMessage()) : e.toString();
            throw new CodecException("the codec failed to decode " + bytes.length + " bytes: " + why, e);
        }
    }

    /** The exception of a value that cannot be decoded, with the key of its record. */
    public static CodecException atKey(CodecException failure, Schema schema, byte[] key) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        return new CodecException(failure.getMessage() + ", at key " + KeyText.of(schema, key), cause);
    }

    private static final class Bytes implements Codec<byte[]> {
        @Override
        public byte[] encode(byte[] object) {
            return object;
        }

        @Override
        public byte[] decode(byte[] bytes) {
            return bytes;
        }

        @Override
        public boolean ordered() {
            return true;
        }
    }

    private static final class Utf8 implements Codec<String> {
        @Override
        public byte[] encode(String text) {
            for (int k = 0; k < text.length(); k++) {
                if (Character.isSurrogate(text.charAt(k))) {
                    k = afterPair(text, k);
                }
            }
            return text.getBytes(StandardCharsets.UTF_8);
        }

        /** Refuses half a surrogate pair, because UTF-8 would give different texts with such halves the same bytes. */
        private static int afterPair(String text, int index) {
            if (Character.isSupplementaryCodePoint(text.codePointAt(index))) {
                return index + 1;
            }
            throw new IllegalArgumentException("half a surrogate pair at index " + index + " of a text");
        }

        @Override
        public String decode(byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }

        @Override
        public boolean ordered() {
            return true;
        }
    }

    private static final class Int64 implements Codec<Long> {
        @Override
        public byte[] encode(Long number) {
            return ByteBuffer.allocate(Long.BYTES)
                    .putLong(number ^ Long.MIN_VALUE)
                    .array();
        }

        @Override
        public Long decode(byte[] bytes) {
            return sized(bytes, Long.BYTES).getLong() ^ Long.MIN_VALUE;
        }

        @Override
        public boolean ordered() {
            return true;
        }
    }

    private static final class Uuids implements Codec<UUID> {
        @Override
        public byte[] encode(UUID uuid) {
            return ByteBuffer.allocate(2 * Long.BYTES)
                    .putLong(uuid.getMostSignificantBits())
                    .putLong(uuid.getLeastSignificantBits())
                    .array();
        }

        @Override
        public UUID decode(byte[] bytes) {
            ByteBuffer halves = sized(bytes, 2 * Long.BYTES);
            return new UUID(halves.getLong(), halves.getLong());
        }

        @Override
        public boolean ordered() {
            return true;
        }
    }

    private static ByteBuffer sized(byte[] bytes, int size) {
        if (bytes.length != size) {
            throw new IllegalArgumentException(bytes.length + " bytes where the codec makes " + size);
        }
        return ByteBuffer.wrap(bytes);
    }
}
