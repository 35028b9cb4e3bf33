/**
 * The parity groups of one stage as a whole: it makes the replica groups and the parts of the scheme, and hands frames
 * to them.
 *
 * <p>Everything here belongs to one stage and is used by its thread alone.
 */
@NullMarked
package io.sdds.brick.parity.stage;

import org.jspecify.annotations.NullMarked;
