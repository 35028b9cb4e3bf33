package io.sdds.client;

import java.time.Duration;

/**
 * A record as it was read.
 *
 * @param version grows with each write of the key's value, also when the record was removed in between; {@link HashTable#replaceIfVersion} compares it
 * @param timeToLive it had left, rounded up to milliseconds; {@link Duration#ZERO}: it doesn't expire
 */
public record Versioned<V>(V value, long version, Duration timeToLive) {}
