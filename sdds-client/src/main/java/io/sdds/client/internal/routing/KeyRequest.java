package io.sdds.client.internal.routing;

import io.netty.buffer.ByteBuf;
import io.sdds.core.addressing.PseudoKey;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.RequestFrame;
import org.jspecify.annotations.Nullable;

/** A request about one key. The caller must not change the arrays until the request has ended. */
public abstract class KeyRequest<T> extends Request<T> {
    private static final byte[] NONE = new byte[0];

    private final byte[] key;
    private final byte[] value;
    private final byte @Nullable [] expected;
    private final long delta;
    private final long pseudoKey;
    private WriteOptions options = WriteOptions.NONE;

    private KeyRequest(
            RoutedTable table,
            byte opcode,
            long deadlineNanos,
            byte[] key,
            byte[] value,
            byte @Nullable [] expected,
            long delta) {
        super(table, opcode, deadlineNanos);
        this.key = key;
        this.value = value;
        this.expected = expected;
        this.delta = delta;
        this.pseudoKey = PseudoKey.of(key);
        this.isUnicast = opcode == Opcode.UPDATE; // as other requests that ship a program
    }

    /** GET, REMOVE or TOUCH. */
    protected KeyRequest(RoutedTable table, byte opcode, long deadlineNanos, byte[] key) {
        this(table, opcode, deadlineNanos, key, NONE, null, 0);
    }

    /** PUT, PUT_IF_ABSENT or REPLACE; UPDATE, whose value is its program. */
    protected KeyRequest(RoutedTable table, byte opcode, long deadlineNanos, byte[] key, byte[] value) {
        this(table, opcode, deadlineNanos, key, value, null, 0);
    }

    /** COMPARE_AND_SET. */
    protected KeyRequest(RoutedTable table, long deadlineNanos, byte[] key, byte[] expected, byte[] value) {
        this(table, Opcode.COMPARE_AND_SET, deadlineNanos, key, value, expected, 0);
    }

    /** INCREMENT. */
    protected KeyRequest(RoutedTable table, long deadlineNanos, byte[] key, long delta) {
        this(table, Opcode.INCREMENT, deadlineNanos, key, NONE, null, delta);
    }

    /** Sets options beyond key and value, before the request begins. */
    protected final void options(WriteOptions wanted) {
        options = wanted;
    }

    @Override
    final boolean isForAnyTable() {
        return true;
    }

    @Override
    public final int windowBytes() {
        return key.length + value.length + (expected == null ? 0 : expected.length);
    }

    @Override
    final long pseudoKey() {
        return pseudoKey;
    }

    @Override
    final byte[] rangeKey() {
        return key;
    }

    /** The key, which the caller must not change. */
    protected final byte[] key() {
        return key;
    }

    @Override
    final int flags() {
        return options.flags();
    }

    private boolean carriesOptions() {
        return options.flags() != 0 && isWrite();
    }

    @Override
    final int keyLength() {
        return key.length;
    }

    @Override
    final int bodyLength() {
        int length = key.length + value.length + (carriesOptions() ? RequestFrame.termBytes(options.flags()) : 0);
        if (expected != null) {
            length += Integer.BYTES + expected.length;
        } else if (opcode == Opcode.INCREMENT) {
            length += Long.BYTES;
        }
        return length;
    }

    @Override
    final void writeBody(ByteBuf out) {
        out.writeBytes(key);
        if (carriesOptions()) {
            options.write(out);
        }
        if (expected != null) {
            out.writeIntLE(expected.length);
            out.writeBytes(expected);
        } else if (opcode == Opcode.INCREMENT) {
            out.writeLongLE(delta);
        }
        out.writeBytes(value);
    }
}
