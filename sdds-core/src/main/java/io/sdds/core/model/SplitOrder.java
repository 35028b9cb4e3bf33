package io.sdds.core.model;

/**
 * A split under way, as the coordinator ordered it: partition {@code parent} ships the half of its records with bit {@code level} set to {@code child}.
 *
 * @param stream number of the shipping, on every slice; never used again
 * @param level of the parent before the split; both halves have {@code level + 1} after it
 */
public record SplitOrder(int table, int parent, int child, int level, long stream, Place source, Place target) {}
