/**
 * Parity members that join a group: they copy the records of its columns before they vote.
 *
 * <p>Everything here belongs to one stage and is used by its thread alone.
 */
@NullMarked
package io.sdds.brick.parity.join;

import org.jspecify.annotations.NullMarked;
