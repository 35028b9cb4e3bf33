package io.sdds.client;

import java.time.Duration;

/**
 * A record as it was read.
 *
 * @param value the record's value
 * @param version grows with each write of the key's value, also when the record was removed in between;
 *     {@link Table#replaceIfVersion} and {@link Table#removeIfVersion} compare it
 * @param timeToLive the time that the record had left, rounded up to milliseconds; {@link Duration#ZERO}: the record
 *     does not expire
 */
public record Versioned<V>(V value, long version, Duration timeToLive) {}
