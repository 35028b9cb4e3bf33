/**
 * The log of a ranked partition at its primary: ranks of records, and the deltas that parity members get.
 *
 * <p>Everything here belongs to one stage and is used by its thread alone.
 */
@NullMarked
package io.sdds.brick.parity.log;

import org.jspecify.annotations.NullMarked;
