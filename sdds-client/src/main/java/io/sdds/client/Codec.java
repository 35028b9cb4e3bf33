package io.sdds.client;

import io.sdds.client.internal.Codecs;
import io.sdds.client.internal.codec.CompositeCodec;
import io.sdds.client.internal.codec.EnumCodec;
import io.sdds.client.internal.codec.FunctionCodec;
import io.sdds.client.internal.codec.RecordCodec;
import io.sdds.client.internal.codec.ScalarCodec;
import java.math.BigDecimal;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Encodes keys or values as bytes and decodes them. Thread-safe: calling threads encode, and the client's event loops
 * decode.
 *
 * <pre>{@code
 * record Point(int x, int y) {}
 *
 * Codec<Point> rows = Codec.ofRecord(Point.class);
 * Codec<Instant> times = Codec.int64().mapOrdered(Instant::ofEpochMilli, Instant::toEpochMilli);
 * Codec<Point> own = Codec.of(
 *         p -> ByteBuffer.allocate(8).putInt(p.x()).putInt(p.y()).array(),
 *         b -> new Point(ByteBuffer.wrap(b).getInt(0), ByteBuffer.wrap(b).getInt(4)));
 * }</pre>
 *
 * <p>There is no codec of {@link java.io.Serializable} objects on purpose, because reading such bytes can run code of
 * the class path. Use {@link #ofRecord}, {@link #of}, or the JSON codecs of module {@code sdds-jackson}.
 *
 * <p>A table with a schema checks its codecs when it is opened. Its keys take a record, or a codec of the types of the
 * key columns; its values take a record. What a codec of other types writes is checked at each write. {@link #bytes()}
 * is not checked.
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

    /** 32-bit integers as four bytes, in the order of the numbers: {@code integer} of a schema. */
    static Codec<Integer> int32() {
        return ScalarCodec.INT32;
    }

    /**
     * Decimal numbers as sixteen bytes, in the order of the numbers: {@code decimal(p,s)} of a schema.
     *
     * <pre>{@code
     * Codec<BigDecimal> prices = Codec.decimal(10, 2); // up to 99999999.99
     * }</pre>
     *
     * <p>A number that has more digits before or behind the point is refused with {@link IllegalArgumentException}.
     * Numbers that are equal have equal bytes, and 1.5 is read as 1.50.
     *
     * @param precision most digits, 1 to 38
     * @param scale digits behind the point, 0 to the precision
     */
    static Codec<BigDecimal> decimal(int precision, int scale) {
        return ScalarCodec.decimal(precision, scale);
    }

    /**
     * Constants of an enum as the UTF-8 text of their names, in the order of the names: {@code varchar} of a schema.
     * The order of the declaration may change, the names may not.
     *
     * <pre>{@code
     * Codec<DayOfWeek> days = Codec.ofEnum(DayOfWeek.class);
     * }</pre>
     */
    static <E extends Enum<E>> Codec<E> ofEnum(Class<E> type) {
        return new EnumCodec<>(type);
    }

    /**
     * A codec of two functions, without an order.
     *
     * <pre>{@code
     * Codec<Path> paths = Codec.of(p -> p.toString().getBytes(UTF_8), b -> Path.of(new String(b, UTF_8)));
     * }</pre>
     *
     * @param encode like {@link #encode}; thread-safe
     * @param decode like {@link #decode}; thread-safe
     */
    static <T> Codec<T> of(Function<? super T, byte[]> encode, Function<byte[], ? extends T> decode) {
        return FunctionCodec.of(encode, decode, false);
    }

    /**
     * A codec of two functions whose bytes have a meaningful unsigned order: for keys of range tables. Else like
     * {@link #of}.
     *
     * <pre>{@code
     * Codec<String> ascii = Codec.ofOrdered(s -> s.getBytes(US_ASCII), b -> new String(b, US_ASCII));
     * }</pre>
     */
    static <T> Codec<T> ofOrdered(Function<? super T, byte[]> encode, Function<byte[], ? extends T> decode) {
        return FunctionCodec.of(encode, decode, true);
    }

    /**
     * A codec of objects of another class, with the bytes of this codec and without an order.
     *
     * <pre>{@code
     * Codec<URI> uris = Codec.utf8().map(URI::create, URI::toString);
     * }</pre>
     *
     * @param from the object of what this codec decodes; thread-safe
     * @param to what this codec encodes; thread-safe. Equal objects must give equal results
     */
    default <U> Codec<U> map(Function<? super T, ? extends U> from, Function<? super U, ? extends T> to) {
        return FunctionCodec.map(this, from, to, false);
    }

    /**
     * A codec of objects of another class, whose order is that of this codec: for keys of range tables. Else like
     * {@link #map}.
     *
     * <pre>{@code
     * Codec<Instant> times = Codec.int64().mapOrdered(Instant::ofEpochMilli, Instant::toEpochMilli);
     * }</pre>
     */
    default <U> Codec<U> mapOrdered(Function<? super T, ? extends U> from, Function<? super U, ? extends T> to) {
        return FunctionCodec.map(this, from, to, ordered());
    }

    /**
     * Keys of two parts, in the order of the first part, then of the second. Keys of more parts are records
     * ({@link #ofRecord}).
     *
     * <pre>{@code
     * record Reading(String sensor, long time) {}
     *
     * Codec<Reading> keys =
     *         Codec.composite(Codec.utf8(), Codec.int64(), Reading::sensor, Reading::time, Reading::new);
     * }</pre>
     *
     * <p>Parts of {@link #int32()}, {@link #int64()}, {@link #decimal} and {@link #uuid()} have their bytes; 0x00 is
     * escaped in the first part if its codec is another one. So the codec fits the schema of two key columns.
     *
     * @param first the first part of a key
     * @param second the second part of a key
     * @param join the key of two parts
     */
    static <T, A, B> Codec<T> composite(
            Codec<A> a,
            Codec<B> b,
            Function<? super T, ? extends A> first,
            Function<? super T, ? extends B> second,
            BiFunction<? super A, ? super B, ? extends T> join) {
        return new CompositeCodec<>(a, b, first, second, join);
    }

    /**
     * Java records as rows or as keys, in the typed form that queries read.
     *
     * <pre>{@code
     * record Person(String name, @Nullable LocalDate bornOn, int visits) {}
     *
     * // table create people --schema 'ssn bigint key, name varchar not null, born_on date, visits int default 0'
     * HashTable<Long, Person> people = client.hashTable("people", Codec.int64(), Codec.ofRecord(Person.class));
     * }</pre>
     *
     * <p>Each component is a column of its name, without regard to case and underscores: {@code bornOn} is
     * {@code born_on}. Classes of components: boolean; int (integer); long (bigint, or integer); double; BigDecimal
     * (decimal); LocalDate (date); LocalTime (time); LocalDateTime (timestamp); UUID (uuid); String and enums, by their
     * names (varchar); byte[] (varbinary). Primitive components have their boxed classes, too. NULL is null; a
     * primitive component can't read NULL, and the read fails with a {@link CodecException} that names the column.
     *
     * <p>As the value of a table with a schema, the record may have fewer components than the table has columns of the
     * value. <b>A write puts the whole row:</b> columns without a component get their default, or NULL without a
     * default, whatever the record had there before; a column that may not be null and has no default then refuses the
     * write. As the key, the record has one component for each key column. A table that is opened with a record that
     * does not fit its schema throws {@link IllegalArgumentException} with column, component and what to change.
     *
     * <p>In a table without a schema the components are the columns, in their order: components may later be added at
     * the end, and are null in older records. BigDecimal needs a schema, which says its digits.
     *
     * <p>The package of a record in a named module must be open to the client.
     *
     * @throws IllegalArgumentException if a component has another class, or the record can't be accessed
     */
    static <R extends Record> Codec<R> ofRecord(Class<R> type) {
        return RecordCodec.of(type);
    }
}
