package io.sdds.core.model;

/**
 * A brick as the map names it.
 *
 * @param number the small number by which address blocks and image adjustments name it; given at first registration,
 *     never used again
 * @param id the operator's name for it, such as {@code b1}
 * @param incarnation grows with each registration of a new process; its RAM belongs to it alone
 * @param address host:port that others dial
 */
public record BrickInfo(int number, String id, long incarnation, String address) {}
