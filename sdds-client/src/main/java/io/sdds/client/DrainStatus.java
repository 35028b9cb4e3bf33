package io.sdds.client;

/**
 * How the drain of a brick goes.
 *
 * @param brick id of the brick
 * @param draining whether the drain has begun and was not cancelled; false in the answer to a drain that is refused,
 *     for the reason that {@code obstacle} tells
 * @param partitionsLeft copies of partitions that the brick still holds; with none left its process may end
 * @param bytesLeft bytes of records that the brick still holds, as last reported
 * @param obstacle why the drain cannot go on as things are; empty: it can
 */
public record DrainStatus(String brick, boolean draining, int partitionsLeft, long bytesLeft, String obstacle) {}
