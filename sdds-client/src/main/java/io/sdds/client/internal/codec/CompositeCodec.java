package io.sdds.client.internal.codec;

import io.sdds.client.Codec;
import io.sdds.client.internal.SchemaCodec;
import io.sdds.core.row.KeyEncoding;
import io.sdds.core.row.ValueType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Keys of two parts, as {@link KeyEncoding} has them. */
public final class CompositeCodec<T, A, B> implements TypedCodec<T> {
    /** Two parts of bytes, of which the first is escaped. */
    private static final KeyEncoding ESCAPED = new KeyEncoding(List.of(ValueType.VARBINARY, ValueType.VARBINARY));

    private final Codec<A> a;
    private final Codec<B> b;
    private final Function<? super T, ? extends A> first;
    private final Function<? super T, ? extends B> second;
    private final BiFunction<? super A, ? super B, ? extends T> join;
    private final @Nullable List<ValueType> types;
    /** Bytes of the first part; 0: they vary. */
    private final int firstBytes;

    public CompositeCodec(
            Codec<A> a,
            Codec<B> b,
            Function<? super T, ? extends A> first,
            Function<? super T, ? extends B> second,
            BiFunction<? super A, ? super B, ? extends T> join) {
        this.a = part(a, "a");
        this.b = part(b, "b");
        this.first = Objects.requireNonNull(first, "first");
        this.second = Objects.requireNonNull(second, "second");
        this.join = Objects.requireNonNull(join, "join");
        List<ValueType> head = TypedCodec.typesOf(a);
        List<ValueType> tail = TypedCodec.typesOf(b);
        this.firstBytes = head == null ? 0 : fixedBytes(head);
        this.types = head == null || tail == null ? null : joined(head, tail);
    }

    private static <P> Codec<P> part(Codec<P> codec, String name) {
        if (codec instanceof SchemaCodec) {
            throw new IllegalArgumentException(
                    "part " + name + " of a composite key is a record: make the whole key one record, Codec.ofRecord");
        }
        return Objects.requireNonNull(codec, name);
    }

    /** A first part of several columns whose last has a variable length is escaped as a whole, unlike columns are. */
    private static @Nullable List<ValueType> joined(List<ValueType> head, List<ValueType> tail) {
        if (head.size() > 1 && fixedBytes(head) == 0) {
            return null;
        }
        List<ValueType> all = new ArrayList<>(head);
        all.addAll(tail);
        return all;
    }

    private static int fixedBytes(List<ValueType> types) {
        int bytes = 0;
        for (ValueType type : types) {
            if (type.bytes() == 0) {
                return 0;
            }
            bytes += type.bytes();
        }
        return bytes;
    }

    @Override
    public byte[] encode(T object) {
        byte[] head = a.encode(first.apply(object));
        byte[] tail = b.encode(second.apply(object));
        return firstBytes == 0
                ? ESCAPED.encode(head, tail)
                : ByteBuffer.allocate(head.length + tail.length)
                        .put(head)
                        .put(tail)
                        .array();
    }

    @Override
    public T decode(byte[] bytes) {
        if (firstBytes == 0) {
            byte[][] parts = ESCAPED.stored(bytes);
            return join.apply(a.decode(parts[0]), b.decode(parts[1]));
        }
        int cut = Math.min(firstBytes, bytes.length);
        return join.apply(a.decode(Arrays.copyOf(bytes, cut)), b.decode(Arrays.copyOfRange(bytes, cut, bytes.length)));
    }

    @Override
    public boolean ordered() {
        return a.ordered() && b.ordered();
    }

    @Override
    public @Nullable List<ValueType> types() {
        return types;
    }
}
