/** Parity groups as the leading coordinator sees them: placement, repairs, changes of K, and conversions. */
@NullMarked
package io.sdds.coordinator.control.parity;

import org.jspecify.annotations.NullMarked;
