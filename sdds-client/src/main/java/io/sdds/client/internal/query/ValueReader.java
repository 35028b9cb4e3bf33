package io.sdds.client.internal.query;

import io.sdds.client.Codec;
import io.sdds.client.Versioned;
import io.sdds.client.internal.Codecs;
import io.sdds.core.protocol.ReplyFrame;
import java.time.Duration;

/**
 * Makes the value of a query's entry from what a block has of a record.
 *
 * @param <V> type of the values
 */
@FunctionalInterface
public interface ValueReader<V> {
    /**
     * Reads a value.
     *
     * @param value the encoded value; empty in a query of keys
     * @param version of the record; 0 unless the query asks for versions
     * @param millisLeft the time the record has left to live, or {@link ReplyFrame#FOR_EVER}; 0 unless the query asks
     *     for versions
     */
    V read(byte[] value, long version, long millisLeft);

    /** Reads values that a codec has encoded. */
    static <V> ValueReader<V> of(Codec<V> codec) {
        return (value, version, millisLeft) -> Codecs.decode(codec, value);
    }

    /** Reads the same values with their versions. */
    default ValueReader<Versioned<V>> versioned() {
        return (value, version, millisLeft) -> new Versioned<>(
                read(value, version, millisLeft),
                version,
                millisLeft == ReplyFrame.FOR_EVER ? Duration.ZERO : Duration.ofMillis(millisLeft));
    }
}
