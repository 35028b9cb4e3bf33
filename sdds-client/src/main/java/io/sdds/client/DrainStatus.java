package io.sdds.client;

/**
 * The progress of the drain of a brick.
 *
 * @param brick id of the brick
 * @param draining whether the drain has begun and was not cancelled; false in the answer to a drain that is refused,
 *     for the reason that {@code obstacle} tells
 * @param partitionsLeft copies of partitions that the brick still holds; with none left its process may end
 * @param bytesLeft bytes of records that the brick still holds, as last reported
 * @param obstacle the reason why the drain cannot make progress now; empty if there is none
 */
public record DrainStatus(String brick, boolean draining, int partitionsLeft, long bytesLeft, String obstacle) {}
