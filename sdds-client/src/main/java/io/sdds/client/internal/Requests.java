package io.sdds.client.internal;

import io.netty.buffer.ByteBuf;
import io.sdds.client.Callback;
import io.sdds.client.Codec;
import io.sdds.client.CodecException;
import io.sdds.client.QueryException;
import io.sdds.client.SddsException;
import io.sdds.client.Versioned;
import io.sdds.client.internal.routing.Failure;
import io.sdds.client.internal.routing.KeyRequest;
import io.sdds.client.internal.routing.KeyText;
import io.sdds.client.internal.routing.RoutedTable;
import io.sdds.client.internal.routing.WriteOptions;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.Status;
import io.sdds.core.query.UpdateFailure;
import io.sdds.core.row.Schema;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The requests about one key, one class for each type of answer. A request is its own future; if the request has a
 * callback, the callback is called instead.
 */
public final class Requests {
    private static final Logger log = LoggerFactory.getLogger(Requests.class);

    private Requests() {}

    /** Calls the application's callback, and logs what the callback throws. */
    static <T> void call(Callback<? super T> callback, @Nullable T result, @Nullable SddsException failure) {
        try {
            callback.done(result, failure);
        } catch (Throwable e) { // also an error must not end the connection on which the answer came
            log.error("a callback failed", e);
        }
    }

    /**
     * The common part of all requests: the result or failure goes to the callback, or to the future if there is no
     * callback.
     */
    public abstract static class Typed<T> extends KeyRequest<T> {
        private final @Nullable Callback<? super T> callback;

        Typed(RoutedTable table, byte opcode, long deadlineNanos, byte[] key, @Nullable Callback<? super T> callback) {
            super(table, opcode, deadlineNanos, key);
            this.callback = callback;
        }

        Typed(
                RoutedTable table,
                byte opcode,
                long deadlineNanos,
                byte[] key,
                byte[] value,
                @Nullable Callback<? super T> callback) {
            super(table, opcode, deadlineNanos, key, value);
            this.callback = callback;
        }

        Typed(
                RoutedTable table,
                long deadlineNanos,
                byte[] key,
                byte[] expected,
                byte[] value,
                @Nullable Callback<? super T> callback) {
            super(table, deadlineNanos, key, expected, value);
            this.callback = callback;
        }

        Typed(RoutedTable table, long deadlineNanos, byte[] key, long delta, @Nullable Callback<? super T> callback) {
            super(table, deadlineNanos, key, delta);
            this.callback = callback;
        }

        /** Adds options to the request; returns the request. */
        public final Typed<T> with(WriteOptions options) {
            options(options);
            return this;
        }

        /**
         * Gives the request up. A request that was not sent is never sent, and its room in the window is free within 10
         * ms. A request that was sent may have taken effect, or may yet.
         */
        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean cancelled = super.cancel(mayInterruptIfRunning);
            if (cancelled) {
                table().node().onCancelled();
            }
            return cancelled;
        }

        final void succeed(@Nullable T result) {
            if (callback == null) {
                complete(result);
            } else {
                call(callback, result, null);
            }
        }

        @Override
        protected final void failed(Failure failure) {
            failWith(Failures.exception(failure));
        }

        /** @throws CodecException that names the key */
        final <V> V decoded(Codec<V> codec, byte[] value) {
            try {
                return Codecs.decode(codec, value);
            } catch (CodecException e) {
                throw Codecs.atKey(e, table().schema(), key());
            }
        }

