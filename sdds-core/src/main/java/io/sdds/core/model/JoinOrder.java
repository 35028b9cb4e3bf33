package io.sdds.core.model;

import io.sdds.core.model.Place.Member;

/**
 * A brick's process is to become a member of a partition's replica group, as the coordinator ordered it: the primary
 * ships it the whole partition.
 *
 * @param epoch in which it was ordered; in any other it is void
 * @param stream number of the shipping, on every slice; never used again
 */
public record JoinOrder(int table, int partition, long epoch, long stream, Member joiner) {}
