/**
 * The coded form of records, and the parity records of a parity member, by rank.
 *
 * <p>Everything here belongs to one stage and is used by its thread alone.
 */
@NullMarked
package io.sdds.brick.parity.records;

import org.jspecify.annotations.NullMarked;
