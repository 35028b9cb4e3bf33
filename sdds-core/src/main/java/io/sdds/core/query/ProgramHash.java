package io.sdds.core.query;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The name of a program that bricks keep: the first 16 bytes of the SHA-256 of its bytes, as two little-endian numbers.
 *
 * <p>Clients share what a brick keeps, so a brick compares the hash with the bytes. A client that wants to foist
 * another program on a query would have to find a second program for the same 128 bits.
 */
public record ProgramHash(long first, long second) {
    /** Length in a frame. */
    public static final int BYTES = 2 * Long.BYTES;

    /** The hash of an encoded program. */
    public static ProgramHash of(byte[] program) {
        MessageDigest digest = digest();
        digest.update(program);
        return of(digest);
    }

    /** A digest for {@link #of(MessageDigest)}, which takes the bytes of a program in parts. */
    public static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each Java has SHA-256", e);
        }
    }

    /** The hash of the bytes that a digest has taken. */
    public static ProgramHash of(MessageDigest digest) {
        ByteBuffer bytes = ByteBuffer.wrap(digest.digest()).order(ByteOrder.LITTLE_ENDIAN);
        return new ProgramHash(bytes.getLong(0), bytes.getLong(Long.BYTES));
    }

    /** Reads a hash at an index. */
    public static ProgramHash read(ByteBuf in, int index) {
        return new ProgramHash(in.getLongLE(index), in.getLongLE(index + Long.BYTES));
    }

    /** The bytes as a frame has them. */
    public byte[] bytes() {
        return ByteBuffer.allocate(BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(first)
                .putLong(second)
                .array();
    }
}
