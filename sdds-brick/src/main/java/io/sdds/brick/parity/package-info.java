/**
 * Parity groups of LH*RS (docs/design/parity.md). The subpackages are the parts of the scheme.
 *
 * <p>Everything here belongs to one stage and is used by its thread alone.
 */
@NullMarked
package io.sdds.brick.parity;

import org.jspecify.annotations.NullMarked;
