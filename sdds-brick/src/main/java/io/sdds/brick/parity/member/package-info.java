/**
 * Parity members of parity groups: the logs of their columns, and the decodings and degraded reads that they lead.
 *
 * <p>Everything here belongs to one stage and is used by its thread alone.
 */
@NullMarked
package io.sdds.brick.parity.member;

import org.jspecify.annotations.NullMarked;
