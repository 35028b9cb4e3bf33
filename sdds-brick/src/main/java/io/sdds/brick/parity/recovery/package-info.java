/**
 * Recovery of a lost column at a spare, which pulls the decoded records from the parity members.
 *
 * <p>Everything here belongs to one stage and is used by its thread alone.
 */
@NullMarked
package io.sdds.brick.parity.recovery;

import org.jspecify.annotations.NullMarked;
