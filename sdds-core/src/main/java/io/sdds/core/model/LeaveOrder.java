package io.sdds.core.model;

import io.sdds.core.model.Place.Member;

/**
 * An order of the coordinator that a member leaves a partition's replica group, because other members hold the copies
 * that the table asks for, or the group can't go on with the member. The member gives its copy up, and reports
 * {@code GIVEN_UP} and the group's epoch until the map no longer has it as a member. The other members send a heartbeat
 * at once, whose map version shows that they know the order. Then the group goes on without the member. If the map has
 * it as a member in a later epoch, it takes part in that epoch.
 *
 * @param epoch epoch of the group at the order; in any other epoch the order is void
 */
public record LeaveOrder(int table, int partition, long epoch, Member leaver) {}
