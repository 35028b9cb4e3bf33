/**
 * The frames and the sums of decodings, which compute lost records from columns and parity records.
 *
 * <p>Everything here belongs to one stage and is used by its thread alone.
 */
@NullMarked
package io.sdds.brick.parity.decoding;

import org.jspecify.annotations.NullMarked;
