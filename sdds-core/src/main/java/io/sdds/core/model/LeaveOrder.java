package io.sdds.core.model;

import io.sdds.core.model.Place.Member;

/**
 * A member is to leave a partition's replica group, as the coordinator ordered it: others hold the copies that the
 * table asks for. It gives its copy up and says so; then the group goes on without it.
 *
 * @param epoch in which it was ordered; in any other it is void
 */
public record LeaveOrder(int table, int partition, long epoch, Member leaver) {}
