package io.sdds.client.internal.routing;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The position of a cursor behind a key, in the order of scans (docs/design/scans.md, rule 17), as text. Any client can
 * continue from there, whatever splits or merges meanwhile. The token holds no limit: the query that continues has its
 * own.
 *
 * <pre>
 *  0 u8  format (2; format 1 also carried a limit)
 *  1 i32 table
 *  5 i32 CRC-32 of the scan's question: records or keys, filter, range
 *  9 u8  0 before the first record, 1 behind the key, 2 at the end
 * 10     the key
 * </pre>
 *
 * Big endian, in Base64 for addresses, without padding.
 *
 * @param key of the record given last, null before the first
 */
public record CursorToken(int table, int scan, boolean atEnd, byte @Nullable [] key) {
    private static final byte FORMAT = 2;
    private static final int HEADER = 10;
    private static final byte BEFORE = 0;
    private static final byte BEHIND = 1;
    private static final byte END = 2;

    /** A checksum of a scan's question, which tells scans apart. */
    public static int check(byte what, byte[] filter) {
        CRC32 crc = new CRC32();
        crc.update(what);
        crc.update(filter);
        return (int) crc.getValue();
    }

    /** A checksum of the question of a range query. */
    public static int check(byte what, byte[] filter, KeyBounds bounds) {
        CRC32 crc = new CRC32();
        crc.update(what);
        crc.update(filter);
        crc.update((bounds.descending() ? 1 : 0) | (bounds.fromInclusive() ? 2 : 0) | (bounds.toInclusive() ? 4 : 0));
        crc.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bounds.from().length));
        crc.update(bounds.from());
        crc.update(bounds.to());
        return (int) crc.getValue();
    }

    /** The token as text, which {@link #parse} reads. */
    public String text() {
        byte[] behind = key == null || atEnd ? new byte[0] : key;
        byte position = atEnd ? END : key == null ? BEFORE : BEHIND;
        ByteBuffer bytes = ByteBuffer.allocate(HEADER + behind.length);
        bytes.put(FORMAT).putInt(table).putInt(scan).put(position).put(behind);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }

    /** @throws IllegalArgumentException when the text is no token */
    public static CursorToken parse(String text) {
        byte[] bytes;
        try {
            bytes = Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw noToken(text, e);
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        if (bytes.length < HEADER || in.get() != FORMAT) {
            throw noToken(text, null);
        }
        int table = in.getInt();
        int scan = in.getInt();
        byte position = in.get();
        if (position < BEFORE || position > END || (position == BEHIND) != (bytes.length > HEADER)) {
            throw noToken(text, null);
        }
        byte[] key = position == BEHIND ? Arrays.copyOfRange(bytes, HEADER, bytes.length) : null;
        return new CursorToken(table, scan, position == END, key);
    }

    private static IllegalArgumentException noToken(String text, @Nullable Exception cause) {
        String shown = text.length() <= 40 ? text : text.substring(0, 40) + "…";
        return new IllegalArgumentException("'" + shown + "' is no cursor's token", cause);
    }
}
