package io.sdds.core.model;

/**
 * A brick in the map.
 *
 * @param number the small number that address blocks and image adjustments use; given at the brick's first
 *     registration, never used again
 * @param id the operator's name for the brick, such as {@code b1}
 * @param incarnation grows with each registration of a new process; the memory of a process belongs to its incarnation
 * @param address host:port for other processes
 */
public record BrickInfo(int number, String id, long incarnation, String address) {}
