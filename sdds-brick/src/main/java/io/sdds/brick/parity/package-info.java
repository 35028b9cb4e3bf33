/**
 * Parity partitions of LH*RS: the coded form of records, and the parity records of a group, by rank.
 *
 * <p>Everything here belongs to one stage and is used by its thread alone.
 */
@NullMarked
package io.sdds.brick.parity;

import org.jspecify.annotations.NullMarked;
