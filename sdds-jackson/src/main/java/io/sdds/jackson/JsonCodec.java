package io.sdds.jackson;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sdds.client.Codec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;

/**
 * Objects as JSON, encoded as UTF-8, for the values of tables without a schema. Thread-safe.
 *
 * <pre>{@code
 * record Person(String name, int age) {}
 *
 * HashTable<String, Person> people =
 *         client.hashTable("people", Codec.utf8(), JsonCodec.of(Person.class));
 * }</pre>
 *
 * <p>Queries see such values as text. A table of typed columns takes {@link Codec#ofRecord} instead.
 *
 * @param <T> class of the values
 */
public final class JsonCodec<T> implements Codec<T> {
    private final ObjectWriter writer;
    private final ObjectReader reader;
    private final String type;

    private JsonCodec(ObjectMapper mapper, JavaType type) {
        this.writer = mapper.writerFor(type);
        this.reader = mapper.readerFor(type);
        this.type = type.toCanonical();
    }

    /**
     * A codec with a mapper that has the modules of the class path. It writes properties and the entries of maps in the
     * order of their names, so that equal objects have equal bytes, and ignores properties that the class lacks, so
     * that values of a later class can be read.
     *
     * <pre>{@code
     * Codec<Person> people = JsonCodec.of(Person.class);
     * }</pre>
     */
    public static <T> JsonCodec<T> of(Class<T> type) {
        ObjectMapper mapper = JsonMapper.builder()
                .findAndAddModules()
                .enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
                .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                // A filter for a text finds it, which it would not behind escapes of half pairs.
                .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .build();
        return of(mapper, type);
    }

    /**
     * A codec with a mapper of the application, which is used as it is configured now. Where values are compared
     * ({@code compareAndSet}), the mapper must give equal objects equal bytes.
     *
     * <pre>{@code
     * Codec<Person> people = JsonCodec.of(new ObjectMapper().registerModule(new JavaTimeModule()), Person.class);
     * }</pre>
     */
    public static <T> JsonCodec<T> of(ObjectMapper mapper, Class<T> type) {
        return new JsonCodec<>(mapper, mapper.constructType(type));
    }

    /**
     * Like {@link #of(ObjectMapper, Class)}, of a class with type arguments.
     *
     * <pre>{@code
     * Codec<List<Person>> groups = JsonCodec.of(mapper, new TypeReference<List<Person>>() {});
     * }</pre>
     */
    public static <T> JsonCodec<T> of(ObjectMapper mapper, TypeReference<T> type) {
        return new JsonCodec<>(mapper, mapper.constructType(type));
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if Jackson can't write the object; the cause says why
     */
    @Override
    public byte[] encode(T object) {
        Objects.requireNonNull(object, "a value");
        try {
            return writer.writeValueAsBytes(object);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no JSON of " + type + ": " + e.getOriginalMessage(), e);
        }
    }

    /**
     * {@inheritDoc}
     *
     * @throws UncheckedIOException if the bytes are no JSON of the class; the cause says where
     */
    @Override
    public T decode(byte[] bytes) {
        try {
            T object = reader.readValue(bytes);
            return Objects.requireNonNull(object, "JSON null, which is no value");
        } catch (IOException e) {
            throw new UncheckedIOException("no " + type + " in JSON of " + bytes.length + " bytes", e);
        }
    }

    /** Whether keys have an order: they have none. */
    @Override
    public boolean ordered() {
        return false;
    }
}