        final void failWith(SddsException failure) {
            if (callback == null) {
                completeExceptionally(failure);
            } else {
                call(callback, null, failure);
            }
        }
    }

    /** GET: the value, or null. */
    static final class Get<V> extends Typed<V> {
        private final Codec<V> codec;

        Get(RoutedTable table, long deadlineNanos, byte[] key, Codec<V> codec, @Nullable Callback<? super V> callback) {
            super(table, Opcode.GET, deadlineNanos, key, callback);
            this.codec = codec;
        }

        @Override
        protected void answered(byte status, ByteBuf frame, int body, int end) {
            if (status == Status.ABSENT) {
                succeed(null);
                return;
            }
            expectOk(status);
            int at = body + Long.BYTES;
            if (at > end) {
                throw new ProtocolViolation("value without a version");
            }
            byte[] bytes = new byte[end - at];
            frame.readerIndex(at); // reading at the reader index makes no view of the buffer, getting at an index does
            frame.readBytes(bytes);
            V value;
            try {
                value = decoded(codec, bytes);
            } catch (CodecException e) {
                failWith(e);
                return;
            }
            succeed(value);
        }
    }

    /** GET with the time left: the record, or null. */
    static final class GetVersioned<V> extends Typed<Versioned<V>> {
        private final Codec<V> codec;

        GetVersioned(RoutedTable table, long deadlineNanos, byte[] key, Codec<V> codec) {
            super(table, Opcode.GET, deadlineNanos, key, null);
            this.codec = codec;
            options(WriteOptions.WITH_TTL);
        }

        @Override
        protected void answered(byte status, ByteBuf frame, int body, int end) {
            if (status == Status.ABSENT) {
                succeed(null);
                return;
            }
            expectOk(status);
            Duration left = timeLeft(frame, body, end);
            byte[] bytes = new byte[end - body - 2 * Long.BYTES];
            frame.getBytes(body + 2 * Long.BYTES, bytes);
            V value;
            try {
                value = decoded(codec, bytes);
            } catch (CodecException e) {
                failWith(e);
                return;
            }
            succeed(new Versioned<>(value, frame.getLongLE(body), left));
        }
    }

    /** GET of the time left only; null: there is no record. */
    static final class GetTimeToLive extends Typed<Duration> {
        GetTimeToLive(RoutedTable table, long deadlineNanos, byte[] key) {
            super(table, Opcode.GET, deadlineNanos, key, null);
            options(WriteOptions.TTL_ALONE);
        }

        @Override
        protected void answered(byte status, ByteBuf frame, int body, int end) {
            if (status == Status.ABSENT) {
                succeed(null);
                return;
            }
            expectOk(status);
            succeed(timeLeft(frame, body, end));
        }
    }

    private static Duration timeLeft(ByteBuf frame, int body, int end) {
        if (end - body < 2 * Long.BYTES) {
            throw new ProtocolViolation("record without version and time left");
        }
        long millis = frame.getLongLE(body + Long.BYTES);
        return millis == ReplyFrame.FOR_EVER ? Duration.ZERO : Duration.ofMillis(millis);
    }

    /** PUT: the record's version. */
    static final class PutVersioned extends Typed<Long> {
        PutVersioned(RoutedTable table, long deadlineNanos, byte[] key, byte[] value) {
            super(table, Opcode.PUT, deadlineNanos, key, value, null);
        }

        @Override
        protected void answered(byte status, ByteBuf frame, int body, int end) {
            expectOk(status);
            if (end - body < Long.BYTES) {
                throw new ProtocolViolation("put answered without a version");
            }
            succeed(frame.getLongLE(body));
        }
    }

    /** PUT without a result. */
    static final class Put extends Typed<Void> {
        Put(
                RoutedTable table,
                long deadlineNanos,
                byte[] key,
                byte[] value,
                @Nullable Callback<? super Void> callback) {
            super(table, Opcode.PUT, deadlineNanos, key, value, callback);
        }

        @Override
        protected void answered(byte status, ByteBuf frame, int body, int end) {
            expectOk(status);
            succeed(null);
        }
    }

    /** A conditional write: whether it took effect. */
    static final class Conditional extends Typed<Boolean> {
        /** REMOVE or TOUCH. */
        Conditional(
                RoutedTable table,
                byte opcode,
                long deadlineNanos,
                byte[] key,
                @Nullable Callback<? super Boolean> callback) {
            super(table, opcode, deadlineNanos, key, callback);
        }

        /** PUT_IF_ABSENT or REPLACE. */
        Conditional(
                RoutedTable table,
                byte opcode,
                long deadlineNanos,
                byte[] key,
                byte[] value,
                @Nullable Callback<? super Boolean> callback) {
            super(table, opcode, deadlineNanos, key, value, callback);
        }

        /** COMPARE_AND_SET. */
        Conditional(
                RoutedTable table,
                long deadlineNanos,
                byte[] key,
                byte[] expected,
                byte[] value,
                @Nullable Callback<? super Boolean> callback) {
            super(table, deadlineNanos, key, expected, value, callback);
        }

        @Override
        protected void answered(byte status, ByteBuf frame, int body, int end) {
            succeed(status == Status.OK);
        }
    }

    /** INCREMENT: the counter afterwards. */
    static final class Increment extends Typed<Long> {
        Increment(
                RoutedTable table,
                long deadlineNanos,
                byte[] key,
                long delta,
                @Nullable Callback<? super Long> callback) {
            super(table, deadlineNanos, key, delta, callback);
        }

        @Override
        protected void answered(byte status, ByteBuf frame, int body, int end) {
            if (status == Status.NOT_A_NUMBER) {
                fail(
                        Failure.Kind.NOT_A_NUMBER,
                        "the value is no 64-bit number in the form of the codec, or the sum would not be one");
                return;
            }
            expectOk(status);
            if (end - body < Long.BYTES) {
                throw new ProtocolViolation("increment answered without a counter");
            } else {
                succeed(frame.getLongLE(body));
            }
        }
    }

    /** UPDATE: whether it took effect. */
    static final class Update extends Typed<Boolean> {
        private final Schema schema;

        /** @param schema by which the program was compiled */
        Update(
                RoutedTable table,
                long deadlineNanos,
                byte[] key,
                byte[] program,
                Schema schema,
                @Nullable Callback<? super Boolean> callback) {
            super(table, Opcode.UPDATE, deadlineNanos, key, program, callback);
            this.schema = schema;
        }

        @Override
        protected void answered(byte status, ByteBuf frame, int body, int end) {
            if (status == Status.UPDATE_FAILED) {
                if (end - body < Long.BYTES) {
                    throw new ProtocolViolation("update failed without an error");
                }
                failWith(new QueryException(this + ": " + problem(frame.getLongLE(body)) + ", at key "
                        + KeyText.of(schema, key()) + "; not applied"));
                return;
            }
            succeed(status == Status.OK);
        }

        private String problem(long code) {
            return UpdateFailure.of(code)
                    .map(failure -> column(failure.column()) + failure.error().text())
                    .orElse("an error of a later version");
        }

        private String column(int number) {
            boolean isNamed = number >= 0 && number < schema.valueColumns().size();
            return isNamed ? "column '" + schema.valueColumns().get(number).name() + "': " : "";
        }
    }
}
